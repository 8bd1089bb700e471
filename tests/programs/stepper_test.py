"""The stepper of a launch in a notebook (app/python/lanescope/stepper.py), by the real program: stepper_test.py LANESCOPE."""

import html
import os
import re
import sys
import unittest

import source_test
import lanescope


class Stepper(unittest.TestCase):
    def setUp(self):
        self.launch = lanescope.cu(source_test.SCALE).launch("scale", 2, 32, source_test.floats(range(128)), source_test.floats([0] * 64), 3.0)

    def test_is_a_frame_with_the_page_of_the_warp(self):
        # A load of 32 floats at 8 bytes' distance takes 8 sectors, where 4 would hold them.
        shown = self.launch.stepper(stills=True)._repr_html_()
        page = html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1])
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("8 sectors; ideal 4", page)
        self.assertEqual(len(re.findall(r'class="still"', page)), 2 * 2)  # a load and a store, in two languages
        self.assertIn('sandbox="allow-scripts"', shown)

    def test_the_page_carries_the_trace_and_what_steps_through_it(self):
        page = self.launch.stepper().html
        if 'id="module"' not in page:
            self.skipTest("app/page build makes what steps")
        self.assertIn('"subject":"/file/run.lane"', page)
        self.assertIn('id="sqlite"', page)
        self.assertLess(len(page), 4e6)

    def test_the_block_is_chosen(self):
        self.assertIn("block 1 ", self.launch.stepper(block=(1, 0, 0)).html)

    def test_a_block_that_there_is_not_is_a_sentence(self):
        with self.assertRaisesRegex(lanescope.LanescopeError, "7"):
            self.launch.stepper(block=(7, 0, 0))


if __name__ == "__main__":
    os.environ["LANESCOPE_PROGRAM"] = sys.argv.pop(1)
    unittest.main()
