"""A class that works at once on one machine: thirty clients in Node and three pages in Chromium edit and compile five times each.

Usage: crowd_test.py [Crowd.test_NAME]. It prints the times to PTX. It needs what work_test.py needs and Node; exit status 77 where that is
missing.
"""

import concurrent.futures
import contextlib
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import chromium
import page_test
import work_test

CLIENTS, PAGES, EDITS = 30, 3, 5
WITHOUT_BARRIER = work_test.TILED.replace("__syncthreads();", "", 1)
FOUND = "no barrier is between them"


def told(numbers):
    return f"median {statistics.median(numbers):.1f} s, worst {max(numbers):.1f} s"


class Crowd(work_test.WorkTest):
    def seconds_of_a_page(self, browser, link):
        """Of each edit, from the paste to what a screen reader is told of the run: the barrier that is missing, or no longer."""
        seconds = []
        self.open(browser, link + "&one-thread#lesson=transpose&kernel=tiled")
        browser.chord("e")
        browser.rest_for(1)
        for edit in range(EDITS):
            browser.chord("a")
            began = time.monotonic()
            browser.paste(f"// edit {edit}\n" + (work_test.TILED if edit % 2 else WITHOUT_BARRIER))
            (self.silent if edit % 2 else self.spoken)(browser, FOUND)
            seconds.append(time.monotonic() - began)
        self.assertEqual(page_test.wrong_lines(browser), [])
        return seconds

    def test_thirty_clients_and_three_pages_lose_no_edit(self):
        with (page_test.Served("127.0.0.1", "--class", "--word", "tiles") as link, contextlib.ExitStack() as stack,
              concurrent.futures.ThreadPoolExecutor() as pool):
            browsers = [stack.enter_context(chromium.Browser()) for _ in range(PAGES)]
            port = re.search(r":(\d+)/", link)[1]
            pages = [pool.submit(self.seconds_of_a_page, browser, link) for browser in browsers]
            clients = pool.submit(subprocess.run, ["node", pathlib.Path(__file__).with_name("crowd_clients.js"), port, "tiles", str(CLIENTS),
                                                   str(EDITS)], check=True, capture_output=True, text=True)
            found = json.loads(clients.result().stdout)
            self.assertEqual(found["lost"], [])
            self.assertEqual(len(found["seconds"]), CLIENTS * EDITS)
            of_pages = [one for page in pages for one in page.result()]
            self.assertEqual(len(of_pages), PAGES * EDITS)
        print(f"to the PTX of {CLIENTS} clients: {told(found['seconds'])}; to the findings in {PAGES} pages: {told(of_pages)}", file=sys.stderr)


if __name__ == "__main__":
    if not shutil.which("node"):
        print("no Node was found; install Debian's nodejs", file=sys.stderr)
        sys.exit(77)
    page_test.run_tests()
