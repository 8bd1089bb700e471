"""The JUnit XML of `lanescope report`: valid by the schema of Jenkins' xUnit plugin, which pytest's source distribution has
(testing/example_scripts/junit-10.xsd). The variable JUNIT_SCHEMA names the file, xmllint (Debian's libxml2-utils) validates; without them
exit status 77.

Usage: junit_test.py BUILD_FOLDER
"""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() / "lanescope"
SCHEMA = os.environ.get("JUNIT_SCHEMA", "")
RACE = """extern "C" __global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = out[2 * threadIdx.x];
  out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


class JUnit(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory(prefix="lanescope-junit-")
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)
        self.source = self.folder / "a \x1b<&\">é.cu"
        self.source.write_text(RACE, encoding="utf-8")

    def report(self, *words):
        tool.printed_by(PROGRAM, "report", self.source.name, "--grid", "1", "--block", "64", "--arg", "out=f32[128]:iota", *words,
                        statuses=(0, 1), cwd=self.folder, env={**os.environ, "HOME": str(self.folder)})

    def complaint(self, file):
        """What the validator says; empty: the file is valid."""
        done = tool.printed_by("xmllint", "--noout", "--schema", SCHEMA, file, statuses=(0, 3), cwd=self.folder)
        return done.stderr if done.returncode else ""

    def test_it_is_valid(self):
        self.report("--junit", "failed.xml")
        self.report("-o", "base.json")
        self.report("--against", "base.json", "--junit", "passed.xml")
        for name in ("failed.xml", "passed.xml"):
            self.assertEqual(self.complaint(name), "")
        suite = xml.etree.ElementTree.parse(self.folder / "failed.xml").getroot().find("testsuite")
        self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
        self.assertEqual(int(suite.get("tests")), len(suite.findall("testcase")))
        defect = (self.folder / "failed.xml").read_text(encoding="utf-8").replace(" name=", " nam=")
        (self.folder / "defect.xml").write_text(defect, encoding="utf-8")
        self.assertIn("nam", self.complaint("defect.xml"))


if __name__ == "__main__":
    if not os.path.exists(SCHEMA) or shutil.which("xmllint") is None:
        print("skipped: JUNIT_SCHEMA names no schema, or xmllint is not installed")
        sys.exit(77)
    unittest.main()
