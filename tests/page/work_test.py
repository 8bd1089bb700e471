"""What a student does in the page: edits that the class compiles, submissions, files that come and go, and what the page survives.

Usage: work_test.py [Work.test_NAME]. It needs what app/page build makes, Chromium, and for the class the program of this machine; exit
status 77 where they are missing. Places to click are those of a window of 1280 x 720 pixels.
"""

import contextlib
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

ROOT = page_test.ROOT
SPOKEN = "document.getElementById('spoken').textContent"
CONTROL = "document.getElementById('spoken-control').textContent"
TILED = (ROOT / "kernels/transpose_tiled.cu").read_text()
EXPORT_MENU, BANKS_OF_IT, EXPORT = (1090, 29), (868, 61), (424, 435)
FORMATS = {"svg": (415, 319), "pdf": (458, 319), "png": (503, 319), "csv": (547, 319), "json": (595, 319)}
COPY = (491, 435)
FILE_MENU, OPEN, SAVE_SESSION, SAVE_TRACE, SAVE = (47, 29), (55, 61), (80, 82), (80, 103), (419, 416)
CONTINUE = (460, 409)

PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  LOOP
  st.global.u32 [%rd3], %r1;
  ret;
}
"""


def choose_banks(browser):
    """Opens the dialog that exports the figure of banks."""
    browser.click(*EXPORT_MENU)
    browser.rest_for(0.5)
    browser.click(*BANKS_OF_IT)
    browser.rest_for(0.5)


def export_banks(browser, form):
    """Downloads the figure of banks. `form`: where its format is in the dialog."""
    choose_banks(browser)
    browser.click(*form)
    browser.click(*EXPORT)


def wait_for_file(folder, name, seconds=60, read=pathlib.Path.read_text):
    """The text, or what `read` reads, of a file that the browser downloads."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (file := pathlib.Path(folder, name)).is_file() and file.stat().st_size:
            return read(file)
        time.sleep(0.1)
    raise TimeoutError(f"no {name} in {sorted(path.name for path in pathlib.Path(folder).iterdir())}")


class WorkTest(unittest.TestCase):
    """What tests of a student's work do."""

    def open(self, browser, link):
        browser.open(link)
        page_test.wait_for_start(browser)
        browser.rest_for(3)

    def write(self, browser, text):
        """In place of all that the editor has."""
        browser.chord("e")
        browser.rest_for(1)
        browser.chord("a")
        browser.paste(text)

    def spoken(self, browser, words, seconds=90):
        """Until a screen reader is told the words; returns all of it."""
        browser.wait_for(f"{SPOKEN}.includes({json.dumps(words)})", seconds)
        return browser.evaluate(SPOKEN)

    def reach(self, browser, words, key="Tab", presses=100):
        """Moves the focus with the key until a screen reader is told a control of these words; returns what it is told."""
        for _ in range(presses):
            if words in (told := browser.evaluate(CONTROL)):
                return told
            browser.press(key, key, {"Tab": 9, "F6": 117}[key])
            browser.rest_for(0.15)
        raise AssertionError(f"{key} comes to no control of the words '{words}'; the last one is '{told}'")

    def press_control(self, browser, words):
        self.reach(browser, words)
        browser.press("Enter", "Enter", 13)
        browser.rest_for(0.5)

    def silent(self, browser, words, seconds=90):
        browser.wait_for(f"!{SPOKEN}.includes({json.dumps(words)})", seconds)


class Work(WorkTest):
    def test_the_class_compiles_an_edit_and_a_mistake_is_told_at_its_line(self):
        with page_test.Served("127.0.0.1", "--class", "--word", "tiles") as link, chromium.Browser() as browser:
            self.open(browser, link + "&one-thread#lesson=transpose&kernel=tiled")
            self.write(browser, TILED.replace("__syncthreads();", "", 1))
            self.assertIn("transpose_tiled.cu", self.spoken(browser, "no barrier is between them"))
            browser.chord("a")
            browser.paste(TILED.replace("const int row", "const int row row", 1))
            line = TILED[:TILED.index("const int row")].count("\n") + 1
            self.assertIn("requires an initializer", self.spoken(browser, f"transpose_tiled.cu({line})"))
            browser.chord("a")
            browser.paste("// own\n" + TILED)
            self.silent(browser, f"transpose_tiled.cu({line})")
            self.silent(browser, "no barrier is between them")
            self.assertIn(link.partition("?")[0] + "compile", browser.requests)
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_without_a_class_an_edit_says_what_to_open_and_ptx_still_works(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose&kernel=tiled")
            self.write(browser, "// own\n" + TILED)
            self.spoken(browser, "open the link of a class")
            browser.drop("fill.ptx", PTX.replace("  LOOP\n", ""))
            browser.wait_for("document.title.startsWith('fill.ptx')", 60)
            self.silent(browser, "open the link of a class")
            self.spoken(browser, "fill.ptx · fill")

    def test_figures_and_sessions_are_downloads_and_a_session_comes_back(self):
        with page_test.Served() as link, chromium.Browser() as browser, tempfile.TemporaryDirectory() as folder:
            browser.save_downloads_in(folder)
            self.open(browser, link + "?one-thread#lesson=transpose&kernel=tiled&padding=1")
            for ending, form in FORMATS.items():
                export_banks(browser, form)
                content = wait_for_file(folder, f"transpose-padded-banks.{ending}", read=pathlib.Path.read_bytes)
                self.assertIn({"svg": b"<svg", "pdf": b"%PDF-1.4", "png": b"PNG", "csv": b"bank", "json": b"{"}[ending], content)
                browser.rest_for(0.5)
            browser.click(*FILE_MENU)
            browser.rest_for(0.5)
            browser.click(*SAVE_SESSION)
            browser.rest_for(0.5)
            browser.click(*SAVE)
            session = wait_for_file(folder, "transpose.lanescope")
            browser.evaluate("location.hash = 'lesson=reduction'")
            browser.wait_for("document.title.startsWith('Reduction')", 60)
            browser.drop("mine.lanescope", session)
            browser.wait_for("document.title.startsWith('Matrix transpose')", 60)
            self.assertIn("Padding 1", self.spoken(browser, "Padding 1"))

    def copy_banks(self, browser):
        choose_banks(browser)
        browser.click(*COPY)
        browser.rest_for(2)

    def test_a_figure_is_copied_as_a_picture_where_the_browser_takes_one(self):
        found = "navigator.clipboard.read().then((all) => all[0]?.getType('image/png')).then((one) => one?.size || 0, () => 0)"
        with page_test.Served() as link, chromium.Browser() as browser:
            browser.grant("clipboardReadWrite", "clipboardSanitizedWrite")
            self.open(browser, link + "?one-thread#lesson=transpose&kernel=tiled&padding=1")
            self.copy_banks(browser)
            self.assertGreater(browser.evaluate(found), 10000)
            self.assertEqual(page_test.wrong_lines(browser), [])
        with page_test.Served(page_test.own_address()) as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose&kernel=tiled&padding=1")
            before = page_test.picture_of(browser)
            self.copy_banks(browser)
            self.assertNotEqual(page_test.picture_of(browser), before, "nothing is said")
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_a_trace_is_a_download_with_all_that_the_program_saves(self):
        def contents(file):
            with contextlib.closing(sqlite3.connect(file)) as database:
                names = sorted(name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
                return {name: database.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in names}

        settings = ["kernel=tiled", "size=128", "padding=1"]
        with page_test.Served() as link, chromium.Browser() as browser, tempfile.TemporaryDirectory() as folder:
            browser.save_downloads_in(folder)
            self.open(browser, link + "?one-thread#lesson=transpose&" + "&".join(settings))
            self.assertEqual([one for one in browser.requests if "sqlite" in one], [])
            browser.click(*FILE_MENU)
            browser.rest_for(0.5)
            browser.click(*SAVE_TRACE)
            browser.rest_for(0.5)
            browser.click(*SAVE)
            from_page = wait_for_file(folder, "transpose.lane", read=contents)
            own = pathlib.Path(folder, "own.lane")
            subprocess.run([ROOT / "build/lanescope", "trace", "--lesson", "transpose", *(word for one in settings for word in ("--set", one)),
                            "--save", own], check=True, capture_output=True)
            from_program = contents(own)
            self.assertEqual(len(from_page["accesses"]), 16 * 8 * 16)  # blocks, warps, accesses of each
            self.assertEqual(from_page, from_program)
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_a_file_is_chosen_in_the_dialog_of_the_browser(self):
        with page_test.Served() as link, chromium.Browser() as browser, tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "chosen.ptx")
            file.write_text(PTX.replace("  LOOP\n", ""))
            browser.catch_file_dialogs()
            self.open(browser, link + "?one-thread#lesson=transpose")
            browser.click(*FILE_MENU)
            browser.rest_for(0.5)
            browser.click(*OPEN)
            browser.choose(file)
            browser.wait_for("document.title.startsWith('chosen.ptx')", 60)

    def test_what_was_typed_is_offered_after_a_reload(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose&kernel=tiled")
            self.write(browser, "// own\n" + TILED)
            self.spoken(browser, "open the link of a class")
            browser.rest_for(5)
            self.open(browser, link + "?one-thread")
            self.silent(browser, "open the link of a class")
            browser.click(*CONTINUE)
            self.spoken(browser, "open the link of a class")

    def test_a_kernel_that_does_not_end_is_ended_and_the_page_goes_on(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose")
            browser.drop("endless.ptx", PTX.replace("  LOOP\n", "again:\n  bra again;\n"))
            self.spoken(browser, "endless.ptx", 300)
            browser.drop("fill.ptx", PTX.replace("  LOOP\n", ""))
            browser.wait_for("document.title.startsWith('fill.ptx')", 60)


if __name__ == "__main__":
    page_test.run_tests()
