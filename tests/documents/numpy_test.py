"""The example in Python of app/docs/trace_files.md, run as it is on a kernel whose addresses are known. Usage: numpy_test.py LANESCOPE

Needs NumPy, in this Python or in an environment of tests/programs/run_clients; matplotlib, whose drawing is not looked at, is stood in for."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
try:
    import numpy as np
except ImportError:
    others = [ROOT / ".cache/programs" / name / "bin/python" for name in ("jupyter", "numba", "triton")]
    found = [str(path) for path in others if path.exists() and str(path) != sys.executable]
    if found and "NUMPY_WAS_SOUGHT" not in os.environ:
        os.environ["NUMPY_WAS_SOUGHT"] = "1"
        os.execv(found[0], [found[0], "-B", *sys.argv])
    print("skipped: NumPy is not installed; tests/programs/run_clients jupyter installs it")
    sys.exit(77)

LANESCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())
KERNEL = """__global__ void gather(const float* x, float* y) {
  const int i = threadIdx.x;
  if (i % 3 == 0) y[i] = x[i * i % 64];
}
"""


class Example(unittest.TestCase):
    def setUp(self):
        text = (ROOT / "app/docs/trace_files.md").read_text(encoding="utf-8")
        (self.example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.enterContext(mock.patch.dict(os.environ))
        before = os.getcwd()
        os.chdir(self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(os.chdir, before)
        pathlib.Path("mine.cu").write_text(KERNEL)
        for words in (["trace", "mine.cu", "--block", "32", "--arg", "x=f32[64]:iota", "--arg", "y=f32[32]:zeros", "--save", "mine.lane"],
                      ["export", "mine.lane", "--to", "npz"]):
            subprocess.run([LANESCOPE, *words], check=True, capture_output=True)

    def test_it_gives_the_addresses_of_the_kernel(self):
        drawn = mock.MagicMock()
        package = types.ModuleType("matplotlib")
        package.pyplot = drawn
        names = {}
        with mock.patch.dict(sys.modules, {"matplotlib": package, "matplotlib.pyplot": drawn}), mock.patch("builtins.print") as printed:
            exec(compile(self.example, "trace_files.md", "exec"), names)
        lanes = [lane for lane in range(32) if lane % 3 == 0]
        # A load of x, whose addresses have no stride, and a store of y; both by 11 lanes. Buffers count from 1 in bits 40 and up.
        self.assertEqual(len(names["trace"]["site"]), 2)
        wanted = [[(1 << 40) + 4 * (lane * lane % 64) for lane in lanes], [(2 << 40) + 4 * lane for lane in lanes]]
        for access, addresses in enumerate(wanted):
            active, found = names["addresses"](access)
            self.assertEqual((active.tolist(), found.tolist()), (lanes, addresses))
        self.assertGreaterEqual(names["trace"]["first"][0], 0, "the first access was to have a list")
        self.assertEqual(names["trace"]["first"][1], -1)
        self.assertEqual(printed.call_args.args[1:], (3, "if (i % 3 == 0) y[i] = x[i * i % 64];"))
        # The squares of 0, 3, 6, ... modulo 64 lie in 6 sectors, where 2 would hold 11 floats; the store has 4, so that the load is drawn.
        offsets = drawn.scatter.call_args.args[0]
        self.assertEqual((np.asarray(offsets, np.uint64) // np.uint64(4)).tolist(), [0, 9, 36, 17, 16, 33, 4, 57, 0, 25, 4])


if __name__ == "__main__":
    unittest.main()
