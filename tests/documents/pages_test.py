"""README.md and the pages of app/docs: every link leads to a file and a heading, every page is found from the index and has its place in
the site, French pages are set as French is.

Method: reads the pages; builds nothing. A heading's name is made as code hosts make it. The commands of the pages are run by
tests/cli/documents_test.cpp. Usage: pages_test.py [Pages.test_NAME]
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app/packaging/site"))
import build  # what is a link, what is code: one reading for the site and for this test

DOCS = ROOT / "app/docs"
HEADING = re.compile(r"#{1,6} +(.*?)\s*$")
SHORT_PAGES = ("ubuntu.md", "wsl.md", "colab.md")


def name_of(path):
    return str(path.relative_to(ROOT))


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def headings_of(text):
    """The names by which a link means a heading: letters, digits, hyphens and underscores, the second of a name with -1."""
    names = []
    for line, is_text in build.outside_code(text.splitlines()):
        if is_text and (match := HEADING.match(line)):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1])
            name = re.sub(r"[^\w\- ]", "", plain.lower().replace("\u00a0", "")).replace(" ", "-")
            names.append(name if name not in names else f"{name}-{names.count(name)}")
    return names


def pages_reached_from(start):
    """Pages of app/docs that links lead to, one after the other."""
    reached, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        for target in build.links_of(text_of(page)):
            file = build.linked_file(page, target)
            if file and file.endswith(".md") and file not in reached:
                reached.add(file)
                waiting.append(file)
    return reached


class Pages(unittest.TestCase):
    def claim_none(self, wrong):
        if wrong:
            self.fail("\n" + "\n".join(wrong))

    def test_every_link_leads_to_a_file_and_a_heading(self):
        wrong, count = [], 0
        pages = ["README.md", *(page for page in build.files_of_site() if page.endswith(".md"))]
        for page in dict.fromkeys(pages):
            for target in build.links_of(text_of(page)):
                if build.is_address(target):
                    continue
                count += 1
                file = build.linked_file(page, target) or page
                heading = target.partition("#")[2]
                if not (ROOT / file).is_file():
                    wrong.append(f"{page}: {target} is no file")
                elif heading and heading not in headings_of(text_of(file)):
                    wrong.append(f"{page}: {file} has no heading #{heading}; it has {', '.join(headings_of(text_of(file)))}")
        self.claim_none(wrong)
        self.assertGreater(count, 150, "few links were found: the check itself is broken")

    def test_no_link_is_split_over_two_lines(self):
        """It would be read by no test, and not be followed by the site."""
        wrong = []
        for page in (file for file in ["README.md", *build.files_of_site()] if file.endswith(".md")):
            text = "\n".join(line for line, is_text in build.outside_code(text_of(page).splitlines()) if is_text)
            wrong += [f"{page}: {match}" for match in re.findall(r"\[[^\]\n|]*\n[^\]\n]*\]\([^)]*\)", text)]
        self.claim_none(wrong)

    def test_every_page_is_reached_from_the_index(self):
        reached = pages_reached_from("app/docs/index.md")
        self.claim_none([f"{name_of(page)}: no link leads there from app/docs/index.md" for page in sorted(DOCS.glob("*.md"))
                         if name_of(page) not in reached])
        french = pages_reached_from("app/docs/index.fr.md")
        self.claim_none([f"{name_of(page)}: no link leads there from app/docs/index.fr.md" for page in sorted(DOCS.glob("*.fr.md"))
                         if name_of(page) not in french])

    def test_the_index_itself_names_every_page(self):
        named = {build.linked_file("app/docs/index.md", target) for target in build.links_of(text_of("app/docs/index.md"))}
        self.claim_none([f"{name_of(page)} is missing in app/docs/index.md" for page in sorted(DOCS.glob("*.md"))
                         if not page.name.endswith(".fr.md") and page.name != "index.md" and name_of(page) not in named])

    def test_every_page_has_its_place_in_the_site(self):
        listed = re.findall(r": ([\w./]+\.md)$", (ROOT / "app/packaging/site/mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
        pages = sorted(path.name for path in DOCS.glob("*.md"))
        self.assertEqual(sorted(name for name in listed if "/" not in name), pages)

    def test_a_french_page_has_an_english_one(self):
        self.claim_none([f"{name_of(page)} has no English page beside it" for page in DOCS.glob("*.fr.md")
                         if not page.with_name(page.name.replace(".fr.md", ".md")).is_file()])

    def test_french_marks_have_no_break_spaces(self):
        wrong, count = [], 0
        for page in sorted(DOCS.glob("*.fr.md")):
            for number, (line, is_text) in enumerate(build.outside_code(page.read_text(encoding="utf-8").splitlines()), 1):
                if not is_text:
                    continue
                line = re.sub(r"`[^`]*`|\]\([^)]*\)|\*\(en anglais\)\*", "", line)
                count += len(re.findall(r"\u00a0[:;?!»%]", line))
                if re.search(r"[ \w»)*][:;?!](?=\s|$)|[ \w]%|« ", re.sub(r"\u00a0[:;?!»%]", "", line).replace("In English:", "")):
                    wrong.append(f"{name_of(page)}:{number}: a no-break space is missing before a mark")
                if "'" in line:
                    wrong.append(f"{name_of(page)}:{number}: ' in place of ’")
        self.claim_none(wrong)
        self.assertGreater(count, 50, "few marks were found: the check itself is broken")

    def test_short_pages_are_short(self):
        for name in SHORT_PAGES:
            with self.subTest(name):
                self.assertLessEqual(len(text_of(f"app/docs/{name}").splitlines()), 20)

    def test_packages_have_the_version_of_the_program(self):
        version = re.search(r"project\(lanescope VERSION ([\d.]+)", text_of("CMakeLists.txt"))[1]
        named = {(page, found) for page in build.files_of_site() if page.startswith(build.DOCS) and page.endswith(".md")
                 for found in re.findall(r"lanescope[-_](\d+\.\d+\.\d+)", text_of(page))}
        named |= {("README.md", found) for found in re.findall(r"lanescope[-_](\d+\.\d+\.\d+)", text_of("README.md"))}
        self.assertEqual([one for one in sorted(named) if one[1] != version], [])
        self.assertGreater(len(named), 2, "few packages were found: the check itself is broken")

    def test_pictures_are_small_and_drawn_by_the_program(self):
        """The gallery's script names each; the one of a notebook is Jupyter's."""
        script = text_of("tests/gui/gallery")
        wrong = []
        for page in (path for path in build.files_of_site() if path.startswith(build.DOCS) and path.endswith(".md")):
            for target in build.links_of(text_of(page)):
                file = build.linked_file(page, target) or ""
                if not file.endswith(".png") or not file.startswith("assets/gallery/"):
                    continue
                picture = pathlib.PurePosixPath(file).stem
                if picture != "notebook" and not re.search(rf"\b{picture}\b", script):
                    wrong.append(f"{page}: {file} is not drawn by tests/gui/gallery")
                if (ROOT / file).stat().st_size > 250_000:
                    wrong.append(f"{page}: {file} is large")
        self.claim_none(wrong)


if __name__ == "__main__":
    unittest.main()
