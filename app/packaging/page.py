"""Puts the page together in dist/page/: what browsers load, each large file compressed, so that any server of files serves 4 MB and
not 13. Usage: page.py [--quick], in the project's folder. Tests: tests/page/page_test.py, tests/page/offline_test.py

What a page loads lies in a folder of the version's name, which is made of the files' contents: a browser that has kept some of an older
version's files never mixes them with this one's.
"""

import gzip
import hashlib
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "dist/page"
SOURCES = ROOT / "app/shell/page"


def compress(source, target):
    """The same bytes for the same source."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as stream:
        stream.write(source.read_bytes())


def fill(folder, builds):
    """All that a page loads by its version. `builds`: of each folder of programs."""
    for name, build in builds.items():
        compress(build / "lanescope.wasm", folder / name / "lanescope.wasm.packed")
        shutil.copy(build / "lanescope.js", folder / name)
    compress(builds["plain"] / "lanescope.data", folder / "lanescope.data.packed")  # the same files for both
    for texts in sorted((ROOT / "dist/texts").glob("*")):
        compress(texts, folder / "ptx" / f"{texts.name}.packed")
    compress(builds["plain"] / "sqlite.wasm", folder / "sqlite/sqlite.wasm.packed")
    shutil.copy(builds["plain"] / "sqlite.js", folder / "sqlite")
    for name in ("start.js", "touch.js", "explorer.js", "page.css"):
        (folder / name).write_text((SOURCES / name).read_text(encoding="utf-8").replace("@BUILDS@", " ".join(builds)), encoding="utf-8")


def files_of(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def version_of(folder):
    """A name for the contents, and for what starts them."""
    digest = hashlib.sha256()
    for path in [*(folder / name for name in files_of(folder)), SOURCES / "index.html", SOURCES / "offline.js"]:
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return "v-" + digest.hexdigest()[:12]


def explorer_page(index):
    """The page that may send to others: to the Compiler Explorer that its address names."""
    return index.replace("connect-src 'self'", "connect-src 'self' https: http://127.0.0.1:* http://localhost:*").replace(
        '<script src="@VERSION@/start.js">', '<script src="@VERSION@/explorer.js"></script>\n<script src="@VERSION@/start.js">')


def main():
    builds = {"plain": ROOT / "build-page/app"}
    if sys.argv[1:] != ["--quick"]:
        builds["threads"] = ROOT / "build-page-threads/app"
    new = TARGET / "new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    fill(new, builds)
    version = version_of(new)
    files = json.dumps([f"{version}/{name}" for name in files_of(new)])
    shutil.rmtree(TARGET / version, ignore_errors=True)
    new.rename(TARGET / version)
    index = (SOURCES / "index.html").read_text(encoding="utf-8")
    pages = {"check.js": None, "offline.js": None, "explorer.html": explorer_page(index), "index.html": index}
    for name, text in pages.items():
        text = text or (SOURCES / name).read_text(encoding="utf-8")
        (TARGET / name).write_text(text.replace("@VERSION@", version).replace("@FILES@", files), encoding="utf-8")
    shutil.copy(ROOT / "app/packaging/lanescope.svg", TARGET)
    shutil.copy(ROOT / "LICENSE", TARGET / "LICENSE.txt")
    for old in TARGET.glob("v-*"):
        if old.name != version:
            shutil.rmtree(old)
    # What `lanescope handout` puts into its pages.
    for name in ("handout", "sqlite"):
        compress(builds["plain"] / f"{name}.wasm", TARGET / name / f"{name}.wasm.packed")
        shutil.copy(builds["plain"] / f"{name}.js", TARGET / name)


if __name__ == "__main__":
    main()
