"""The page in Firefox: it starts with and without threads, keys and clicks change it, and it opens a saved trace.

Usage: firefox_test.py [Firefox.test_NAME]. It needs what app/page build makes, and Firefox; exit status 77 where they are missing.
"""

import base64
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import firefox
import page_test
import trace_test
import work_test

RIGHT = "\ue014"
STEP = trace_test.STEP


class Firefox(unittest.TestCase):
    def start(self, browser, address):
        browser.open(address)
        page_test.wait_for_start(browser)
        browser.rest_for(3)

    def assert_console_has_no_errors(self, browser):
        self.assertEqual([line for line in browser.console if re.search(r"error|exception|violat|abort", line, re.IGNORECASE)], [])

    def test_in_firefox_keys_and_clicks_change_the_page(self):
        with page_test.Served() as address, firefox.Browser() as browser:
            self.start(browser, address + "?one-thread#lesson=transpose&kernel=tiled&size=128&device=h200")
            before = page_test.picture_of(browser)
            browser.wait_for(f"{STEP}.startsWith('access 1, LD g')")
            browser.press(RIGHT)
            browser.wait_for(f"{STEP}.startsWith('access 2, ST s')")
            browser.press("p")
            browser.wait_for(f"{work_test.SPOKEN}.includes('Padding 1')")
            self.assertNotEqual(page_test.picture_of(browser), before)
            menu = page_test.picture_of(browser)
            browser.click(*work_test.FILE_MENU)
            browser.rest_for(1)
            self.assertNotEqual(page_test.picture_of(browser), menu)
            self.assert_console_has_no_errors(browser)

    def test_in_firefox_the_page_has_threads_from_localhost(self):
        if not page_test.has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        with page_test.Served() as address, firefox.Browser() as browser:
            self.start(browser, address + "#lesson=transpose&kernel=tiled")
            self.assertTrue(browser.evaluate("Module.hasThreads"))
            browser.wait_for(f"{STEP}.startsWith('access 1, LD g')")
            browser.press("p")
            browser.wait_for(f"{work_test.SPOKEN}.includes('Padding 1')")
            self.assert_console_has_no_errors(browser)

    def test_in_firefox_a_dropped_trace_is_opened(self):
        with tempfile.TemporaryDirectory() as folder, page_test.Served() as address, firefox.Browser() as browser:
            content = trace_test.saved_trace(pathlib.Path(folder, "tiled.lane"), "transpose", "kernel=tiled", "size=128")
            self.start(browser, address + "?one-thread#lesson=reduction")
            browser.evaluate(f"Module.take([new File([Uint8Array.from(atob({json.dumps(base64.b64encode(content).decode())}), "
                             "(one) => one.charCodeAt(0))], 'tiled.lane')])")
            browser.wait_for(trace_test.OPENED % "tiled.lane")
            browser.wait_for(f"{STEP}.startsWith('access 1, LD g')")
            self.assert_console_has_no_errors(browser)


if __name__ == "__main__":
    page_test.run_tests(firefox)
