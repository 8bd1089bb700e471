"""The keyboard alone: from the link through a lesson, its steps, a toggle and a kernel, and what a screen reader is told on the way.

Usage: keyboard_test.py [Keyboard.test_NAME]. It needs what page_test.py needs; exit status 77 where that is missing.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

KEYS = {"Tab": ("Tab", "Tab", 9), "Enter": ("Enter", "Enter", 13), "Space": (" ", "Space", 32), "Escape": ("Escape", "Escape", 27),
        "F6": ("F6", "F6", 117), "Left": ("ArrowLeft", "ArrowLeft", 37), "Up": ("ArrowUp", "ArrowUp", 38),
        "Right": ("ArrowRight", "ArrowRight", 39), "Down": ("ArrowDown", "ArrowDown", 40)}
SETTINGS = "document.getElementById('spoken').textContent"
STEP = "document.getElementById('spoken-step').textContent"
CONTROL = "document.getElementById('spoken-control').textContent"


class Keyboard(unittest.TestCase):
    def press(self, browser, *keys):
        for key in keys:
            browser.press(*KEYS[key])
            browser.rest_for(0.2)

    def told(self, browser, place, words, seconds=60):
        browser.wait_for(f"{place}.includes({words!r})", seconds)

    def opened(self, browser, link):
        browser.open(link)
        page_test.wait_for_start(browser)
        self.assertEqual(browser.evaluate("document.activeElement.id"), "canvas", "the first key goes to the program")
        browser.rest_for(2)

    def through_a_lesson(self, query):
        with page_test.Served() as address, chromium.Browser() as browser:
            self.opened(browser, address + query + "#lesson=transpose&kernel=tiled&size=128&device=h200")
            self.told(browser, SETTINGS, "Matrix transpose · Tiled · Padding 0")
            self.told(browser, STEP, "access 1, LD g: load of 4 bytes from global memory")
            # Steps.
            self.press(browser, "Right")
            self.told(browser, STEP, "access 2, ST s: store of 4 bytes to shared memory")
            self.press(browser, "Space")
            browser.wait_for(f"!{STEP}.startsWith('access 2,')")
            self.press(browser, "Space")
            browser.rest_for(1)
            stopped = browser.evaluate(STEP)
            browser.rest_for(2)
            self.assertEqual(browser.evaluate(STEP), stopped, "Space ends the play")
            # A toggle: from the first control of the bar to the row below it, and one to the right.
            self.press(browser, "Tab")
            self.told(browser, CONTROL, "File")
            self.press(browser, "Down")
            self.told(browser, CONTROL, "Padding 0, chosen")
            self.press(browser, "Right")
            self.told(browser, CONTROL, "Padding 1")
            self.press(browser, "Enter")
            self.told(browser, SETTINGS, "Padding 1")
            self.told(browser, CONTROL, "Padding 1, chosen")
            self.press(browser, "Left", "Enter")
            self.told(browser, SETTINGS, "Padding 0")
            # A kernel of the menu, then the keys step again.
            self.press(browser, "Escape", "Tab", "Tab", "Enter")
            self.press(browser, "Down", "Down")
            browser.wait_for(f"{CONTROL} !== ''")
            self.press(browser, "Enter")
            browser.wait_for(f"!{SETTINGS}.includes('· Tiled ·')")
            self.press(browser, "Escape")
            browser.wait_for(f"{CONTROL} === ''")
            step = browser.evaluate(STEP)
            self.press(browser, "Right")
            browser.wait_for(f"{STEP} !== {step!r}")
            self.assertEqual(page_test.wrong_lines(browser), [])

    def test_a_lesson_its_toggles_and_steps_need_no_mouse(self):
        self.through_a_lesson("?one-thread")

    def test_a_lesson_needs_no_mouse_with_threads(self):
        if not page_test.has("threads"):
            self.skipTest("the page was built with --quick, which leaves out the one with threads")
        self.through_a_lesson("")


if __name__ == "__main__":
    page_test.run_tests()
