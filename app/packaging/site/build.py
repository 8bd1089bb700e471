"""The documents as a site: stages the pages of app/docs and what they link to, and has MkDocs build them.

Usage: build.py FOLDER, after third_party/fetch_site.py (app/site runs both).
Method: the sources stay plain Markdown that reads well on a code host, with links between files of the repository. Every page of
app/docs is a page of the site; a file elsewhere that a page links to becomes a page or a file below `project/`, and links are
rewritten to follow. Python's Markdown wants an empty line before a list, which GitHub's does not; it is added here. A link to a missing
file, page or heading ends the build (`strict`). Dates are of SOURCE_DATE_EPOCH, so that the same commit makes the same bytes.
Test: tests/documents/site_test.py
"""

import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
DOCS = "app/docs/"
FETCHED = ROOT / ".cache/third_party/site"
LINK = re.compile(r"(!?\[[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*\]\()([^)\s]+)(\))")
ITEM = re.compile(r"(?:[-*+]|1\.) \S")


class Failure(Exception):
    """One sentence for the person at the terminal."""


def is_address(target):
    return re.match(r"[a-z]+:", target) is not None


def place_of(file):
    """Where a file of the repository is staged. `README.md` and `index.md` would both be the first page of a folder."""
    return file[len(DOCS):] if file.startswith(DOCS) else "project/" + file


def linked_file(page, target):
    """The file of the repository that a link of a page means; None: an address, or a heading of the page itself."""
    name = target.partition("#")[0]
    if not name or is_address(target):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), name))


def follow(page, target):
    """The link as the staged page has it."""
    file = linked_file(page, target)
    if file is None:
        return target
    heading = target.partition("#")[2]
    path = posixpath.relpath(place_of(file), posixpath.dirname(place_of(page)) or ".")
    return path + ("#" + heading if heading else "")


def outside_code(lines):
    """(line, whether it is text): not indented by four or more as code is, and not between fences."""
    fenced = False
    for line in lines:
        is_fence = line.lstrip().startswith("```")
        yield line, not (fenced or is_fence or line.startswith("    "))
        fenced ^= is_fence


def links_of(text):
    for line, is_text in outside_code(text.splitlines()):
        if is_text:
            for match in LINK.finditer(re.sub(r"`[^`]*`", lambda code: "`" * len(code[0]), line)):
                yield match[2]


def staged_text(page, text):
    out, before = [], ""
    for line, is_text in outside_code(text.splitlines()):
        if is_text:
            # Inside a list, and after its first line, no empty line is missing.
            if ITEM.match(line) and before and not ITEM.match(before) and not re.match(r"\s|#|\d+\. ", before):
                out.append("")
            line = LINK.sub(lambda match: match[1] + follow(page, match[2]) + match[3], line)
        out.append(line)
        before = line
    return "\n".join(out) + "\n"


def files_of_site():
    """The pages of app/docs and all that can be reached from them by links, as names of files of the repository."""
    waiting = sorted(str(path.relative_to(ROOT)) for path in (ROOT / DOCS).glob("*.md"))
    known = set(waiting)
    while waiting:
        page = waiting.pop()
        if not page.endswith(".md"):
            continue
        for target in links_of((ROOT / page).read_text(encoding="utf-8")):
            file = linked_file(page, target)
            if file is None or file in known:
                continue
            if not (ROOT / file).is_file():
                raise Failure(f"{page} links to {target}, which is no file; name a file")
            known.add(file)
            waiting.append(file)
    return sorted(known)


def stage(folder):
    for file in files_of_site():
        place = folder / place_of(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.endswith(".md"):
            place.write_text(staged_text(file, (ROOT / file).read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(ROOT / file, place)
    for name in ("iframe-worker.js", "site.css"):
        (folder / "style").mkdir(exist_ok=True)
        shutil.copyfile(HERE / name, folder / "style" / name)
    shutil.copyfile(ROOT / "app/packaging/lanescope.svg", folder / "style/lanescope.svg")


def build(pages, target):
    """MkDocs counts warnings for --strict only where it may say them, so it is not asked to be quiet."""
    environment = {**os.environ, "PYTHONPATH": str(FETCHED), "PYTHONDONTWRITEBYTECODE": "1", "NO_MKDOCS_2_WARNING": "1",
                   "LANESCOPE_SITE_PAGES": str(pages)}
    done = subprocess.run([sys.executable, "-s", "-m", "mkdocs", "build", "--strict", "--clean", "--config-file",
                           str(HERE / "mkdocs.yml"), "--site-dir", str(target)],
                          env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.startswith(("WARNING", "ERROR", "Aborted"))]
        raise Failure("MkDocs refused the pages: " + "; ".join(said or done.stderr.splitlines()[-3:]))


def main():
    target = pathlib.Path(sys.argv[1]).absolute()
    try:
        with tempfile.TemporaryDirectory(prefix="lanescope-pages-") as pages:
            stage(pathlib.Path(pages))
            build(pages, target)
    except Failure as failure:
        print(f"site: {failure}", file=sys.stderr)
        return 1
    print(target / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
