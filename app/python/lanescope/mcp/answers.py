"""Short answers from the reports of `lanescope report` and `trace`: the worst first, how many more there are, and how to get them.

Tests: tests/mcp"""

from lanescope.source import sentence_of

MOST_TEXT = 600


def short(text, most=MOST_TEXT):
    return text if len(text) <= most else text[:most] + f"... ({len(text) - most:,} characters more)"


def part(rows, wanted, name):
    """{name: the rows from `first` on, at most `most`, and how many more}"""
    first, most = wanted.get("first", 1), wanted.get("most", 5)
    chosen = rows[first - 1:first - 1 + most]
    more = max(0, len(rows) - (first - 1) - len(chosen))
    answer = {name: chosen}
    if more:
        answer[f"more_{name}"] = f"{more}; ask with first={first + len(chosen)}"
    elif first > 1 and not chosen:
        answer[f"more_{name}"] = f"there are {len(rows)} in all"
    return answer


def place(found):
    return f"{found['file']}:{found['line']}" if found.get("line") else ""


def counts_of(found):
    """What a line or a finding says of its access. Constant memory has no cost, some findings have no access."""
    return {name: found[name] for name in ("access", "unit", "cost", "ideal", "verdict") if name in found}


def line_of(found):
    """A finding of a report."""
    row = {"line": place(found), "text": short(found["text"], 200), "kind": found["kind"]}
    row.update(counts_of(found))
    row["why"] = short(found["sentence"])
    if found.get("advice"):
        row["change"] = short(found["advice"])
    if found.get("saving"):
        row["modelled_gain"] = f"{found['saving']['factor']:.2f}x"
    return {name: value for name, value in row.items() if value != ""}


def lines_of(launch, line=None):
    """Findings of a launch in the report's order, which is that of their worth, then the other lines, the costliest first."""
    findings = launch["findings"]
    explained = {(one["file"], one["line"], one.get("access")) for one in findings}
    others = [{"line": place(one), "text": short(one["text"], 200), **counts_of(one)}
              for one in sorted(launch["lines"], key=lambda one: -one.get("cost", 0))
              if (one["file"], one["line"], one["access"]) not in explained and (line is None or one["line"] == line)]
    return [line_of(one) for one in findings if line is None or one["line"] == line] + others


def counted_lines(report, line=None):
    """Lines of a report of `trace`, those that waste most first: their counts alone."""
    rows = {}
    for site in report["sites"]:
        unit = "wavefronts" if "wavefronts" in site else "sectors"
        if unit not in site or (line is not None and site["line"] != line):
            continue
        access = f"{site['space']} {site['kind']}".replace("_", " ")
        row = rows.setdefault((site["file"], site["line"], access),
                              {"line": place(site), "text": short(site["text"], 200), "access": access, "unit": unit, "cost": 0, "ideal": 0})
        row["cost"] += site[unit]
        row["ideal"] += site[f"ideal_{unit}"]
    bytes_of = {"wavefronts": 128, "sectors": 32}
    return sorted(rows.values(), key=lambda row: bytes_of[row["unit"]] * (row["ideal"] - row["cost"]))


def launch_of(launch):
    answer = {"kernel": short(launch["kernel"], 200), "grid": launch["grid"], "block": launch["block"], **launch["cost_of_all"]}
    if launch.get("times", 1) > 1:
        answer["launches"] = launch["times"]
    if launch.get("bound"):
        answer["modelled_least_microseconds"] = round(1e6 * launch["bound"]["seconds"], 3)
        answer["decided_by"] = launch["bound"]["decides"]
    return answer


def costs_of(report):
    """Sums of a report of `trace --json`."""
    names = ("requests", "sectors", "ideal_sectors", "wavefronts", "ideal_wavefronts")
    return {name: sum(one.get(name, 0) for one in report["totals"].values()) for name in names}


def traced(report):
    """What the answers on a report of `trace` begin with."""
    answer = {"kernel": short(report["kernel"], 200), "grid": report["launch"]["grid"], "block": report["launch"]["block"]}
    if report["launch"].get("shared_bytes"):
        answer["shared_bytes"] = report["launch"]["shared_bytes"]
    return answer


def said_of(found):
    kind = "question" if found.get("is_question") else found["kind"]
    return short(f"{kind}: {sentence_of(found)}")


def hazards_of(report):
    return [said_of(one) for one in report["hazards"]]


def remarks_of(report, complaint):
    """That the launch is a guess, which standard error says; questions and notes of the checks, and what was not checked."""
    guess = [short(line) for line in complaint.splitlines() if line.startswith("note: the launch")]
    return [*guess, *map(said_of, report["notes"][:5]), *map(short, report["unchecked"][:3])]
