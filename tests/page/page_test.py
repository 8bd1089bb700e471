"""The page as a browser loads it: what is served, with and without threads, links, keys, what is kept, and the lessons' totals in Node.

Usage: page_test.py PROJECT [Page.test_NAME]. It needs what app/page build makes, and Chromium; exit status 77 where they are missing.
"""

import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "dist/page"
STARTED = "self.lanescopeStarted > 0"


def has(part):
    """Whether this version of the page was built with the folder."""
    return any(PAGE.glob(f"v-*/{part}"))


def own_address():
    """An address of this machine that is not localhost; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))
        return one.getsockname()[0]


class Served:
    """The page on an address of this machine."""

    def __init__(self, address="127.0.0.1", *options):
        self.process = subprocess.Popen([sys.executable, "-B", str(ROOT / "app/packaging/serve_page.py"), address, "0", *options],
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def picture_of(browser):
    """The page as it is drawn now, the bytes of a PNG."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        return browser.screenshot(file.name)


def wrong_lines(browser):
    """Of the console. A browser says of plain HTTP that it ignores the header for threads; a page built where there is no CUDA compiler
    has no texts of the lessons' other settings; and where nobody signed the certificate a browser does not keep the page, and says so."""
    harmless = r"Cross-Origin-Opener-Policy|occurred when fetching the script" + ("" if has("ptx") else "|404")
    return [line for line in browser.console
            if re.search(r"error|exception|violat|abort", line, re.IGNORECASE) and not re.search(harmless, line)]


def wait_for_start(browser, seconds=300):
    """Raises at once what the page says of a start that failed."""
    browser.wait_for(f"{STARTED} || document.getElementById('loading')?.className === 'failed'", seconds)
    if not browser.evaluate(STARTED):
        raise RuntimeError(browser.evaluate("document.getElementById('progress-text').textContent"))


def run_tests(browser=chromium):
    """Those of the program that was started, in the browser of this module; exit status 77 where they cannot run."""
    if not browser.find_browser():
        print(f"no {browser.NAMES[0]} was found; install Debian's package of this name", file=sys.stderr)
        sys.exit(77)
    if not (PAGE / "index.html").is_file():
        print("there is no page in dist/page; app/page build makes it", file=sys.stderr)
        sys.exit(77)
    unittest.main()


def axe_script():
    """What checks accessibility; None where it is not installed."""
    try:
        import axe_core_python
    except ImportError:
        return None
    return next(pathlib.Path(axe_core_python.__file__).parent.rglob("axe.min.js")).read_text(encoding="utf-8")


AXE_FINDS = """; axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((one) =>
  one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')))"""


class Page(unittest.TestCase):
    def started(self, browser, address):
        browser.open(address)
        wait_for_start(browser)
        browser.rest_for(2)

    def test_from_localhost_the_page_has_threads_and_asks_nobody_else(self):
        if not has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address)
            self.assertTrue(browser.evaluate("Module.hasThreads"))
            self.assertEqual([one for one in browser.requests if not one.startswith((address, "blob:" + address, "data:"))], [])
            self.assertEqual(wrong_lines(browser), [])

    def test_a_screen_reader_is_told_the_settings_and_each_step(self):
        step = "document.getElementById('spoken-step').textContent"
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address + "?one-thread#lesson=transpose&kernel=tiled&size=128&device=h200")
            browser.wait_for(f"{step}.startsWith('access 1, LD g: load of 4 bytes from global memory')")
            browser.press("Tab", "Tab", 9)  # into the program, where a focus starts
            self.assertEqual(browser.evaluate("document.activeElement.id"), "canvas")
            browser.press("Escape", "Escape", 27)
            browser.press("ArrowRight", "ArrowRight", 39)
            browser.wait_for(f"{step}.startsWith('access 2, ST s')")
            self.assertIn("Tiled · Padding 0", browser.evaluate("document.getElementById('spoken').textContent"))
            browser.evaluate("location.hash = 'lesson=transpose&kernel=tiled&lang=fr'")
            browser.wait_for(f"{step}.startsWith('accès 1')")
            self.assertEqual(browser.evaluate("document.documentElement.lang"), "fr")
            self.assertEqual(wrong_lines(browser), [])

    def test_axe_finds_nothing_in_the_window(self):
        script = axe_script()
        if script is None:
            self.skipTest("PyPI's axe-core-python is not installed")
        with Served() as address, chromium.Browser() as browser:
            browser.send("Page.setBypassCSP", enabled=True)
            self.started(browser, address + "?one-thread")
            self.assertEqual(browser.evaluate(script + AXE_FINDS), [])

    def test_over_plain_http_from_another_address_it_runs_without_threads_and_says_so_once(self):
        with Served(own_address()) as address, chromium.Browser() as browser:
            self.started(browser, address)
            self.assertFalse(browser.evaluate("isSecureContext"))
            self.assertFalse(browser.evaluate("Module.hasThreads"))
            self.assertFalse(browser.evaluate("document.getElementById('notice').hidden"))
            self.assertEqual(wrong_lines(browser), [])
            self.started(browser, address + "?again")
            self.assertTrue(browser.evaluate("document.getElementById('notice').hidden"))

    def test_a_key_changes_the_picture(self):
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address + "?one-thread#lesson=transpose")
            before = picture_of(browser)
            browser.press("p", "KeyP", ord("P"))  # padding
            browser.rest_for(3)
            self.assertTrue(picture_of(browser) != before, "the picture is the same")

    def test_the_times_of_a_kernel_that_a_link_opens_are_there_once_the_texts_have_come(self):
        """The other kernels' PTX at the link's settings comes after the first picture."""
        bandwidth = {"x": 970, "y": 400, "width": 300, "height": 205, "scale": 1}
        picture = lambda browser: browser.send("Page.captureScreenshot", format="png", clip=bandwidth)["data"]
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address + "?one-thread#lesson=transpose&kernel=padded")
            browser.rest_for(8)
            as_opened = picture(browser)
            for _ in range(5):  # to the same padding once more, when all has come
                browser.press("p", "KeyP", ord("P"))
                browser.rest_for(1)
            browser.rest_for(4)
            self.assertTrue(picture(browser) == as_opened, "the picture is another one")

    def test_a_link_opens_what_it_says_and_another_one_in_the_same_page(self):
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address + "?one-thread#lesson=reduction")
            self.assertEqual(browser.evaluate("document.title"), "Reduction and scan – Lanescope")
            browser.evaluate("location.hash = 'lesson=transpose&kernel=padded&lang=fr'")
            browser.wait_for("document.title !== 'Reduction and scan – Lanescope'", 60)

    def test_a_link_with_a_mistake_says_so_in_its_language_and_shows_the_nearest_thing(self):
        settings = "document.getElementById('spoken').textContent"
        cases = (("%25%zz/rubbish", "a link consists of KEY=VALUE", " – Lanescope"),
                 ("lesson=reduction&sheep=1&warp=1", "this lesson has no setting 'sheep=1'", "Reduction and scan – Lanescope"),
                 ("lesson=transpose&kernel=tiled&block=99,0", "the link's block 99,0 is not in the grid", "Matrix transpose – Lanescope"),
                 ("lesson=wool&lang=fr", "ce programme n’a pas de leçon « wool »", " – Lanescope"))
        with Served() as address, chromium.Browser() as browser:
            for number, (link, words, title) in enumerate(cases):
                self.started(browser, f"{address}?one-thread&n={number}#{link}")
                browser.rest_for(3)  # panels ask for what they show, and the lesson's PTX comes
                self.assertIn(words, browser.evaluate(settings).replace("\u00a0", " "), link)
                self.assertTrue(browser.evaluate("document.title").endswith(title), link)
                self.assertNotEqual(browser.evaluate("document.getElementById('spoken-step').textContent"), "", link)
            title = browser.evaluate("document.title")
            browser.evaluate("location.hash = 'lesson=wool&lang=en'")
            browser.wait_for(f"{settings}.includes('what was open stays')")
            self.assertEqual(browser.evaluate("document.title"), title.replace("Un warp lit la mémoire", "A warp reads memory"))
            self.assertEqual(wrong_lines(browser), [])

    def test_links_and_sessions_of_earlier_versions_give_their_step(self):
        step, settings = (f"document.getElementById('{name}').textContent" for name in ("spoken-step", "spoken"))
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address + "?one-thread#lesson=transpose&kernel=padded&element=4&margin=0&order=row-major&padding=1&size=1024"
                         "&swizzle=off&tile=32&device=h200&block=1,1,0&warp=2&access=5&lang=en")
            browser.wait_for(f"{step}.startsWith('access 6,')")
            self.assertIn("Padding 1 · Swizzle off · Block order rows", browser.evaluate(settings))
            for day, access, words in (("2026-11-28", 4, "Reduction and scan"), ("2026-11-23", 6, "Padding 1 · Swizzle off · Block order rows")):
                browser.drop(f"{day}.lanescope", (ROOT / f"tests/data/old_views/{day}.lanescope").read_text())
                browser.wait_for(f"{settings}.includes('{words}')", 60)
                browser.wait_for(f"{step}.startsWith('access {access},')")
            self.assertEqual(wrong_lines(browser), [])

    def test_what_is_chosen_is_there_after_a_reload(self):
        with Served() as address, chromium.Browser() as browser:
            self.started(browser, address + "?one-thread#lesson=reduction")
            browser.rest_for(4)
            self.started(browser, address + "?one-thread")
            self.assertEqual(browser.evaluate("document.title"), "Reduction and scan – Lanescope")

    def test_the_lessons_count_in_node_what_they_count_here(self):
        programs = (ROOT / "build-page/tests/page/lesson_totals.js", ROOT / "build/tests/tools/lesson_totals")
        for program in programs:
            if not program.is_file():
                self.skipTest(f"{program.relative_to(ROOT)} is not built")
        in_node = subprocess.run(["node", programs[0], ROOT], capture_output=True, text=True, check=True).stdout.splitlines()
        here = subprocess.run([programs[1], ROOT], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertGreater(len(here), 100, "few lines were printed: the check itself is broken")
        self.assertEqual(in_node, here)


if __name__ == "__main__":
    run_tests()
