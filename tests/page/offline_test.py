"""The page without a network, and beside a newer version of itself: what a browser keeps is one version, whole.

Usage: offline_test.py [Offline.test_NAME]. It needs what app/page build makes, and Chromium; exit status 77 where they are missing.
"""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

SPOKEN = "document.getElementById('spoken').textContent"
NEWER = "v-newer"
KEPT = """caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys())
  .then((all) => all.map((request) => new URL(request.url).pathname.slice(1))))))"""


def version_of(folder):
    return next(folder.glob("v-*")).name


def replace_by_newer(folder):
    """The page of the folder, by a newer version of it: what build makes after a change."""
    old = version_of(folder)
    (folder / old).rename(folder / NEWER)
    for name in ("index.html", "offline.js"):
        (folder / name).write_text((folder / name).read_text().replace(old, NEWER))
    with open(folder / NEWER / "start.js", "a", encoding="utf-8") as start:
        start.write("\nself.isNewer = true;\n")


class Offline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name, "page")
        shutil.copytree(page_test.PAGE, self.folder)
        self.version = version_of(self.folder)
        self.server = page_test.Served("127.0.0.1", "--folder", str(self.folder))
        self.addCleanup(self.stop)
        self.link = self.server.address + "#lesson=transpose&kernel=tiled&size=128&device=h200"

    def stop(self):
        if self.server:
            self.server.__exit__()
        self.server = None

    def start(self, browser, link=None):
        browser.open("about:blank")
        browser.requests.clear()
        browser.open(link or self.link)
        page_test.wait_for_start(browser)
        browser.rest_for(1)

    def wait_until_kept(self, browser, version):
        """Until the browser has kept this version, whole."""
        browser.wait_for(KEPT + f".then((all) => all.some((names) => names.some((name) => name === '{version}/sqlite/sqlite.js')))", 60)

    def versions_of(self, browser):
        """Of the files that the page has asked for."""
        return sorted({part for address in browser.requests for part in address.split("/") if part.startswith("v-")})

    def test_after_the_first_load_it_opens_without_a_network(self):
        with chromium.Browser() as browser:
            self.start(browser)
            self.wait_until_kept(browser, self.version)
            self.stop()
            browser.console.clear()
            self.start(browser)
            self.assertEqual(browser.evaluate("Module.hasThreads"), page_test.has("threads"))
            browser.wait_for(f"{SPOKEN}.includes('Padding 0')")
            browser.press("p", "KeyP", ord("P"))
            browser.wait_for(f"{SPOKEN}.includes('Padding 1')")
            # A lesson whose texts were not asked for before.
            browser.evaluate("location.hash = 'lesson=sobel'")
            browser.wait_for("document.title.startsWith('Sobel')", 60)
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_one_kind_of_program_is_kept_and_nothing_twice(self):
        with chromium.Browser() as browser:
            self.start(browser)
            self.wait_until_kept(browser, self.version)
            names, = browser.evaluate(KEPT)
            self.assertEqual(len(names), len(set(names)))
            self.assertEqual(len([name for name in names if name.endswith("lanescope.wasm.packed")]), 1)
            self.assertFalse([name for name in names if name.startswith("handout/")])

    def test_a_newer_version_is_loaded_whole_and_kept_in_place_of_the_old_one(self):
        with chromium.Browser() as browser:
            self.start(browser)
            self.wait_until_kept(browser, self.version)
            replace_by_newer(self.folder)
            self.start(browser)
            self.assertTrue(browser.evaluate("self.isNewer"))
            self.assertEqual(self.versions_of(browser), [NEWER])
            self.wait_until_kept(browser, NEWER)
            browser.open("about:blank")  # no page of the old version is open any more
            browser.rest_for(2)
            self.start(browser)
            browser.wait_for(KEPT + ".then((all) => all.length === 1)", 30)
            self.stop()
            self.start(browser)
            self.assertTrue(browser.evaluate("self.isNewer"))
            self.assertEqual(self.versions_of(browser), [NEWER])

    def test_a_newer_version_that_does_not_come_whole_leaves_the_old_one(self):
        with chromium.Browser() as browser:
            self.start(browser)
            self.wait_until_kept(browser, self.version)
            replace_by_newer(self.folder)
            (self.folder / NEWER / "sqlite/sqlite.wasm.packed").unlink()
            self.start(browser)
            browser.rest_for(5)
            self.stop()
            self.start(browser)
            self.assertFalse(browser.evaluate("self.isNewer"))
            self.assertEqual(self.versions_of(browser), [self.version])

    def test_an_open_page_says_that_there_is_a_newer_version_where_its_files_are_gone(self):
        if not page_test.has("ptx"):
            self.skipTest("the page was built where there is no CUDA compiler, without the lessons' other settings")
        with chromium.Browser() as browser:
            self.start(browser, self.link.replace("#", "?one-thread#"))
            replace_by_newer(self.folder)
            browser.evaluate("location.hash = 'lesson=reduction'")
            browser.wait_for("document.getElementById('notice').textContent.startsWith('There is a newer version of this page')", 60)

    def test_a_page_kept_by_the_browser_alone_says_that_its_files_are_gone(self):
        index = (self.folder / "index.html").read_text()
        replace_by_newer(self.folder)
        (self.folder / "index.html").write_text(index)
        with chromium.Browser() as browser:
            browser.open(self.link)
            browser.wait_for("document.getElementById('progress-text')?.textContent.includes('there may be a newer version')", 30)

    def test_over_plain_http_from_another_address_nothing_is_kept(self):
        with page_test.Served(page_test.own_address()) as address, chromium.Browser() as browser:
            self.start(browser, address)
            self.assertFalse(browser.evaluate("'serviceWorker' in navigator"))
            self.assertIn("does not keep it for use without a network", browser.evaluate("document.getElementById('notice').textContent"))
            self.assertFalse(browser.evaluate("document.getElementById('notice').hidden"))


if __name__ == "__main__":
    page_test.run_tests()
