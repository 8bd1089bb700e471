"""Prints the end of what each failed test of CTest's JUnit reports printed: show_failures.py REPORT.xml...

A run prints thousands of lines; whoever looks at its end alone sees here what went wrong."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

MOST_LINES = 40


def show(report: pathlib.Path) -> None:
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.get("status") != "fail":
            continue
        failure = case.find("failure")
        reason = "" if failure is None else failure.get("message") or ""
        lines = (case.findtext("system-out") or "").splitlines()
        print(f"\n--- {case.get('name')} ({report.stem}): {reason}")
        print("\n".join(lines[-MOST_LINES:]))


for name in sys.argv[1:]:
    if pathlib.Path(name).exists():
        show(pathlib.Path(name))
