"""The page of a report: one file that asks for nothing, escapes everything, and says its figures.

| what | then |
|---|---|
| names with markup in every place | text, never elements |
| the page as a whole | no script, no address to fetch, a policy that forbids both |
| a plot | a title, and a table with the same figures |
| no values, one value, none known, large and tiny ones | drawn without an error, within the canvas |
| half a character in every place | written, and seen |
| a file that cannot be written | InvalidInput |
| reports of the suites, a table without rows | pages that name their figures |
"""

import math
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InvalidInput
from muniment_evals import abstention, modes, pages, pages_store, precision
from muniment_evals.page import Page, Section, Table, html, write_page
from muniment_evals.plots import Kind, Plot, draw, histogram
from muniment_evals.probes import PROBES, Figures

AT = datetime(2026, 6, 1, tzinfo=UTC)
EVIL = "</svg><script>alert('x')</script><img src=http://x.test onerror=y>&\"'"


def page(text: str) -> Page:
    """A page that has one text everywhere."""
    kinds: tuple[Kind, ...] = ("bars", "columns", "lines")
    plots = [
        Plot(text, kind, [text, "b"], {text: [0.1, 0.9], "other": [None, 1.0]}, "%", text, text)
        for kind in kinds
    ]
    parts: list[Plot | Table] = [*plots, Table(text, (text,), [[text], ["1.5"]], text)]
    return Page(
        text, text, ((text, text),), (Section(text, parts, text),), good=False, verdict=text
    )


def test_half_a_character_is_written(tmp_path: Path) -> None:
    write_page(page("task \ud800"), tmp_path / "page.html")
    assert "task \\ud800" in (tmp_path / "page.html").read_text(encoding="utf-8")


class Elements(HTMLParser):
    """The elements of a document, with their attributes."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs


@pytest.mark.parametrize("text", [EVIL, "plain", "é ☃ \u202e", "--> <![CDATA["])
def test_whatever_a_report_holds_is_text(text: str) -> None:
    found = Elements(html(page(text), AT))
    assert not {"script", "img", "link", "iframe", "object"} & set(found.names)
    assert found.names.count("svg") == 3
    asked = {name for name, _ in found.attributes} & {"src", "href", "srcset", "action", "onload"}
    assert not asked
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in found.attributes


def test_a_plot_has_a_title_and_its_figures_as_a_table() -> None:
    document = html(page("Faults"), AT)
    assert document.count("<title") >= 4
    assert document.count("The same as a table") == 3
    assert "90.0%" in document
    assert "prefers-color-scheme: dark" in document
    assert "@media print" in document
    assert not re.search(r"url\(|@import", document)


VALUES = st.lists(
    st.none() | st.floats(0, 1e9, allow_nan=False, allow_subnormal=False), min_size=0, max_size=30
)


@given(VALUES, st.sampled_from(["bars", "columns", "lines"]), st.sampled_from(["%", "", "ms"]))
def test_every_mark_is_on_the_canvas(values: list[float | None], kind: Kind, unit: str) -> None:
    labels = [f"label {number}" for number in range(len(values))]
    svg = draw(Plot("t", kind, labels, {"one": values, "two": values}, unit), "p")
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    for mark in svg.iter("rect"):
        x, y, w, h = (float(mark.get(name, "nan")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width + 0.2
        assert 0 <= y <= y + h <= height + 0.2
    for dot in svg.iter("circle"):
        assert math.isfinite(float(dot.get("cy", "nan")))
    assert ET.tostring(svg)


@given(st.lists(st.floats(0.001, 1e5), max_size=200))
def test_a_histogram_counts_every_value_once(values: list[float]) -> None:
    counts = histogram("t", values).series["count"]
    assert sum(one or 0 for one in counts) == len(values)
    assert len(counts) <= 20


def test_a_page_is_written_to_a_file(tmp_path: Path) -> None:
    write_page(page("Plain"), tmp_path / "report.html", AT)
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(InvalidInput, match=r"none/report\.html"):
        write_page(page("Plain"), tmp_path / "none" / "report.html", AT)


def test_a_table_without_rows_says_so() -> None:
    empty = Page("t", "l", (), (Section("s", (Table("Missed", ("said",), ()),)),))
    assert "None." in html(empty, AT)


def test_pages_of_suites() -> None:
    asked = abstention.Report(2, 2, 0.5, 0.0, 1.0, ["Who? <- Bo."], [])
    held = precision.Report(3, 2, {"own": {"cases": 3, "passed": 2}}, {"c": ["lacks b"]})
    chosen = modes.Report(2, 0.5, {"mixed": 0.5}, {"fresh": {"fresh": 1, "extend": 1}}, [])
    figures = {name: Figures(4, 1, 0.25, ["seen"], None, [1.5]) for name in PROBES}
    for made, wanted in (
        (pages.abstention(asked, "a.jsonl"), "Who? &lt;- Bo."),
        (pages.precision(held, "p.jsonl"), "2 of 3"),
        (pages.modes(chosen, "m.jsonl"), "50.0%"),
        (pages_store.probes(figures), "faults that nobody forgives: stale answers"),
    ):
        assert wanted in html(made, AT), made.title
