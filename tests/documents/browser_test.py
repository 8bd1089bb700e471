"""The site in a browser, from its files: the search finds words of both languages, and nothing is asked of another host. Needs Debian's
chromium-headless-shell or chromium, and MkDocs; where one is missing, the test is skipped: exit status 77.

Method: the browser prints the page as it is after its scripts have run; `?q=` is a search. With no network that it could use, a
page that asks another host would stay without what it asked for. Usage: browser_test.py
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")
FETCHED = ROOT / ".cache/third_party/site/.pins"


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="lanescope-site-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        subprocess.run([sys.executable, "-B", ROOT / "app/packaging/site/build.py", cls.folder / "site"], check=True,
                       stdout=subprocess.DEVNULL)

    def shown(self, page, query=""):
        log = self.folder / "net.json"
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                               f"--user-data-dir={self.folder / 'profile'}",
                               "--host-resolver-rules=MAP * ~NOTFOUND", f"--log-net-log={log}", "--virtual-time-budget=8000",
                               "--dump-dom", (self.folder / "site" / page).as_uri() + query],
                              capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        asked = set(re.findall(r'"url":"(https?://[^"]*)"', log.read_text(encoding="utf-8", errors="replace")))
        self.assertEqual(asked, set())
        return done.stdout

    def found(self, query):
        text = self.shown("index.html", f"?q={query}")
        return re.findall(r'<a href="[^"]*?([\w.]+\.html)[^"]*" class="md-search-result__link"', text)

    def test_the_search_finds_english_and_french_pages(self):
        self.assertIn("layouts.html", self.found("swizzle"))
        self.assertIn("exercises.fr.html", self.found("copie"))

    def test_a_word_that_is_nowhere_is_not_found(self):
        self.assertEqual(self.found("xylophone"), [])

    def test_a_french_page_has_french_controls(self):
        self.assertIn('placeholder="Rechercher"', self.shown("index.fr.html"))
        self.assertIn('placeholder="Search"', self.shown("index.html"))


if __name__ == "__main__":
    if not BROWSER or not FETCHED.is_file():
        print("Debian's chromium-headless-shell is not installed" if not BROWSER else "MkDocs is not fetched: app/site does it")
        sys.exit(77)
    unittest.main()
