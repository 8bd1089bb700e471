"""Figures of a link without the window: in Node, and by Module.figure of a page that is open.

Usage: figure_test.py [Figure.test_NAME]. It needs build-page/tests/page/figure_of_link.js, and for the page what page_test.py needs; exit
status 77 where that is missing.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test

PROGRAM = page_test.ROOT / "build-page/tests/page/figure_of_link.js"
LINK = "lesson=transpose&kernel=tiled&device=h200&access=9"


def in_node(figure, link, *size, text=True):
    return subprocess.run(["node", PROGRAM, page_test.ROOT, figure, link, *size], capture_output=True, text=text, check=False)


class Figure(unittest.TestCase):
    def svg(self, figure, link, *size):
        answer = in_node(figure, link, *size)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        xml.etree.ElementTree.fromstring(answer.stdout)
        return answer.stdout

    def test_a_figure_of_a_link_and_a_size_is_its_svg(self):
        svg = self.svg("banks", LINK, "640", "400")
        # A column of the tile: all lanes in one bank.
        self.assertIn("32 wavefronts", svg)
        width = lambda text: float(re.search(r'<svg [^>]*width="([0-9.]+)', text)[1])
        self.assertEqual(width(self.svg("banks", LINK, "840", "400")) - width(svg), 200)
        self.assertNotEqual(self.svg("banks", LINK.replace("tiled", "padded") + "&padding=1"), self.svg("banks", LINK))

    def test_each_figure_of_a_view_is_made(self):
        for figure in ("sectors", "totals", "lanes", "grid", "partitions", "values"):
            link = LINK.replace("h200", "gt200")
            self.assertIn("<svg", self.svg(figure, link), figure)

    def test_pdf_and_png_are_as_large_as_the_svg(self):
        width = float(re.search(r'<svg [^>]*width="([0-9.]+)', self.svg("banks", LINK, "640", "400"))[1])
        pdf = in_node("banks", LINK, "640", "400", ".pdf", text=False).stdout
        self.assertTrue(pdf.startswith(b"%PDF-1.4") and pdf.endswith(b"%%EOF\n"))
        self.assertEqual(float(re.search(rb"/MediaBox\[0 0 ([0-9.]+)", pdf)[1]), width)
        png = in_node("banks", LINK, "640", "400", ".png", text=False).stdout
        self.assertEqual((png[:8], int.from_bytes(png[16:20], "big")), (b"\x89PNG\r\n\x1a\n", 2 * width))
        self.assertIn("not '.gif'", in_node("banks", LINK, "640", "400", ".gif").stderr)

    def test_what_there_is_not_is_one_sentence(self):
        for figure, link, words in (("bank", LINK, "there is no figure 'bank'"), ("banks", "lesson=none", "none"),
                                    ("banks", "lesson=transpose&padding=9", "padding"), ("banks", "", "none of the program's"),
                                    ("banks", "lesson=transpose&kernel=tiled&element=16", "browser has no CUDA compiler")):
            answer = in_node(figure, link)
            self.assertEqual((answer.returncode, answer.stdout), (1, ""), (figure, link))
            self.assertIn(words, answer.stderr)
            self.assertEqual(answer.stderr.count("\n"), 1)
        self.assertIn("100 to 8192 points", in_node("banks", LINK, "5", "5").stderr)

    def test_the_page_makes_the_same_figure(self):
        if not chromium.find_browser() or not (page_test.PAGE / "index.html").is_file():
            self.skipTest("no Chromium, or no page in dist/page")
        with page_test.Served() as address, chromium.Browser() as browser:
            browser.open(address + "?one-thread#lesson=reduction")
            page_test.wait_for_start(browser)
            made = browser.evaluate(f"Module.figure('banks', {json.dumps(LINK)})")
            self.assertEqual(made, self.svg("banks", LINK))
            self.assertIn("there is no figure", browser.evaluate("(() => { try { Module.figure('x', ''); } catch (e) { return e.message; } })()"))
            self.assertEqual(browser.evaluate("document.title"), "Reduction and scan – Lanescope")


if __name__ == "__main__":
    if not PROGRAM.is_file():
        print("app/page test builds figure_of_link.js", file=sys.stderr)
        sys.exit(77)
    unittest.main()
