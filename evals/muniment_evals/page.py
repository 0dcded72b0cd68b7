"""One page for one report: key figures, plots with a table beside each, tables. Asks for nothing.

The page is a tree of elements of the standard library, so that whatever a report holds is text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree as ET

from muniment.errors import InvalidInput
from muniment_evals.plots import Plot, draw

_STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class Table:
    """Rows of text; cells that read like numbers stand to the right."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Section:
    """Plots and tables under one heading."""

    title: str
    parts: Sequence[Plot | Table]
    lead: str = ""


@dataclass(frozen=True)
class Page:
    """A report. ``figures``: what people look for first; ``good``: whether all that must hold does,
    None where nothing must.
    """

    title: str
    lead: str
    figures: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    good: bool | None = None
    verdict: str = ""


def write_page(page: Page, path: Path, at: datetime | None = None) -> None:
    """Write the page as one file. Raises InvalidInput where it cannot be written."""
    try:
        # Half a character, which a name may have, is no text that could be written.
        text = html(page, at or datetime.now(UTC)).encode("utf-8", "backslashreplace")
        path.write_bytes(text)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}.") from None


def html(page: Page, at: datetime) -> str:
    """The page as one HTML document."""
    root = ET.Element("html", {"lang": "en"})
    head = ET.SubElement(root, "head")
    ET.SubElement(head, "meta", {"charset": "utf-8"})
    ET.SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY})
    ET.SubElement(head, "meta", {"name": "viewport", "content": "width=device-width"})
    ET.SubElement(head, "title").text = page.title
    ET.SubElement(head, "style").text = _STYLE
    main = ET.SubElement(ET.SubElement(root, "body"), "main")
    ET.SubElement(main, "h1").text = page.title
    if page.good is not None:
        name = "verdict good" if page.good else "verdict bad"
        ET.SubElement(main, "p", {"class": name}).text = page.verdict
    ET.SubElement(main, "p", {"class": "lead"}).text = page.lead
    main.append(_key_figures(page.figures))
    idents = (f"plot-{number}" for number in range(10_000))
    for section in page.sections:
        main.append(_section(section, idents))
    ET.SubElement(
        main, "footer"
    ).text = f"Muniment {version('muniment')}, {at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    ET.indent(root)
    return f"<!DOCTYPE html>\n{ET.tostring(root, encoding='unicode', method='html')}\n"


def _key_figures(figures: Sequence[tuple[str, str]]) -> ET.Element:
    found = ET.Element("dl", {"class": "figures"})
    for name, value in figures:
        pair = ET.SubElement(found, "div")
        ET.SubElement(pair, "dt").text = name
        ET.SubElement(pair, "dd").text = value
    return found


def _section(section: Section, idents: Iterator[str]) -> ET.Element:
    found = ET.Element("section")
    ET.SubElement(found, "h2").text = section.title
    if section.lead:
        ET.SubElement(found, "p").text = section.lead
    for part in section.parts:
        found.append(_plot(part, next(idents)) if isinstance(part, Plot) else _table(part))
    return found


def _plot(plot: Plot, ident: str) -> ET.Element:
    figure = ET.Element("figure")
    ET.SubElement(figure, "figcaption").text = plot.title
    if len(plot.series) > 1:
        key = ET.SubElement(figure, "p", {"class": "key"})
        for number, name in enumerate(plot.series):
            ET.SubElement(key, "span", {"class": f"swatch s{number}"})
            ET.SubElement(key, "span").text = name
    figure.append(draw(plot, ident))
    if plot.note:
        ET.SubElement(figure, "p", {"class": "note"}).text = plot.note
    details = ET.SubElement(figure, "details")
    ET.SubElement(details, "summary").text = "The same as a table"
    rows = [
        [label, *(plot.shown(values[at]) for values in plot.series.values())]
        for at, label in enumerate(plot.labels)
    ]
    details.append(_table(Table("", [plot.across, *plot.series], rows)))
    return figure


def _table(table: Table) -> ET.Element:
    box = ET.Element("div", {"class": "table"})
    found = ET.SubElement(box, "table")
    if table.title:
        ET.SubElement(found, "caption").text = table.title
    head = ET.SubElement(ET.SubElement(found, "thead"), "tr")
    for at, name in enumerate(table.head):
        column = [row[at] for row in table.rows if at < len(row)]
        kind = {"class": "number"} if column and all(map(_is_number, column)) else {}
        ET.SubElement(head, "th", kind | {"scope": "col"}).text = name
    body = ET.SubElement(found, "tbody")
    for row in table.rows:
        line = ET.SubElement(body, "tr")
        for at, cell in enumerate(row):
            kind = {"class": "number"} if _is_number(cell) else {}
            ET.SubElement(line, "th" if at == 0 else "td", kind | _row_scope(at)).text = cell
    note = table.note if table.rows else "None."
    if note:
        ET.SubElement(box, "p", {"class": "note"}).text = note
    return box


def _row_scope(at: int) -> dict[str, str]:
    return {"scope": "row"} if at == 0 else {}


def _is_number(cell: str) -> bool:
    return cell == "–" or cell.strip("+-%$ ms").replace(",", "").replace(".", "", 1).isdigit()
