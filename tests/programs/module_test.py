"""The Python module `lanescope` (app/python/lanescope): what it takes from the driver, the table of a cell's launches,
%%lanescope. The driver, IPython and `lanescope plot` are stood in for; tests/programs/clients runs the real ones."""

import base64
import contextlib
import ctypes
import io
import json
import os
import pathlib
import stat
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app/python"))
import lanescope  # noqa: E402
from lanescope import figures, magic, program, report  # noqa: E402


def launch(kernel="transpose", **changes):
    return {"number": 0, "kernel": kernel, "entry": "_Z9transpose", "grid": [64, 64, 1], "block": [32, 32, 1],
            "dynamic_shared_bytes": 0, "emulated_seconds": 0.0125, "requests": 262144, "sectors": 65536,
            "ideal_sectors": 65536, "wavefronts": 0, "ideal_wavefronts": 0, "warp_instructions": 9, "checked": True,
            "findings": [], **changes}


class FakeDriver:
    """Lanescope's libcuda.so.1: gives each list of launches once."""

    def __init__(self):
        self.waiting, self.texts, self.is_gone = [], {}, False

        def launches():
            if self.is_gone:
                return None
            text = ctypes.create_string_buffer(json.dumps(self.waiting).encode() if self.waiting else b"")
            self.waiting = []
            self.texts[ctypes.addressof(text)] = text
            return ctypes.addressof(text)

        def free(address):
            del self.texts[address]

        self.lanescopeLaunches, self.lanescopeFree = launches, free


class Hosted(unittest.TestCase):
    """As under `lanescope run`."""

    def setUp(self):
        self.driver = FakeDriver()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(ctypes, "CDLL", lambda name: self.driver))
        self.enterContext(mock.patch.object(program, "latest", program.Latest()))
        self.enterContext(mock.patch.dict(os.environ, {"LANESCOPE_DRIVER_SOCKET": "/nowhere",
                                                       "LANESCOPE_PROGRAM": str(self.folder / "lanescope")}))

    def make_program(self, script):
        """A program in the place of lanescope."""
        path = self.folder / "lanescope"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def kept_launch(self, **changes):
        return launch(path=str(self.folder / "0000-transpose.lane"), **changes)


class Program(Hosted):
    def test_last_gives_the_new_launches_and_else_the_same_again(self):
        self.driver.waiting = [launch("a"), launch("b")]
        self.assertEqual([record["kernel"] for record in lanescope.last()], ["a", "b"])
        self.assertEqual([record["kernel"] for record in lanescope.last()], ["a", "b"])
        self.driver.waiting = [launch("c")]
        self.assertEqual([record["kernel"] for record in lanescope.last()], ["c"])
        self.assertEqual(self.driver.texts, {}, "the driver's texts are given back")

    def test_a_record_that_is_changed_stays_as_it_was(self):
        self.driver.waiting = [launch("a")]
        lanescope.last()[0]["kernel"] = "changed"
        self.assertEqual(lanescope.last()[0]["kernel"], "a")

    def test_a_run_that_has_ended_is_said(self):
        self.driver.is_gone = True
        with self.assertRaisesRegex(lanescope.LanescopeError, "has ended"):
            lanescope.last()

    def test_a_driver_of_nvidia_is_said(self):
        with mock.patch.object(ctypes, "CDLL", lambda name: object()):
            with self.assertRaisesRegex(lanescope.LanescopeError, "not Lanescope's"):
                lanescope.last()

    def test_outside_of_a_run_each_function_says_what_to_do(self):
        del os.environ["LANESCOPE_DRIVER_SOCKET"]
        for function in (lanescope.last, lanescope.open):
            with self.subTest(function.__name__), self.assertRaisesRegex(lanescope.LanescopeError, "lanescope run -- jupyter lab"):
                function()

    def opened(self):
        """What the program in the place of lanescope is called with."""
        self.make_program(f'echo "$*" "$LANESCOPE_DRIVER_SOCKET" > {self.folder}/said\n')
        with mock.patch.dict(os.environ, {"DISPLAY": ":1"}):
            lanescope.open()
        return (self.folder / "said").read_text().split()

    def test_the_window_opens_on_the_folder_of_the_run(self):
        self.driver.waiting = [self.kept_launch(), launch("not_kept")]
        self.assertEqual(self.opened(), ["open", str(self.folder)], "without this run's driver")

    def test_the_folder_stays_known_when_later_launches_are_not_kept(self):
        self.driver.waiting = [self.kept_launch()]
        lanescope.last()
        self.driver.waiting = [launch()]
        self.assertEqual(self.opened(), ["open", str(self.folder)])

    def test_a_window_that_does_not_open_says_why(self):
        self.driver.waiting = [self.kept_launch()]
        self.make_program("echo no OpenGL >&2; exit 1\n")
        with mock.patch.dict(os.environ, {"DISPLAY": ":1"}):
            with self.assertRaisesRegex(lanescope.LanescopeError, "no OpenGL"):
                lanescope.open()

    def test_the_window_needs_kept_launches_and_a_display(self):
        self.driver.waiting = [launch()]
        with self.assertRaisesRegex(lanescope.LanescopeError, "--save"):
            lanescope.open()
        self.driver.waiting = [self.kept_launch()]
        with mock.patch.dict(os.environ, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}):
            with self.assertRaisesRegex(lanescope.LanescopeError, "no display"):
                lanescope.open()

    def test_lanescope_itself_does_not_run_on_the_stand_in(self):
        libraries, links = f"{self.folder}/lib/lanescope/driver", f"{self.folder}/lanescope-libraries.1"
        changed = {"LD_LIBRARY_PATH": f"{libraries}/forward:{links}:/opt/mine", "PATH": f"{libraries}/tools:/usr/bin",
                   "LANESCOPE_LIBRARIES": f"{libraries}:{links}", "LANESCOPE_FORWARD_SOCKET": "/nowhere"}
        with mock.patch.dict(os.environ, changed):
            environment = program.outer_environment()
        self.assertEqual(environment["LD_LIBRARY_PATH"], "/opt/mine")
        self.assertNotIn("LANESCOPE_FORWARD_SOCKET", environment)
        self.assertEqual(environment["PATH"], "/usr/bin")


class Report(unittest.TestCase):
    def test_launches_of_one_kernel_and_shape_are_a_row(self):
        rows = report.rows_of([launch(), launch("copy"), launch(), launch(grid=[1, 1, 1])])
        self.assertEqual([(row.kernel, row.shape, len(row.records)) for row in rows],
                         [("transpose", "64 x 64 blocks of 32 x 32", 2), ("copy", "64 x 64 blocks of 32 x 32", 1),
                          ("transpose", "1 block of 32 x 32", 1)])

    def test_costs_are_those_of_a_launch_against_the_ideal(self):
        row = report.rows_of([launch(sectors=524288, ideal_sectors=65536)] * 3)[0]
        self.assertEqual(row.sectors.text(), "524,288 (8.0x ideal)")
        self.assertEqual(row.wavefronts.text(), "-")
        self.assertEqual(report.rows_of([launch(wavefronts=64, ideal_wavefronts=64)])[0].wavefronts.text(), "64 (ideal)")

    def test_launches_of_different_cost_are_rows_of_their_own(self):
        rows = report.rows_of([launch(sectors=10, ideal_sectors=10), launch(sectors=40, ideal_sectors=10)] * 2)
        self.assertEqual([(row.sectors.text(), len(row.records)) for row in rows], [("10 (ideal)", 2), ("40 (4.0x ideal)", 2)])

    def test_many_different_costs_are_a_range(self):
        rows = report.rows_of([launch(sectors=10 * n, ideal_sectors=10) for n in range(1, 6)])
        self.assertEqual([row.sectors.text() for row in rows], ["10 to 50 (3.0x ideal)"])

    def test_a_finding_is_said_once_and_an_unchecked_launch_is_not_clean(self):
        rows = report.rows_of([launch(findings=["a.py:7: race"]), launch(checked=False), launch(error="a.py:7: race")])
        self.assertEqual(len(rows), 1)
        self.assertEqual(rows[0].hazards(), "1 found")
        self.assertEqual(report.findings_of(rows, str), ["transpose: a.py:7: race"])
        self.assertEqual(report.rows_of([launch()])[0].hazards(), "none")
        self.assertEqual(report.rows_of([launch(checked=False)])[0].hazards(), "not checked")

    def test_many_findings_are_cut(self):
        rows = report.rows_of([launch(findings=[f"a.py:{n}: race" for n in range(30)])])
        self.assertEqual(report.findings_of(rows, str)[-1], "and 20 more")
        self.assertEqual(len(report.findings_of(rows, str)), 11)

    def test_html_shows_names_as_they_are(self):
        rows = report.rows_of([launch("f<float>", sectors=2, ideal_sectors=1)])
        text = report.as_html(rows, ["f<float>: a & b"], [], ["<note>"])
        for expected in ("f&lt;float&gt;", "2 (2.0x ideal)", "a &amp; b", "&lt;note&gt;"):
            self.assertIn(expected, text)
        self.assertIn("2 (2.0x ideal)", report.as_text(rows, [], []))


class Figures(Hosted):
    def test_the_most_expensive_memory_is_drawn(self):
        def chosen(**costs):
            return figures.telling_figure(report.rows_of([launch(**costs)])[0])
        self.assertEqual(chosen(wavefronts=64, ideal_wavefronts=2), "banks")
        self.assertEqual(chosen(sectors=80, ideal_sectors=10), "sectors")
        self.assertEqual(chosen(sectors=80, ideal_sectors=10, wavefronts=4, ideal_wavefronts=2), "sectors")
        self.assertEqual(chosen(wavefronts=4, ideal_wavefronts=4), "banks")
        self.assertEqual(chosen(), "sectors")

    def test_a_figure_is_drawn_though_the_kernel_has_hazards(self):
        self.make_program('while [ "$1" != -o ]; do shift; done\necho "<svg><title>A &amp; B</title><desc>what</desc></svg>" > "$2"\nexit 1\n')
        svg = figures.draw("run.lane", "banks")
        shown = figures.element("k<int>", svg)
        self.assertIn("<b>k&lt;int&gt;</b> A &amp; B", shown)
        self.assertIn('alt="what"', shown)
        self.assertIn(base64.b64encode(svg.encode()).decode(), shown)

    def test_what_cannot_be_drawn_says_why(self):
        self.make_program("echo there is no shared access >&2; exit 1\n")
        with self.assertRaisesRegex(lanescope.LanescopeError, "there is no shared access"):
            figures.draw("run.lane", "banks")
        (self.folder / "lanescope").unlink()
        with self.assertRaisesRegex(lanescope.LanescopeError, "gave no answer"):
            figures.draw("run.lane", "banks")


class FakeShell:
    """Runs cells as IPython does, and shows errors in its `shown`."""

    def __init__(self, driver):
        self.driver, self.ran, self.shown, self.magics = driver, [], [], {}
        self.kernel = None  # of Jupyter
        self.execution_count, self.user_ns = 8, {"In": [""] * 8}  # cell 7 is running
        self.compile = types.SimpleNamespace(
            format_code_name=lambda name: ("Cell", "In[7]") if name == "/tmp/ipykernel_1/22.py" else None)

    def register_magic_function(self, function, kind):
        self.magics[kind, function.__name__] = function

    def _showtraceback(self, error):
        self.shown.append(error)

    def run_cell(self, text):
        self.ran.append(text)
        self.number = self.execution_count
        result = types.SimpleNamespace(error_before_exec=None, error_in_exec=None)
        try:
            exec(text, {"launch": self.driver.waiting.append})
        except Exception as error:
            self._showtraceback(error)
            result.error_in_exec = error
        return result


class UsageError(Exception):
    pass


class Magic(Hosted):
    def setUp(self):
        super().setUp()
        self.displayed = []
        modules = {"IPython": types.ModuleType("IPython"), "IPython.core": types.ModuleType("IPython.core"),
                   "IPython.display": types.SimpleNamespace(display=lambda bundle, raw: self.displayed.append(bundle)),
                   "IPython.core.error": types.SimpleNamespace(UsageError=UsageError)}
        self.enterContext(mock.patch.dict(sys.modules, modules))
        self.shell = FakeShell(self.driver)
        lanescope.load_ipython_extension(self.shell)

    def run_cell(self, cell, line=""):
        """What was displayed as HTML, and printed."""
        self.displayed.clear()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.shell.magics["cell", "lanescope"](line, cell)
        return "".join(bundle["text/html"] for bundle in self.displayed), printed.getvalue()

    def test_a_cell_shows_its_own_launches(self):
        self.driver.waiting = [launch("earlier")]
        shown, _ = self.run_cell(f"launch({launch('mine', sectors=80, ideal_sectors=10)!r})")
        self.assertIn("mine", shown)
        self.assertIn("80 (8.0x ideal)", shown)
        self.assertNotIn("earlier", shown)
        self.assertIn("--save", shown)
        self.assertEqual([record["kernel"] for record in lanescope.last()], ["mine"])

    def test_a_cell_without_launches_says_so(self):
        self.assertEqual(self.run_cell("x = 1"), ("", "lanescope: this cell launched no kernel\n"))

    def test_lines_are_those_that_the_person_sees(self):
        self.run_cell("a = 1\nb = 2\n")
        self.assertEqual(self.shell.ran[0].splitlines()[1:], ["a = 1", "b = 2"])
        self.assertEqual((self.shell.number, self.shell.execution_count), (7, 8))
        record = launch(findings=["/tmp/ipykernel_1/22.py:3: a data race", "/other.py:4: another"])
        shown, _ = self.run_cell(f"launch({record!r})")
        self.assertIn("transpose: In[7], line 3: a data race", shown)
        self.assertIn("transpose: /other.py:4: another", shown)

    def test_an_error_of_the_cell_comes_after_its_table_and_once(self):
        with self.assertRaises(ZeroDivisionError):
            self.run_cell(f"launch({launch('mine')!r})\n1 / 0")
        self.assertEqual(self.shell.shown, [])
        self.assertIn("mine", self.displayed[0]["text/html"])
        self.shell.run_cell("1 / 0")
        self.assertEqual(len(self.shell.shown), 1, "IPython shows errors as before")

    def test_figures_are_drawn_of_what_was_kept(self):
        self.make_program('f=$4\nwhile [ "$1" != -o ]; do shift; done\necho "<svg><title>$f</title></svg>" > "$2"\n')
        one, two = self.kept_launch(wavefronts=64, ideal_wavefronts=2), launch("not_kept")
        cell = f"launch({one!r}); launch({two!r})"
        shown, _ = self.run_cell(cell)
        self.assertEqual((shown.count("<img"), shown.count("</b> banks<")), (1, 1))
        self.assertIn(f"lanescope open {self.folder}", shown)
        shown, _ = self.run_cell(cell, "--figure timeline --figure totals")
        self.assertEqual((shown.count("<img"), shown.count("</b> timeline<")), (2, 1))
        self.assertEqual(self.run_cell(cell, "--figure none")[0].count("<img"), 0)

    def test_a_terminal_gets_no_figures(self):
        self.make_program("exit 1\n")
        del self.shell.kernel
        shown, _ = self.run_cell(f"launch({self.kept_launch()!r})")
        self.assertNotIn("no figure", shown)
        self.assertIn("transpose", self.displayed[0]["text/plain"])

    def test_no_more_than_a_few_figures_are_drawn(self):
        self.make_program('while [ "$1" != -o ]; do shift; done\necho "<svg></svg>" > "$2"\n')
        shown, _ = self.run_cell("\n".join(f"launch({self.kept_launch(kernel=f'k{n}')!r})" for n in range(9)))
        self.assertEqual(shown.count("<img"), figures.MOST_FIGURES)
        self.assertIn("5 more figures", shown)

    def test_a_launch_that_was_stopped_has_no_figure(self):
        self.make_program("exit 1\n")
        shown, _ = self.run_cell(f"launch({self.kept_launch(error='a.py:3: beyond its end')!r})")
        self.assertIn("a.py:3: beyond its end", shown)
        self.assertNotIn("no figure", shown)

    def test_a_figure_that_fails_leaves_the_table(self):
        self.make_program("echo no such access >&2; exit 1\n")
        shown, _ = self.run_cell(f"launch({self.kept_launch()!r})")
        self.assertIn("<table", shown)
        self.assertIn("no such access", shown)

    def test_wrong_options_name_the_right_ones(self):
        with self.assertRaisesRegex(UsageError, "banks"):
            self.run_cell("1", "--figure bars")
        self.assertEqual(self.shell.ran, [])
        self.assertIn("--figure", self.run_cell("1", "--help")[1])

    def test_outside_of_a_run_the_cell_runs_and_says_what_to_do(self):
        del os.environ["LANESCOPE_DRIVER_SOCKET"]
        shown, printed = self.run_cell("x = 1")
        self.assertEqual(shown, "")
        self.assertEqual(len(self.shell.ran), 1)
        self.assertRegex(printed, r"\Alanescope: .*lanescope run -- jupyter lab.*\n\Z")


if __name__ == "__main__":
    unittest.main()
