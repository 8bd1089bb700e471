"""Fingers on the page: a tap presses, a long press shows what hovering shows, a finger scrolls a panel, two zoom a map.

Usage: touch_test.py [Touch.test_NAME]. It needs what page_test.py needs; exit status 77 where that is missing.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

TABLET = (820, 1180)
MIDDLE_OF_SOURCE, FIRST_LANE = (150, 560), (470, 205)
BLOCKS_TAB, MIDDLE_OF_MAP = (640, 202), (565, 450)
KERNELS_OF_FILE, FIRST_OF_THEM, ROW = (215, 202), (170, 248), 44
TWO_KERNELS = """.version 8.0
.target sm_90
.address_size 64
.visible .entry first() { ret; }
.visible .entry second() { ret; }
"""


class Touch(unittest.TestCase):
    def opened(self, browser, link):
        browser.open(link + "?one-thread#lesson=transpose&kernel=tiled&device=h200")
        page_test.wait_for_start(browser)
        browser.rest_for(4)

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
            before = page_test.picture_of(browser)
            self.buttons(browser)
            browser.touch([FIRST_LANE], seconds=1)
            browser.rest_for(1)
            self.assertEqual(browser.evaluate("seen"), ["mousemove"])
            self.assertNotEqual(page_test.picture_of(browser), before)

    def test_a_finger_scrolls_a_listing_and_drags_where_nothing_scrolls(self):
        with page_test.Served() as link, chromium.Browser(*TABLET, touch=True) as browser:
            self.opened(browser, link)
            before = page_test.picture_of(browser)
            self.buttons(browser)
            x, y = MIDDLE_OF_SOURCE
            browser.touch([(x, y - 20 * n) for n in range(8)], seconds=0.4)
            browser.rest_for(1)
            seen = browser.evaluate("seen")
            self.assertIn("wheel", seen)
            self.assertNotIn("mousedown", seen)
            self.assertNotEqual(page_test.picture_of(browser), before)
            browser.evaluate("seen.length = 0")
            browser.touch([(500 + 20 * n, 500) for n in range(6)], seconds=0.4)
            browser.rest_for(1)
            seen = browser.evaluate("seen")
            self.assertEqual((seen.count("mousedown"), seen.count("mouseup"), seen.count("wheel")), (1, 1, 0))

    def test_two_fingers_zoom_a_map_and_back(self):
        with page_test.Served() as link, chromium.Browser(*TABLET, touch=True) as browser:
            self.opened(browser, link)
            browser.touch([BLOCKS_TAB], seconds=0.1)
            browser.rest_for(1)
            before = page_test.picture_of(browser)
            self.buttons(browser)
            x, y = MIDDLE_OF_MAP
            browser.evaluate("""self.turned = 0;
              document.getElementById("canvas").addEventListener("wheel", (event) => { turned += event.deltaY; }, true);""")
            apart = [[(x - 30 - 15 * n, y), (x + 30 + 15 * n, y)] for n in range(8)]
            browser.touch_with_fingers(apart, seconds=0.6)
            browser.rest_for(1)
            seen = browser.evaluate("seen")
            self.assertGreater(seen.count("wheel"), 4)
            # From 60 to 270 pixels: as far as the wheel zooms 4.5 times, 1.25 times with each of its steps of 100.
            self.assertAlmostEqual(1.25 ** (browser.evaluate("turned") / -100), 4.5, 1)
            self.assertNotIn("mousedown", seen)
            zoomed = page_test.picture_of(browser)
            self.assertNotEqual(zoomed, before)
            browser.touch_with_fingers(apart[::-1], seconds=0.6)
            browser.rest_for(1)
            self.assertNotEqual(page_test.picture_of(browser), zoomed)

    def test_rows_of_a_list_in_a_panel_are_as_high_as_a_finger_needs(self):
        with page_test.Served() as link, chromium.Browser(*TABLET, touch=True) as browser:
            self.opened(browser, link)
            browser.drop("two.ptx", TWO_KERNELS)
            x, y = FIRST_OF_THEM
            # At the upper and the lower edge of each row.
            for name, place in (("second", y + ROW - 18), ("first", y + 18), ("second", y + ROW + 18), ("first", y - 18)):
                browser.wait_for("document.title.startsWith('two.ptx')", 60)
                browser.rest_for(2)
                browser.touch([KERNELS_OF_FILE], seconds=0.1)
                browser.rest_for(1)
                browser.touch([(x, place)], seconds=0.1)
                browser.wait_for(f"document.getElementById('spoken').textContent.includes('two.ptx · {name}')", 20)


if __name__ == "__main__":
    page_test.run_tests()
