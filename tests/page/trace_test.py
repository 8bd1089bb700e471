"""Saved traces (.lane) in the page: dropped or chosen, with and without threads, damaged and hostile ones, and kept or not.

Usage: trace_test.py [Trace.test_NAME]. It needs what work_test.py needs; exit status 77 where that is missing.
"""

import contextlib
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test
import work_test

ROOT = page_test.ROOT
PROGRAM = ROOT / "build/lanescope"
OPENED = "document.title.startsWith('%s')"
# As if the browser had so many bytes for each program.
FULL_ABOVE = """{ const grow = WebAssembly.Memory.prototype.grow; WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + 65536 * Number(pages) > %d) throw new RangeError("memory is full"); return grow.call(this, pages); }; }"""
# The memory that threads share has at most so many bytes.
SHARED_FULL_ABOVE = """{ const Own = WebAssembly.Memory; WebAssembly.Memory = function (given) {
  return new Own(given.shared ? {...given, maximum: %d / 65536} : given); }; WebAssembly.Memory.prototype = Own.prototype; }"""
LARGE_LAUNCH = """file = "fill.ptx"
[buffers]
out = "i32[200000000]:zeros"
[[launch]]
kernel = "fill"
grid = 1
block = 32
arguments = ["out"]
"""
STEP = "document.getElementById('spoken-step').textContent"


def saved_trace(file, lesson="transpose", *settings):
    """The trace of a lesson as the program of this machine saves it; its bytes are returned too."""
    subprocess.run([PROGRAM, "trace", "--lesson", lesson, *(word for one in settings for word in ("--set", one)), "--save", file],
                   check=True, capture_output=True)
    return pathlib.Path(file).read_bytes()


def changed(file, *statements):
    """The file after the statements, as bytes."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return pathlib.Path(file).read_bytes()


class Trace(work_test.WorkTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "padded.lane"
        self.bytes = saved_trace(self.file, "transpose", "kernel=tiled", "size=128", "padding=1")

    def opens(self, browser, name="padded.lane"):
        """Until the trace is open and its first access is told."""
        browser.wait_for(OPENED % name, 60)
        browser.wait_for(f"{STEP}.startsWith('access 1, LD g: load of 4 bytes from global memory')", 60)

    def choose(self, browser, file):
        """In the dialog of the browser."""
        browser.catch_file_dialogs()
        browser.click(*work_test.FILE_MENU)
        browser.rest_for(0.5)
        browser.click(*work_test.OPEN)
        browser.choose(file)

    def test_a_dropped_trace_is_drawn_as_the_program_draws_it(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            browser.save_downloads_in(self.folder)
            self.open(browser, link + "?one-thread#lesson=reduction&device=h200")
            browser.drop("padded.lane", self.bytes)
            self.opens(browser)
            browser.press("ArrowRight", "ArrowRight", 39)
            browser.wait_for(f"{STEP}.startsWith('access 2, ST s')")
            work_test.export_banks(browser, work_test.FORMATS["csv"])
            from_page = work_test.wait_for_file(self.folder, "transpose_tiled-banks.csv")
            own = self.folder / "own.csv"
            subprocess.run([PROGRAM, "plot", self.file, "--figure", "banks", "--access", "1", "--device", "h200", "-o", own], check=True,
                           capture_output=True)
            self.assertEqual(*([line for line in text.splitlines() if not line.startswith("#")] for text in (from_page, own.read_text())))
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_a_trace_is_chosen_in_the_dialog_and_there_after_a_reload(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=reduction")
            self.choose(browser, self.file)
            self.opens(browser)
            browser.rest_for(5)
            self.open(browser, link + "?one-thread")
            self.opens(browser)
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_a_large_trace_is_opened_and_not_kept(self):
        large = self.folder / "large.lane"
        self.assertGreater(len(saved_trace(large, "matrix_product")), 30e6)
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=reduction")
            self.choose(browser, large)
            self.opens(browser, "large.lane")
            browser.rest_for(5)
            self.open(browser, link + "?one-thread")
            self.assertFalse(browser.evaluate(OPENED % "large.lane"))

    def save(self, browser):
        browser.click(*work_test.FILE_MENU)
        browser.rest_for(0.5)
        browser.click(*work_test.SAVE_TRACE)
        browser.rest_for(0.5)
        browser.click(*work_test.SAVE)

    def test_a_trace_above_32_mib_is_a_download_of_a_run_and_of_a_file(self):
        size_of = lambda file: file.stat().st_size
        with page_test.Served() as link, chromium.Browser() as browser:
            browser.save_downloads_in(self.folder)
            self.open(browser, link + "?one-thread#lesson=transpose&kernel=tiled&size=4096")
            browser.wait_for(f"{STEP}.startsWith('access 1')", 120)
            self.save(browser)
            size = work_test.wait_for_file(self.folder, "transpose.lane", 240, size_of)
            self.assertGreater(size, 32 << 20)
            (self.folder / "transpose.lane").rename(self.folder / "whole.lane")
            self.choose(browser, self.folder / "whole.lane")
            self.opens(browser, "whole.lane")
            (self.folder / "whole.lane").rename(self.folder / "before.lane")
            self.save(browser)
            work_test.wait_for_file(self.folder, "whole.lane", 120, size_of)
            self.assertEqual((self.folder / "whole.lane").read_bytes(), (self.folder / "before.lane").read_bytes())
            self.assertEqual(page_test.wrong_lines(browser), [])

    def is_full_and_goes_on(self, query, limits, size=0):
        """`size`: bytes that the trace has at least; what is behind its end is of no meaning."""
        large = self.folder / "large.lane"
        saved_trace(large, "matrix_product")
        os.truncate(large, max(size, large.stat().st_size))
        with page_test.Served() as link, chromium.Browser() as browser:
            browser.send("Page.addScriptToEvaluateOnNewDocument", source=limits)
            self.open(browser, link + query + "#lesson=reduction")
            self.assertEqual(browser.evaluate("Module.hasThreads"), not query)
            self.choose(browser, large)
            self.assertIn("large.lane", self.spoken(browser, "memory"))
            browser.drop("padded.lane", self.bytes)
            self.opens(browser)
            # A launch that needs more than there is.
            browser.drop("fill.ptx", work_test.PTX.replace("  LOOP\n", ""))
            browser.wait_for("document.title.startsWith('fill.ptx')", 60)
            browser.drop("large.toml", LARGE_LAUNCH)
            self.spoken(browser, "memory")
            browser.drop("padded.lane", self.bytes)
            self.opens(browser)

    def test_memory_that_is_full_for_a_trace_or_a_launch_is_a_sentence_and_the_page_goes_on(self):
        self.is_full_and_goes_on("?one-thread", FULL_ABOVE % (20 << 20))

    def test_memory_that_is_full_is_a_sentence_with_threads_too(self):
        if not page_test.has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        self.is_full_and_goes_on("", SHARED_FULL_ABOVE % (192 << 20), 200 << 20)

    def test_a_page_with_threads_opens_a_trace(self):
        if not page_test.has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "#lesson=reduction")
            self.assertTrue(browser.evaluate("Module.hasThreads"))
            browser.drop("broken.lane", self.bytes[:9000])
            self.spoken(browser, "broken.lane")
            browser.drop("padded.lane", self.bytes)
            self.opens(browser)
            browser.evaluate("void (Module.sqlite._sqlite3_step = () => { throw new Error('the thread that draws reads a trace'); })")
            browser.drop("again.lane", self.bytes)
            self.opens(browser, "again.lane")
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_damaged_and_hostile_traces_are_sentences_and_the_page_goes_on(self):
        wrong = {
            "empty.lane": (b"", "a trace in format 2 was expected, the file has format 0"),
            "text.lane": (b"PTX, and no trace. " * 99, "file is not a database"),
            "cut.lane": (self.bytes[:len(self.bytes) // 2], "save the trace again with this version"),
            "other.lane": (changed(self.file, "PRAGMA user_version = 7"), "the file has format 7"),
            "view.lane": (changed(self.file, "PRAGMA user_version = 2", "ALTER TABLE hazards RENAME TO h", "CREATE VIEW hazards AS SELECT * FROM h"),
                          "a trace has only tables, 'hazards' is not one"),
        }
        chance = random.Random(7)
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=reduction")
            for name, (content, sentence) in wrong.items():
                browser.drop(name, content)
                self.assertIn(sentence, self.spoken(browser, name + ": "))
            for n in range(30):
                bent = bytearray(self.bytes)
                for _ in range(1 + n % 8):
                    bent[chance.randrange(len(bent))] = chance.randrange(256)
                browser.drop(f"bent{n}.lane", bytes(bent))
                browser.wait_for(OPENED % f"bent{n}.lane", 60)
            browser.drop("padded.lane", self.bytes)
            self.opens(browser)
            self.assertEqual([line for line in page_test.wrong_lines(browser) if "lane" not in line], [])

    def test_a_module_that_does_not_come_is_a_sentence_and_is_asked_for_again(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=reduction")
            browser.send("Network.setBlockedURLs", urls=["*sqlite.wasm.packed"])
            browser.drop("padded.lane", self.bytes)
            self.spoken(browser, "the part of the page that reads saved traces does not come")
            browser.send("Network.setBlockedURLs", urls=[])
            browser.drop("padded.lane", self.bytes)
            self.opens(browser)


if __name__ == "__main__":
    page_test.run_tests()
