"""Fingers on the page: a tap presses, a long press shows what hovering shows, a finger scrolls a panel.

Usage: touch_test.py [Touch.test_NAME]. It needs what page_test.py needs; exit status 77 where that is missing.
"""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

TABLET = (820, 1180)
MIDDLE_OF_SOURCE, FIRST_LANE = (150, 560), (470, 205)


class Touch(unittest.TestCase):
    def opened(self, browser, link):
        browser.open(link + "?one-thread#lesson=transpose&kernel=tiled&device=h200")
        page_test.wait_for_start(browser)
        browser.rest_for(4)

    def picture(self, browser):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            return browser.screenshot(file.name)

    def buttons(self, browser):
        """What the page saw of a mouse, in order."""
        browser.evaluate("""self.seen = [];
          for (const type of ["mousemove", "mousedown", "mouseup", "wheel"])
            document.getElementById("canvas").addEventListener(type, (event) => seen.push(event.type), true);""")

    def test_a_tap_is_one_press(self):
        with page_test.Served() as link, chromium.Browser(*TABLET, touch=True) as browser:
            self.opened(browser, link)
            self.buttons(browser)
            browser.touch([MIDDLE_OF_SOURCE], seconds=0.1)
            browser.rest_for(1)
            self.assertEqual(browser.evaluate("seen"), ["mousemove", "mousedown", "mouseup", "mousemove"])

    def test_a_long_press_hovers_and_leaves_what_it_shows(self):
        with page_test.Served() as link, chromium.Browser(*TABLET, touch=True) as browser:
            self.opened(browser, link)
            before = self.picture(browser)
            self.buttons(browser)
            browser.touch([FIRST_LANE], seconds=1)
            browser.rest_for(1)
            self.assertEqual(browser.evaluate("seen"), ["mousemove"])
            self.assertNotEqual(self.picture(browser), before)

    def test_a_finger_scrolls_a_listing_and_drags_where_nothing_scrolls(self):
        with page_test.Served() as link, chromium.Browser(*TABLET, touch=True) as browser:
            self.opened(browser, link)
            before = self.picture(browser)
            self.buttons(browser)
            x, y = MIDDLE_OF_SOURCE
            browser.touch([(x, y - 20 * n) for n in range(8)], seconds=0.4)
            browser.rest_for(1)
            seen = browser.evaluate("seen")
            self.assertIn("wheel", seen)
            self.assertNotIn("mousedown", seen)
            self.assertNotEqual(self.picture(browser), before)
            browser.evaluate("seen.length = 0")
            browser.touch([(500 + 20 * n, 500) for n in range(6)], seconds=0.4)
            browser.rest_for(1)
            seen = browser.evaluate("seen")
            self.assertEqual((seen.count("mousedown"), seen.count("mouseup"), seen.count("wheel")), (1, 1, 0))


if __name__ == "__main__":
    page_test.run_tests()
