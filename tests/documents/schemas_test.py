"""app/docs/schemas: the reports of the program are valid, and reports with a defect are not. Usage: schemas_test.py BUILD_FOLDER"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() / "lanescope"
SCHEMAS = ROOT / "app/docs/schemas"
KERNEL = "#include <cstdio>\n__global__ void twice(int *a) { a[threadIdx.x] *= 2; }\n"
PROGRAM_TEXT = KERNEL + "int main() { int *a; cudaMalloc(&a, 128); cudaMemset(a, 0, 128); twice<<<1, 32>>>(a); return cudaDeviceSynchronize(); }\n"


@unittest.skipIf(jsonschema is None, "Debian's python3-jsonschema is not installed")
class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="lanescope-schemas-")
        cls.folder = pathlib.Path(cls.holder.name)
        cls.addClassCleanup(cls.holder.cleanup)

    def run_program(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "HOME": str(self.folder)})

    def report(self, *words):
        """A report in JSON; a defect in the kernel, with status 1, is no failure."""
        done = self.run_program(*words, "--json", "report.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    @staticmethod
    def errors(name, report):
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(report)]

    def test_traces(self):
        for words in (("--lesson", "transpose", "--set", "size=64"), ("--lesson", "races"),
                      ("--lesson", "transpose", "--set", "size=64", "--device", "gt200"),
                      ("--lesson", "transpose", "--set", "size=64", "--history", "0,0,0:0")):
            with self.subTest(words):
                self.assertEqual(self.errors("trace", self.report("trace", *words)), [])

    def test_several_launches(self):
        (self.folder / "two.cu").write_text(KERNEL, encoding="utf-8")
        (self.folder / "two.toml").write_text(
            'file = "two.cu"\n[buffers]\na = "i32[32]:iota"\n'
            + '[[launch]]\nkernel = "twice"\ngrid = 1\nblock = 32\narguments = ["a"]\n' * 2, encoding="utf-8")
        done = self.run_program("trace", "two.toml", "--json", "two.json")
        if "NVRTC" in done.stderr:
            self.skipTest("NVRTC is not fetched")
        report = json.loads((self.folder / "two.json").read_text(encoding="utf-8"))
        self.assertEqual(len(report["launches"]), 2)
        self.assertEqual(self.errors("trace", report), [])

    def test_kernels_and_a_figure(self):
        solution = ROOT / "assets/lessons/transpose/exercises/tiled/solution.cu"
        self.assertEqual(self.errors("kernels", self.report("kernels", solution)), [])
        self.run_program("plot", "--lesson", "transpose", "--set", "size=64", "--figure", "banks", "-o", "banks.json")
        self.assertEqual(self.errors("figure", json.loads((self.folder / "banks.json").read_text(encoding="utf-8"))), [])

    def report_of(self, *words):
        """A report of `report`; a hazard in it, with status 1, is no failure."""
        done = self.run_program("report", *words, "-o", "report.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    def test_reports(self):
        for words in (("--lesson", "transpose", "--set", "size=64", "--set", "kernel=naive"), ("--lesson", "races"),
                      ("--lesson", "transpose", "--set", "size=64", "--device", "ampere"),
                      ("--lesson", "transpose", "--set", "size=64", "--blocks", "none")):
            with self.subTest(words):
                self.assertEqual(self.errors("report", self.report_of(*words)), [])
        self.report_of("--lesson", "transpose", "--set", "size=64")
        (self.folder / "report.json").rename(self.folder / "base.json")
        compared = self.report_of("--lesson", "transpose", "--set", "size=64", "--set", "kernel=naive", "--against", "base.json")
        self.assertEqual(self.errors("report", compared), [])
        compared["launches"][0]["findings"][0]["kind"] = "cake"
        self.assertNotEqual(self.errors("report", compared), [])

    def test_checks(self):
        solution = ROOT / "assets/lessons/transpose/exercises/tiled/solution.cu"
        self.assertEqual(self.errors("check", self.report("check", "transpose/tiled", solution)), [])
        (self.folder / "anna").mkdir()
        (self.folder / "anna/tiled.cu").write_bytes(solution.read_bytes())
        self.assertEqual(self.errors("check", self.report("check", "transpose/tiled", "--all", self.folder / "anna")), [])
        self.assertEqual(self.errors("check", self.report("check", "--all", self.folder)), [])

    def test_a_program(self):
        (self.folder / "program.cu").write_text(PROGRAM_TEXT, encoding="utf-8")
        done = self.run_program("run", "program.cu", "--json", "run.json")
        if done.returncode == 1 and "nvcc" in done.stderr:
            self.skipTest("nvcc is not fetched")
        report = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(len(report["launches"]), 1)
        self.assertEqual(self.errors("run", report), [])

    def test_a_defect_is_found(self):
        report = self.report("trace", "--lesson", "races")
        for path, value in ((("totals",), None), (("sites", 0, "requests"), -1), (("hazards", 0, "message"), 3), (("launch", "grid"), [1, 2])):
            broken = json.loads(json.dumps(report))
            at = broken
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = value
            self.assertNotEqual(self.errors("trace", broken), [], path)
        del report["seconds"]
        self.assertNotEqual(self.errors("trace", report), [])


if __name__ == "__main__":
    unittest.main()
