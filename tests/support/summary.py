"""What the tests of one or more runs of CTest came to, test by test: summary.py REPORT.xml:RESULTS_FOLDER...

Method: CTest's JUnit report (--output-junit) has one entry per shard; where the shard is of a GoogleTest executable, its own
report (RESULTS_FOLDER/ENTRY.xml) has the single tests. Prints why tests were skipped, the failures with the end of what they
printed (they stand last, where a log that is cut still has them), and as the last line "N passed, N failed, N skipped". Exit
status 1 if a test failed."""

import collections
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

MOST_LINES = 40


class Summary:
    def __init__(self):
        self.passed = 0
        self.failures = []  # (name, text)
        self.skips = collections.Counter()  # reason -> tests

    def fail(self, name, text):
        self.failures.append((name, "\n".join((text or "").strip().splitlines()[-MOST_LINES:])))

    def add_shard(self, entry, results):
        """The tests of a shard's own report; False where it wrote none."""
        report = results / f"{entry}.xml"
        if not report.exists():
            return False
        name = entry.split(".")[0]
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            full = f"{name}.{case.get('classname')}.{case.get('name')}"
            if failures := case.findall("failure"):
                self.fail(full, "\n".join(one.get("message") or "" for one in failures))
            elif case.get("result") == "skipped":
                skip = case.find("skipped")
                reason = "" if skip is None else (skip.get("message") or "").strip()
                self.skips[reason.splitlines()[-1] if reason else "no reason given"] += 1
            elif case.get("status") == "run":
                self.passed += 1
        return True

    def add_ctest(self, report, results):
        if not report.exists():
            self.fail(str(report), "CTest wrote no report: it could not begin")
            return
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            entry, status = case.get("name"), case.get("status")
            bad_before = len(self.failures)
            of_shard = self.add_shard(entry, results)
            if status == "fail" and len(self.failures) == bad_before:
                # It died: the last test that it began is in what it printed.
                reason = case.find("failure")
                self.fail(entry, f"{case.findtext('system-out') or ''}\n"
                                 f"{'' if reason is None else reason.get('message') or ''}")
            elif not of_shard and status == "run":
                self.passed += 1
            elif not of_shard and status in ("notrun", "disabled"):
                words = (case.findtext("system-out") or "not installed").strip().splitlines()[-1]
                if words.startswith("Unable to find"):
                    self.fail(entry, words)
                else:
                    self.skips[words] += 1

    def show(self):
        for reason, count in self.skips.most_common():
            print(f"skipped {count}: {reason}")
        for name, text in self.failures:
            print(f"\n--- {name}\n{text}")
        if self.failures:
            print("\nfailed:", *(name for name, _ in self.failures), sep="\n  ")
        print(f"\n{self.passed} passed, {len(self.failures)} failed, {self.skips.total()} skipped")
        return 1 if self.failures else 0


if __name__ == "__main__":
    summary = Summary()
    for argument in sys.argv[1:]:
        report_file, _, results_folder = argument.partition(":")
        summary.add_ctest(pathlib.Path(report_file), pathlib.Path(results_folder))
    sys.exit(summary.show())
