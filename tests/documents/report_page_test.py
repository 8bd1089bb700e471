"""The page of `lanescope report` in a browser: it asks for nothing, says nothing on the console, and fits a phone, a laptop and a large
screen, light and dark. Needs Debian's chromium-headless-shell or chromium; else the test is skipped: exit status 77.

Usage: report_page_test.py BUILD_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/page"))
import chromium

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() / "lanescope"
SIZES = ((390, 844), (1280, 720), (1920, 1080))


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="lanescope-report-")
        cls.folder = pathlib.Path(cls.holder.name)
        cls.addClassCleanup(cls.holder.cleanup)
        done = subprocess.run([PROGRAM, "report", "--lesson", "transpose", "--set", "kernel=naive", "--set", "size=128", "-o", "r.html"],
                              capture_output=True, text=True, cwd=cls.folder, env={**os.environ, "HOME": str(cls.folder)})
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        cls.address = (cls.folder / "r.html").as_uri()

    def opened(self, browser):
        browser.open(self.address)
        browser.wait_for("document.readyState === 'complete' && document.querySelector('footer') !== null")
        self.assertEqual(browser.console, [])
        self.assertEqual(browser.requests, [self.address])

    def test_it_fits_each_screen_and_asks_for_nothing(self):
        for width, height in SIZES:
            for dark in (False, True):
                with self.subTest(width=width, dark=dark), chromium.Browser(width, height, dark=dark) as browser:
                    self.opened(browser)
                    self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), width)
                    shown = browser.evaluate("[...document.querySelectorAll('figure > div')].map((one) => one.offsetHeight > 100)")
                    self.assertEqual(shown, [not dark, dark])
                    ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
                    self.assertEqual(ground, "rgb(20, 23, 29)" if dark else "rgb(255, 255, 255)")

    def test_a_narrow_screen_names_each_cell(self):
        with chromium.Browser(390, 844) as browser:
            self.opened(browser)
            self.assertEqual(browser.evaluate("getComputedStyle(document.querySelector('td'), '::before').content"), '"kernel: "')

    def test_paper_is_white(self):
        with chromium.Browser(1280, 720, dark=True) as browser:
            self.opened(browser)
            browser.send("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
            self.assertEqual(browser.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
            shown = browser.evaluate("[...document.querySelectorAll('figure > div')].map((one) => one.offsetHeight > 100)")
            self.assertEqual(shown, [True, False])


if __name__ == "__main__":
    if not chromium.find_browser():
        print("skipped: no Chromium; on Debian 'apt install chromium-headless-shell' has one")
        sys.exit(77)
    unittest.main()
