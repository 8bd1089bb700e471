"""Puts the page together in dist/page/: what browsers load, each large file compressed, so that any server of files serves 4 MB and
not 13. Usage: page.py [--quick], in the project's folder. Test: tests/page/page_test.py
"""

import gzip
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


def main():
    builds = {"plain": ROOT / "build-page/app"}
    if sys.argv[1:] != ["--quick"]:
        builds["threads"] = ROOT / "build-page-threads/app"
    for folder in ("plain", "threads", "ptx"):
        shutil.rmtree(TARGET / folder, ignore_errors=True)
    for folder, build in builds.items():
        (TARGET / folder).mkdir(parents=True)
        compress(build / "lanescope.wasm", TARGET / folder / "lanescope.wasm.packed")
        shutil.copy(build / "lanescope.js", TARGET / folder)
    compress(builds["plain"] / "lanescope.data", TARGET / "lanescope.data.packed")  # the same files for both
    for texts in sorted((ROOT / "dist/texts").glob("*")):
        compress(texts, TARGET / "ptx" / f"{texts.name}.packed")
    for name in ("index.html", "start.js", "touch.js", "page.css"):
        shutil.copy(SOURCES / name, TARGET)
    # What `lanescope handout` puts into its pages, and what saves traces.
    for name in ("handout", "sqlite"):
        compress(builds["plain"] / f"{name}.wasm", TARGET / name / f"{name}.wasm.packed")
        shutil.copy(builds["plain"] / f"{name}.js", TARGET / name)
    shutil.copy(ROOT / "app/packaging/lanescope.svg", TARGET)
    shutil.copy(ROOT / "LICENSE", TARGET / "LICENSE.txt")


if __name__ == "__main__":
    main()
