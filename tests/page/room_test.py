"""A class as a whole: an edit that the class compiles and its new picture, an exercise from its starter to the teacher's table, a source
of one's own, and memory that is full.

Usage: room_test.py [Room.test_NAME]. It needs what work_test.py needs; exit status 77 where that is missing.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import certificate
import chromium
import page_test
import work_test

ROOT = page_test.ROOT
OWN = """// Each thread scales one element of a column.
extern "C" __global__ void scale_column(float* matrix, int width) {
  matrix[threadIdx.x * width] *= 3;
}
"""
# Two sizes: one that 32 bits do not hold, and one that they do and a page has not.
LARGE = """file = "fill.ptx"
[buffers]
out = "f32[%d]:zeros"
[[launch]]
kernel = "fill"
grid = 1
block = 32
arguments = ["out"]
"""


class Room(work_test.WorkTest):
    def passes_of(self, browser, folder):
        """Of the bank figure, which is exported and taken away: words that each bank serves in each pass."""
        work_test.export_banks(browser, work_test.FORMATS["csv"])
        text = work_test.wait_for_file(folder, self.name_of_banks)
        pathlib.Path(folder, self.name_of_banks).unlink()
        browser.rest_for(0.5)
        return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))

    name_of_banks = "transpose-tiled-banks.csv"

    def test_an_edit_that_the_class_compiles_becomes_another_picture(self):
        with (page_test.Served("127.0.0.1", "--class", "--word", "tiles") as link, chromium.Browser() as browser,
              tempfile.TemporaryDirectory() as folder):
            browser.save_downloads_in(folder)
            # Access 9 is the first to read a column of the tile: all lanes in one bank, 32 passes.
            self.open(browser, link + "&one-thread#lesson=transpose&kernel=tiled&device=h200&access=9")
            before = self.passes_of(browser, folder)
            self.assertEqual(len({row["wavefront"] for row in before}), 32)
            self.write(browser, work_test.TILED.replace("[TILE + PADDING]", "[TILE + 1]", 1))
            browser.wait_for("performance.getEntriesByType('resource').some((one) => one.name.endsWith('/compile'))", 60)
            browser.rest_for(5)
            browser.press("Escape", "Escape", 27)
            after = self.passes_of(browser, folder)
            self.assertEqual(len({row["wavefront"] for row in after}), 1)
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_over_https_from_another_address_a_class_has_threads(self):
        if not page_test.has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        if not certificate.can_be_made():
            self.skipTest("no openssl makes a certificate")
        with tempfile.TemporaryDirectory() as folder, chromium.Browser() as browser:
            file, _ = certificate.certificate_for(page_test.own_address(), folder)
            with page_test.Served(page_test.own_address(), "--class", "--word", "tiles", "--certificate", str(file)) as link:
                self.assertTrue(link.startswith("https://" + page_test.own_address()))
                browser.send("Security.setIgnoreCertificateErrors", ignore=True)  # nobody signed it
                self.open(browser, link + "#lesson=transpose&kernel=tiled")
                self.assertTrue(browser.evaluate("isSecureContext && crossOriginIsolated && Module.hasThreads"))
                self.write(browser, work_test.TILED.replace("__syncthreads();", "", 1))
                self.assertIn("transpose_tiled.cu", self.spoken(browser, "no barrier is between them"))
                self.assertEqual(page_test.wrong_lines(browser), [])

    def test_over_plain_http_from_another_address_a_class_works_without_threads(self):
        with page_test.Served(page_test.own_address(), "--class", "--word", "tiles") as link, chromium.Browser() as browser:
            self.open(browser, link + "#lesson=transpose&kernel=tiled")
            self.assertFalse(browser.evaluate("isSecureContext || Module.hasThreads"))
            self.write(browser, work_test.TILED.replace("__syncthreads();", "", 1))
            self.assertIn("transpose_tiled.cu", self.spoken(browser, "no barrier is between them"))
            self.assertEqual(page_test.wrong_lines(browser), [])

    def solve(self, browser, link):
        """The exercise of the tiled transpose with the keyboard alone, from its starter to its submission."""
        solution = (ROOT / "assets/lessons/transpose/exercises/tiled/solution.cu").read_text()
        self.open(browser, link + "#lesson=transpose&kernel=tiled")
        browser.evaluate("self.prompt = () => 'Zoé'")
        self.reach(browser, "Exercise", "F6")
        self.press_control(browser, "Write the starter")
        # The starter copies as it should and writes columns.
        self.assertIn("32 sectors per request", self.spoken(browser, "3 of 4 checks passed"))
        self.press_control(browser, "Open in the window")
        browser.wait_for("document.title.startsWith('transpose-tiled.cu')", 60)
        browser.rest_for(2)
        browser.press("Escape", "Escape", 27)
        self.write(browser, solution)
        browser.rest_for(5)
        browser.chord("s")
        browser.rest_for(1)
        browser.press("Escape", "Escape", 27)
        self.reach(browser, "Exercise", "F6")
        self.spoken(browser, "All 4 checks passed")
        self.press_control(browser, "Hand in")
        browser.wait_for("document.getElementById('notice').textContent.includes('transpose/tiled/Zoé.cu')", 60)
        self.assertEqual([one for one in browser.requests if ".packed" in one and "tiled" in one], [])
        self.assertEqual(page_test.wrong_lines(browser), [])

    def test_an_exercise_is_checked_by_keys_alone_and_handed_in_for_the_table_of_the_teacher(self):
        with (tempfile.TemporaryDirectory() as handed, chromium.Browser() as browser,
              page_test.Served("127.0.0.1", "--class", "--word", "tiles", "--hand-in", handed) as link):
            self.solve(browser, link + "&one-thread")
            table = subprocess.run([ROOT / "build/lanescope", "check", "transpose/tiled", "--all", str(pathlib.Path(handed, "transpose/tiled"))],
                                   capture_output=True, text=True, check=True).stdout
            self.assertRegex(table, r"Zoé.cu +ok +ok +ok +ok")

    def test_an_exercise_is_solved_by_keys_alone_with_threads(self):
        if not page_test.has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        with (tempfile.TemporaryDirectory() as handed, chromium.Browser() as browser,
              page_test.Served("127.0.0.1", "--class", "--word", "tiles", "--hand-in", handed) as link):
            self.solve(browser, link)
            self.assertTrue(browser.evaluate("Module.hasThreads"))

    def test_a_source_that_is_dropped_is_compiled_and_runs_under_the_name_that_a_browser_gave_it(self):
        with page_test.Served("127.0.0.1", "--class", "--word", "tiles") as link, chromium.Browser() as browser:
            self.open(browser, link + "&one-thread#lesson=transpose")
            browser.drop("own (1).cu", OWN)
            browser.wait_for("document.title.startsWith('own (1).cu')", 60)
            self.spoken(browser, "scale_column · <<<1; 256>>>")
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_without_a_class_a_dropped_source_says_what_to_open(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose")
            browser.drop("own.cu", OWN)
            self.spoken(browser, "a browser has no CUDA compiler; open the link of a class")

    def test_memory_that_is_full_is_a_sentence_and_the_page_goes_on(self):
        with page_test.Served() as link, chromium.Browser() as browser:
            self.open(browser, link + "?one-thread#lesson=transpose")
            browser.drop("fill.ptx", work_test.PTX.replace("  LOOP\n", ""))
            browser.wait_for("document.title.startsWith('fill.ptx')", 60)
            for elements in (1500000000, 1060000000):
                browser.drop(f"large{elements}.toml", LARGE % elements)
                self.spoken(browser, f"not enough memory for a buffer of {4 * elements} bytes; use a smaller count")
            browser.evaluate("location.hash = 'lesson=reduction'")
            browser.wait_for("document.title.startsWith('Reduction')", 60)
            self.silent(browser, "not enough memory")


if __name__ == "__main__":
    page_test.run_tests()
