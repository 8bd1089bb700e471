"""app/docs/formats.md: its tables name the fields that the program writes, and no others. Usage: formats_test.py BUILD_FOLDER"""

import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() / "lanescope"
PAGE = (ROOT / "app/docs/formats.md").read_text(encoding="utf-8")


def rows_below(heading, page=PAGE):
    """The cells of the table that begins with this line."""
    lines = page.partition(heading + "\n")[2].splitlines()[1:]
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def names_in(cell):
    return re.findall(r"`([\w.]+)`", cell)


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="lanescope-formats-")
        cls.folder = pathlib.Path(cls.holder.name)
        cls.addClassCleanup(cls.holder.cleanup)

    def lanescope(self, *words):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_trace_has_the_fields_that_the_page_names(self):
        report = json.loads(self.lanescope("trace", "--lesson", "transpose", "--set", "size=64", "--json"))
        named = [name for cells in rows_below("| field of `trace` | content |") for name in names_in(cells[0])]
        self.assertEqual(sorted(named), sorted(report))
        self.assertEqual(sorted(report["seconds"]), ["compile", "model", "run"])
        self.assertEqual(sorted(report["launch"]), ["block", "grid", "shared_bytes"])
        content = {name: cells[1] for cells in rows_below("| field of `trace` | content |") for name in names_in(cells[0])}
        for kind, fields in (("global_load", "requests lanes bytes sectors ideal_sectors lines"),
                             ("shared_store", "requests lanes bytes wavefronts ideal_wavefronts")):
            self.assertEqual(sorted(report["totals"][kind]), sorted(fields.split()))
            self.assertLessEqual(set(fields.split()), set(names_in(content["totals"])))
        self.assertLessEqual(set(names_in(content["sites"])) - {"depends_on_order", "depends_on_warp_order"}, set(report["sites"][0]))

    def test_other_reports_have_the_fields_that_the_page_names(self):
        cells = {names_in(row[0])[0]: names_in(row[1]) for row in rows_below("| verb | fields besides `lanescope` |")}
        solution = ROOT / "assets/lessons/transpose/exercises/tiled/solution.cu"
        for verb, words, may_be_more in (
                ("layout", ("(8,64):(64,1)", "--access", "ldmatrix.x4"), False),
                ("check", ("transpose/tiled", solution), False),
                ("kernels", (solution,), False),
                ("model", ("--lesson", "transpose", "--set", "size=64", "--device", "gt200"), True)):
            with self.subTest(verb):
                report = set(json.loads(self.lanescope(verb, *words, "--json"))) - {"lanescope"}
                named = [name for name in cells[verb]
                         if name not in ("name", "entry", "parameters", "static_shared_bytes", "launches", "refused", "submissions", "students")]
                self.assertLessEqual(set(named), report)
                if not may_be_more:
                    self.assertEqual(sorted(named), sorted(report))

    def test_a_report_has_the_fields_that_the_page_names(self):
        self.lanescope("report", "--lesson", "transpose", "--set", "size=64", "--set", "kernel=naive", "-o", "report.json")
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        rows = rows_below("| field of `report` | content |")
        self.assertEqual(sorted(name for cells in rows for name in names_in(cells[0])), sorted(report))
        content = {names_in(cells[0])[0]: names_in(cells[1]) for cells in rows}
        self.assertLessEqual(set(report["kernels"][0]), set(content["kernels"]))
        self.assertLessEqual(set(report["launches"][0]), set(content["launches"]))
        fields = PAGE.partition("A line has ")[2].partition("\n\n")[0].partition("A finding has ")
        self.assertLessEqual(set(report["launches"][0]["lines"][0]), set(names_in(fields[0])))
        self.assertLessEqual(set(report["launches"][0]["findings"][0]), set(names_in(fields[2])))

    def test_a_figure_has_the_fields_that_the_page_names(self):
        self.lanescope("plot", "--lesson", "transpose", "--set", "size=64", "--figure", "banks", "-o", "banks.json")
        named = PAGE.partition("## Figures\n")[2].partition("\n\n")[0].partition(" writes ")[2].partition(". `.csv`")[0]
        self.assertEqual(sorted(names_in(named)), sorted(set(json.loads((self.folder / "banks.json").read_text())) - {"lanescope"}))

    def test_a_trace_has_the_tables_that_the_page_names(self):
        self.lanescope("trace", "--lesson", "transpose", "--set", "size=64", "--save", "x.lane")
        database = sqlite3.connect(f"file:{self.folder / 'x.lane'}?mode=ro", uri=True)
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.assertEqual(sorted(name for cells in rows_below("| table | a row is |") for name in names_in(cells[0])), sorted(tables))
        self.assertIn(f"(`PRAGMA user_version` is {database.execute('PRAGMA user_version').fetchone()[0]})", PAGE)
        query = re.search(r"^    (SELECT .*)$", PAGE, re.MULTILINE)[1]
        waste = database.execute(query).fetchall()
        # The kernel of this lesson reads and writes rows: no line of it wastes a sector.
        self.assertEqual([row[2] for row in waste], [0] * len(waste))
        self.assertTrue(waste)
        database.close()

    def test_a_sweep_has_the_tables_and_columns_that_its_page_names(self):
        page = (ROOT / "app/docs/sweeps.md").read_text(encoding="utf-8")
        named = {names_in(cells[0])[0]: set(names_in(cells[1])) for cells in rows_below("| table | columns |", page)}
        self.lanescope("sweep", "--lesson", "transpose", "--set", "size=64", "-o", "x.sqlite")
        database = sqlite3.connect(f"file:{self.folder / 'x.sqlite'}?mode=ro", uri=True)
        self.addCleanup(database.close)
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.assertEqual(sorted(named), sorted(tables))
        columns = {table: {row[1] for row in database.execute(f"PRAGMA table_info({table})")} for table in tables}
        counts = columns["combinations"] & columns["totals"]  # of which the page says that they are in both
        for table in tables:
            with self.subTest(table):
                self.assertLessEqual(columns[table] - (counts if table == "totals" else set()), named[table])
        self.assertEqual(columns["combinations"], named["combinations"])
        self.assertEqual({row[0] for row in database.execute("SELECT key FROM sweep")}, named["sweep"] - {"key", "value"})
        self.assertEqual(database.execute("PRAGMA user_version").fetchone()[0], 1)
        self.assertIn("`PRAGMA user_version` the version of the tables, 1.", page)


if __name__ == "__main__":
    unittest.main()
