"""Figures of kept launches, drawn by `lanescope plot` and put into HTML as images, since the names inside of two SVGs on
one page would clash. Tests: tests/programs/module_test.py"""

import base64
import html
import os
import re
import tempfile

from lanescope.program import LanescopeError, run_lanescope

NAMES = ("banks", "sectors", "timeline", "totals", "blocks", "lanes", "partitions")
SIZE = "900x440"
CHOICES = (*NAMES, "auto", "none")  # of a cell's --figure
MOST_FIGURES = 4


def telling_figure(row):
    """The figure of what costs this kernel most against its ideal; of shared memory, where both are ideal."""
    shared = row.wavefronts.ratio
    return "banks" if shared is not None and shared >= (row.sectors.ratio or 0) else "sectors"


def kept_launch(row):
    """The file of a launch that ran to its end; None if none was kept."""
    return next((record["path"] for record in row.records if record.get("path") and not record.get("error")), None)


def add_option(parser):
    """--figure NAME, of a cell."""
    parser.add_argument("--figure", action="append", choices=CHOICES, metavar="NAME",
                        help="which figures are drawn of each kernel, may be repeated: " + ", ".join(NAMES) +
                        "; auto (default): the one of its highest cost; none")


def drawn(rows, chosen, **options):
    """Elements of HTML for the figures that --figure chose of the kept launches, at most MOST_FIGURES, and sentences on what was not
    drawn. `options`: those of draw."""
    pairs = [(row, telling_figure(row) if name == "auto" else name)
             for row in rows if kept_launch(row) for name in chosen or ("auto",) if name != "none"]
    elements, notes = [], []
    for row, name in pairs[:MOST_FIGURES]:
        try:
            elements.append(element(row.kernel, draw(kept_launch(row), name, **options)))
        except LanescopeError as error:
            notes.append(f"no figure '{name}' of {row.kernel}: {error}")
    if len(pairs) > MOST_FIGURES:
        notes.append(f"{len(pairs) - MOST_FIGURES} more figures: choose kernels by cell, or open the window")
    return elements, notes


def draw(path, name, theme="light", size=SIZE, device=None):
    """The figure's SVG. Errors: what `lanescope plot` says."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "figure.svg")
        # As `lanescope run --device`, whose default is ampere.
        device = device or os.environ.get("LANESCOPE_DEVICE", "ampere")
        _, complaint = run_lanescope("plot", path, "--figure", name, "-o", output, "--theme", theme, "--size", size,
                                     "--device", device)
        # Its exit status is 1 for a kernel with hazards too, whose figure is drawn.
        if not os.path.exists(output):
            raise LanescopeError(complaint or f"`lanescope plot --figure {name}` drew nothing")
        with open(output, encoding="utf-8") as file:
            return file.read()


def words_of(svg):
    """The figure's title, and its description for those who do not see it."""
    found = [re.search(rf"<{tag}>(.*?)</{tag}>", svg, re.DOTALL) for tag in ("title", "desc")]
    return [html.unescape(one[1]) if one else "" for one in found]


def element(kernel, svg):
    """The image, with the kernel and the figure's title above it."""
    title, description = words_of(svg)
    data = base64.b64encode(svg.encode()).decode()
    return (f'<div style="margin:8px 0 2px 0"><b>{html.escape(kernel)}</b> {html.escape(title)}</div>'
            f'<img style="max-width:100%" alt="{html.escape(description)}" src="data:image/svg+xml;base64,{data}">')
