"""The launches of a cell as a table: one row for each kernel and shape, with its costs against the ideal and what the
checks found; as HTML for a notebook and as text for a terminal. Tests: tests/programs/module_test.py"""

import html

MORE_THAN_IDEAL = "color:#d97706;font-weight:600"
WRONG = "color:#dc2626;font-weight:600"
MOST_FINDINGS = 10
MOST_PARTS = 4


class Row:
    """Launches of one kernel with one shape, and mostly one cost."""

    def __init__(self, records):
        self.records = records
        self.kernel = records[0]["kernel"]
        grid = extent(records[0]["grid"])
        self.shape = f"{grid} {'block' if grid == '1' else 'blocks'} of {extent(records[0]['block'])}"
        self.sectors = Cost(records, "sectors")
        self.wavefronts = Cost(records, "wavefronts")
        self.milliseconds = 1e3 * sum(record.get("emulated_seconds", 0) for record in records)
        self.was_checked = any(record.get("checked") for record in records)
        self.findings = unique(sentence for record in records for sentence in record.get("findings", ()))
        self.errors = unique(record["error"] for record in records if record.get("error"))

    def hazards(self):
        wrong = unique(self.findings + self.errors)
        if wrong:
            return f"{len(wrong)} found"
        return "none" if self.was_checked else "not checked"

    def has_hazards(self):
        return bool(self.findings or self.errors)


class Cost:
    """A cost of one launch, and what all launches of the row cost against their ideal."""

    def __init__(self, records, name):
        values = [record.get(name, 0) for record in records]
        ideal = sum(record.get(f"ideal_{name}", 0) for record in records)
        self.ratio = sum(values) / ideal if ideal else None
        low, high = min(values), max(values)
        self.number = f"{low:,}" if low == high else f"{low:,} to {high:,}"

    def is_ideal(self):
        return self.ratio is None or self.ratio <= 1

    def text(self):
        if self.ratio is None:
            return "-"
        return f"{self.number} ({'ideal' if self.is_ideal() else f'{self.ratio:.1f}x ideal'})"


def unique(values):
    return list(dict.fromkeys(values))


def extent(of):
    while len(of) > 1 and of[-1] == 1:
        of = of[:-1]
    return " x ".join(f"{one:,}" for one in of)


def groups_of(records, key):
    groups = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return list(groups.values())


def rows_of(records):
    """In the order of their first launches. Launches of a kernel and shape that cost differently, as by another argument,
    are a row each, unless they all do."""
    rows = []
    for group in groups_of(records, lambda record: (record["kernel"], tuple(record["grid"]), tuple(record["block"]))):
        parts = groups_of(group, lambda record: (record.get("sectors"), record.get("wavefronts")))
        rows += [Row(part) for part in (parts if len(parts) <= MOST_PARTS else [group])]
    return rows


HEADS = ("kernel", "launches", "shape", "sectors per launch", "wavefronts per launch", "hazards", "time here")


def cells_of(row):
    """The texts of a row and how they look."""
    return [(row.kernel, ""), (f"{len(row.records):,}", ""), (row.shape, ""),
            (row.sectors.text(), "" if row.sectors.is_ideal() else MORE_THAN_IDEAL),
            (row.wavefronts.text(), "" if row.wavefronts.is_ideal() else MORE_THAN_IDEAL),
            (row.hazards(), WRONG if row.has_hazards() else ""),
            (f"{row.milliseconds:,.1f} ms", "")]


def findings_of(rows, name_of_place):
    """Sentences of all rows; name_of_place puts a cell's number in place of its file."""
    sentences = unique(f"{row.kernel}: {name_of_place(sentence)}" for row in rows
                       for sentence in unique(row.findings + row.errors))
    more = len(sentences) - MOST_FINDINGS
    return sentences[:MOST_FINDINGS] + ([f"and {more} more"] if more > 0 else [])


def as_text(rows, findings, notes):
    table = [HEADS] + [[text for text, _ in cells_of(row)] for row in rows]
    widths = [max(len(line[n]) for line in table) for n in range(len(HEADS))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in table]
    return "\n".join(lines + list(findings) + list(notes))


def as_html(rows, findings, figures, notes):
    """`figures`: elements of HTML. No style of the page is needed, and none is changed."""
    cell = "padding:2px 14px 2px 0;text-align:left;vertical-align:top;white-space:nowrap"
    parts = ['<div style="font-size:90%;margin:4px 0">', '<table style="border-collapse:collapse;margin:0 0 6px 0">',
             "<tr>" + "".join(f'<th style="{cell};border-bottom:1px solid #888">{head}</th>' for head in HEADS) + "</tr>"]
    for row in rows:
        parts.append("<tr>" + "".join(f'<td style="{cell};{style}">{html.escape(text)}</td>'
                                      for text, style in cells_of(row)) + "</tr>")
    parts.append("</table>")
    parts += [f'<div style="{WRONG};margin:2px 0">{html.escape(sentence)}</div>' for sentence in findings]
    parts += figures
    parts += [f'<div style="opacity:.75;margin:2px 0">{html.escape(note)}</div>' for note in notes]
    return "\n".join(parts + ["</div>"])
