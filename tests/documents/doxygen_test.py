"""Doxygen reads the comments of all headers of app/ without a warning: no unknown command, no parameter that is not there, no broken
reference. Whether a declaration needs a comment is left to its author. Where doxygen is not installed, the test is
skipped: exit status 77.

Method: Doxygen's configuration comes by standard input; it writes XML into a temporary folder, since it reads comments only as it writes
them. base/text_ids.h, which the build makes, is an empty file here. Usage: doxygen_test.py
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = {
    "FILE_PATTERNS": "*.h", "RECURSIVE": "YES", "EXTRACT_ALL": "YES", "WARN_IF_DOC_ERROR": "YES", "WARN_NO_PARAMDOC": "NO",
    "HAVE_DOT": "NO", "GENERATE_HTML": "NO", "GENERATE_LATEX": "NO",
    "GENERATE_XML": "YES", "XML_PROGRAMLISTING": "NO", "QUIET": "YES",
}


def read_headers(folder):
    """(warnings, number of headers that were read)"""
    with tempfile.TemporaryDirectory(prefix="lanescope-doxygen-") as out:
        made = pathlib.Path(out, "made/base/text_ids.h")
        made.parent.mkdir(parents=True)
        made.touch()
        options = {**OPTIONS, "INPUT": folder, "OUTPUT_DIRECTORY": out, "INCLUDE_PATH": f"{ROOT}/app {out}/made"}
        lines = [f"{name} = {value}" for name, value in options.items()]
        done = subprocess.run(["doxygen", "-"], input="\n".join(lines), capture_output=True, text=True)
        headers = len([*pathlib.Path(out).rglob("*_8h.xml")])
    return sorted({line for line in (done.stdout + done.stderr).splitlines() if line.strip()}), headers


class Doxygen(unittest.TestCase):
    def test_the_headers_have_no_warning(self):
        warnings, headers = read_headers(ROOT / "app")
        self.assertEqual([re.sub(re.escape(f"{ROOT}/"), "", line) for line in warnings], [])
        self.assertGreater(headers, 500, "few headers were read: the check itself is broken")

    def test_a_wrong_comment_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "wrong.h").write_text("#pragma once\n/// Takes \\nonsense.\nint f(int x);\n")
            warnings, _ = read_headers(folder)
        self.assertEqual(len(warnings), 1)
        self.assertIn("nonsense", warnings[0])


if __name__ == "__main__":
    if not shutil.which("doxygen"):
        print("doxygen is not installed: apt-get install doxygen")
        sys.exit(77)
    unittest.main()
