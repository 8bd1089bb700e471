"""The site of the documents: it builds without a warning, the same commit makes the same bytes, and no page loads anything from
another host. Where MkDocs is not fetched (app/site does it), the test is skipped: exit status 77.

Method: builds twice into a temporary folder and reads the files. What a browser makes of them: browser_test.py.
Usage: site_test.py [Site.test_NAME]
"""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FETCHED = ROOT / ".cache/third_party/site/.pins"


class Loaded(html.parser.HTMLParser):
    """What a page loads by itself, its language, and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.links, self.language = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "html":
            self.language = values.get("lang")
        elif tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload"):
            self.addresses.append(values.get("href") or "")
        self.addresses += [values[name] for name in ("src", "srcset", "poster") if values.get(name)]


def is_of_another_host(address):
    return re.match(r"(?:[a-z]+:)?//", address) is not None


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="lanescope-site-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.first = cls.build("first")
        cls.pages = {path: Loaded(path.read_text(encoding="utf-8")) for path in sorted(cls.first.rglob("*.html"))}

    @classmethod
    def build(cls, name):
        done = subprocess.run([sys.executable, "-B", ROOT / "app/packaging/site/build.py", cls.folder / name], capture_output=True, text=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return cls.folder / name

    def test_every_page_of_the_documents_is_a_page_of_the_site(self):
        made = {path.name for path in self.pages}
        self.assertLessEqual({page.name.replace(".md", ".html") for page in (ROOT / "app/docs").glob("*.md")}, made)

    def test_no_page_loads_from_another_host(self):
        for path, page in self.pages.items():
            self.assertEqual([address for address in page.addresses if is_of_another_host(address)], [], path.name)
        for path in self.first.rglob("*.css"):
            self.assertEqual([address for address in re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", path.read_text(encoding="utf-8"))
                              if is_of_another_host(address)], [], path.name)

    def test_what_a_page_loads_is_there(self):
        for path, page in self.pages.items():
            if path.name == "404.html":  # a server shows it below any address
                continue
            for address in page.addresses + [link for link in page.links if not re.match(r"[a-z]+:|#", link)]:
                file = path.parent / re.split(r"[?#]", address)[0]
                if not address.startswith("data:") and not re.match(r"[a-z]+:", address):
                    self.assertTrue(file.exists() or not re.split(r"[?#]", address)[0], f"{path.name}: {address}")

    def test_a_page_says_its_language(self):
        for path, page in self.pages.items():
            self.assertEqual(page.language, "fr" if path.name.endswith(".fr.html") else "en", path.name)

    def test_the_search_knows_both_languages(self):
        text = (self.first / "search/search_index.json").read_text(encoding="utf-8")
        found = {entry["location"].partition("#")[0] for entry in json.loads(text)["docs"] if "swizzle" in entry["text"].lower()}
        self.assertIn("layouts.html", found)
        self.assertIn("first_tasks.fr.html", found)

    def test_the_same_commit_makes_the_same_bytes(self):
        second = self.build("second")
        files = [path.relative_to(self.first) for path in sorted(self.first.rglob("*")) if path.is_file()]
        self.assertEqual(files, [path.relative_to(second) for path in sorted(second.rglob("*")) if path.is_file()])
        self.assertEqual([str(file) for file in files if (self.first / file).read_bytes() != (second / file).read_bytes()], [])


if __name__ == "__main__":
    if not FETCHED.is_file():
        print("MkDocs is not fetched: app/site does it")
        sys.exit(77)
    unittest.main()
