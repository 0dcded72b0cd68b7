"""Plots of a report as SVG: bars, columns and lines, in the colours of the page that holds them.

Made of elements of the standard library, which escape whatever they are given.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

_WIDTH = 720.0
_BAR, _GAP = 15.0, 9.0
_HEIGHT = 260.0
_LEFT, _BOTTOM, _TOP, _RIGHT = 52.0, 44.0, 12.0, 14.0
_LETTER = 7.4
_MOST_LABELS = 12
_TICKS = 4
_BINS = 16

Kind = Literal["bars", "columns", "lines"]
Value = float | None


@dataclass(frozen=True)
class Plot:
    """Values by label, one series or more. ``bars`` lie, for long names; ``lines`` have an order.

    ``unit`` stands at the axis; "%" shows shares from 0 to 1 as percentages.
    """

    title: str
    kind: Kind
    labels: Sequence[str]
    series: Mapping[str, Sequence[Value]]
    unit: str = ""
    across: str = ""
    note: str = ""

    def shown(self, value: Value) -> str:
        """A value as people read it."""
        if value is None:
            return "–"
        if self.unit == "%":
            return f"{value:.1%}"
        return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"

    def tick(self, value: float) -> str:
        """A value at the axis."""
        if self.unit == "%":
            return f"{value:.0%}" if value * 100 == round(value * 100) else f"{value:.1%}"
        return f"{value:,g}"


def histogram(title: str, values: Sequence[float], unit: str = "ms", note: str = "") -> Plot:
    """How many values fall into each bin; what is beyond the 99th of a hundred is in the last."""
    ordered = sorted(values) or [0.0]
    top = max(ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)], 1e-9)
    step = _round_up(top / _BINS)
    bins = max(math.ceil(top / step), 1)
    counts = [0.0] * bins
    for value in values:
        counts[min(int(value / step), bins - 1)] += 1
    labels = [f"{at * step:g}" for at in range(bins)]
    return Plot(title, "columns", labels, {"count": counts}, "", f"{unit}, from", note)


def _round_up(value: float) -> float:
    """The next of 1, 2, 2.5 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value * (1 - 1e-9))


def draw(plot: Plot, ident: str) -> ET.Element:
    """The plot as one SVG element with a title; ``ident`` is unique on the page."""
    svg = _bars(plot) if plot.kind == "bars" else _upright(plot)
    svg.set("role", "img")
    svg.set("aria-labelledby", ident)
    title = ET.Element("title", {"id": ident})
    title.text = plot.title
    svg.insert(0, title)
    return svg


def _bars(plot: Plot) -> ET.Element:
    left = min(max((len(label) for label in plot.labels), default=0) * _LETTER + 16, _WIDTH * 0.45)
    count = max(len(plot.series), 1)
    row = _BAR * count + _GAP
    height = row * len(plot.labels) + _BOTTOM
    svg = _canvas(height)
    top = _top(plot)
    room = _WIDTH - left - 66
    for tick in _ticks(top):
        x = left + room * tick / top
        _line(svg, x, 4, x, height - _BOTTOM + 4, "grid")
        _text(svg, x, height - _BOTTOM + 20, plot.tick(tick), "middle")
    for at, label in enumerate(plot.labels):
        y = 4 + row * at
        _text(svg, left - 8, y + _BAR * count / 2 + 4, _cut(label, left), "end")
        for number, values in enumerate(plot.series.values()):
            value = values[at]
            length = room * (value or 0.0) / top
            _rect(
                svg, left, y + _BAR * number, max(length, 1.0), _BAR - 2, number, label, plot, value
            )
            _text(
                svg, left + length + 5, y + _BAR * number + 11, plot.shown(value), "start", "value"
            )
    return svg


def _upright(plot: Plot) -> ET.Element:
    svg = _canvas(_HEIGHT)
    top, floor = _top(plot), _HEIGHT - _BOTTOM
    for tick in _ticks(top):
        y = floor - (floor - _TOP) * tick / top
        _line(svg, _LEFT, y, _WIDTH - _RIGHT, y, "grid")
        _text(svg, _LEFT - 7, y + 4, plot.tick(tick), "end")
    room = (_WIDTH - _LEFT - _RIGHT) / max(len(plot.labels), 1)
    every = math.ceil(len(plot.labels) / _MOST_LABELS)
    for at, label in enumerate(plot.labels):
        if at % every == 0:
            # A bin is named by where it begins, anything else by its middle.
            x = _LEFT + room * (at if plot.across.endswith("from") else at + 0.5)
            _text(svg, x, floor + 17, label, "middle")
    _text(svg, _WIDTH / 2, _HEIGHT - 6, plot.across, "middle", "axis")
    for number, values in enumerate(plot.series.values()):
        heights = [None if v is None else (floor - _TOP) * v / top for v in values]
        if plot.kind == "lines":
            _curve(svg, heights, room, floor, number)
        width = room * 0.86 / len(plot.series)
        for at, value in enumerate(values):
            if value is None:
                continue
            high = heights[at] or 0.0
            if plot.kind == "lines":
                _dot(
                    svg,
                    _LEFT + room * (at + 0.5),
                    floor - high,
                    number,
                    plot.labels[at],
                    plot,
                    value,
                )
            else:
                x = _LEFT + room * at + room * 0.07 + width * number
                _rect(svg, x, floor - high, width, high, number, plot.labels[at], plot, value)
    return svg


def _curve(
    svg: ET.Element, heights: Sequence[Value], room: float, floor: float, number: int
) -> None:
    points = [
        f"{_LEFT + room * (at + 0.5):.1f},{floor - high:.1f}"
        for at, high in enumerate(heights)
        if high is not None
    ]
    ET.SubElement(svg, "polyline", {"points": " ".join(points), "class": f"line s{number}"})


def _canvas(height: float) -> ET.Element:
    return ET.Element(
        "svg", {"viewBox": f"0 0 {_WIDTH:.0f} {height:.0f}", "xmlns": "http://www.w3.org/2000/svg"}
    )


def _top(plot: Plot) -> float:
    """Where the axis ends: a whole for shares that come near it, else the next round number."""
    values = [value for some in plot.series.values() for value in some if value is not None]
    high = max(values, default=0.0)
    if high <= 0.0:
        return 1.0
    if plot.unit == "%" and high > 0.5:
        return max(1.0, high)
    whole = all(value == int(value) for value in values)
    # Counts have no half ones.
    return max(_round_up(high / _TICKS) * _TICKS, float(_TICKS) if whole else 0.0)


def _ticks(top: float) -> list[float]:
    return [top * at / _TICKS for at in range(_TICKS + 1)]


def _cut(label: str, left: float) -> str:
    most = int((left - 10) / _LETTER)
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _line(svg: ET.Element, x1: float, y1: float, x2: float, y2: float, name: str) -> None:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    ET.SubElement(svg, "line", {at: f"{v:.1f}" for at, v in ends.items()} | {"class": name})


def _text(svg: ET.Element, x: float, y: float, text: str, anchor: str, name: str = "label") -> None:
    found = ET.SubElement(
        svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "class": name}
    )
    found.text = text


def _rect(
    svg: ET.Element, x: float, y: float, width: float, height: float, number: int, label: str,
    plot: Plot, value: Value,
) -> None:  # fmt: skip
    sides = {"x": x, "y": y, "width": width, "height": height}
    mark = ET.SubElement(
        svg, "rect", {at: f"{v:.1f}" for at, v in sides.items()} | {"class": f"mark s{number}"}
    )
    _named(mark, label, plot, value, number)


def _dot(
    svg: ET.Element, x: float, y: float, number: int, label: str, plot: Plot, value: Value
) -> None:
    at = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "3.5", "class": f"mark s{number}"}
    _named(ET.SubElement(svg, "circle", at), label, plot, value, number)


def _named(mark: ET.Element, label: str, plot: Plot, value: Value, number: int) -> None:
    name = list(plot.series)[number]
    told = f"{label}, {name}" if len(plot.series) > 1 else label
    ET.SubElement(mark, "title").text = f"{told}: {plot.shown(value)}"
