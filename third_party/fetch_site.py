"""Fetches MkDocs and what it imports (pypi-site.txt) into .cache/third_party/site, for app/site.

A file of its own beside fetch.py, whose means it uses: a change of fetch.py has everything fetched again.
Usage: fetch_site.py PROJECT_ROOT. Exit status: 0 fine, 1 with one sentence on standard error.
"""

import fcntl
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fetch


def make_site(pins, downloads, target, logs):
    fetch.download(pins[0], downloads, logs / "pip-site.log", "--only-binary", ":all:")
    for wheel in sorted(downloads.glob("*.whl")):
        fetch.unpack_wheel(wheel, target, lambda inside: inside)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    cache = root / ".cache"
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one set-up at a time in this checkout
        try:
            fetch.make(cache, "site", [root / "third_party/pypi-site.txt"], make_site)
        except fetch.Failure as failure:
            fetch.say(str(failure))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
