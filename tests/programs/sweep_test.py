"""lanescope.read_sweep() on a database of the real program: sweep_test.py LANESCOPE. The frame itself is tested where pandas is."""

import importlib.util
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app/python"))
import lanescope  # noqa: E402
from lanescope import sweep  # noqa: E402

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "lanescope"
HAS_PANDAS = importlib.util.find_spec("pandas") is not None
# Stores a word for each thread into an array of 64: 2 warps of 4 sectors each. A block of 96 goes beyond its end.
STORE = """.version 7.8
.target sm_90
.address_size 64
.entry store(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %a<4>;
  ld.param.u64 %a1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %a2, %r1, 4;
  add.u64 %a3, %a1, %a2;
  st.global.u32 [%a3], %r1;
  ret;
}
"""


class ReadSweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="lanescope-sweep-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        (cls.folder / "store.ptx").write_text(STORE, encoding="utf-8")
        cls.file = cls.folder / "s.sqlite"
        done = subprocess.run([PROGRAM, "sweep", cls.folder / "store.ptx", "--arg", "u32[64]:zeros", "-D", "MODE=plain,fast",
                               "--block", "32,64,96,2048", "-o", cls.file], capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr  # two blocks are too large

    def test_columns_have_the_axes_and_the_counts(self):
        columns = sweep.read_columns(self.file)
        self.assertEqual(columns["number"], list(range(8)))
        self.assertEqual(columns["MODE"], ["plain"] * 4 + ["fast"] * 4)
        self.assertEqual(columns["block"], [32, 64, 96, 2048] * 2)
        self.assertEqual(columns["global_store_sectors"][:2], [4, 8])
        self.assertEqual(columns["sectors"][:2], [4, 8])
        self.assertEqual(columns["out_of_bounds"], [0, 0, 1, None] * 2)
        self.assertIsNone(columns["sectors"][3])
        self.assertIn("2048", columns["problem"][3])
        self.assertEqual(columns["provenance"][:2], ["emulated"] * 2)

    def test_numbers_of_an_axis_are_numbers(self):
        self.assertEqual(sweep.as_numbers(["1", "-2"]), [1, -2])
        self.assertEqual(sweep.as_numbers(["0.5", "1"]), [0.5, 1.0])
        self.assertEqual(sweep.as_numbers(["1", "1x2"]), ["1", "1x2"])

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_the_frame_is_of_pandas(self):
        frame = lanescope.read_sweep(str(self.file))
        self.assertEqual(len(frame), 8)
        self.assertEqual(frame.index.name, "number")
        sums = frame[frame.problem.isna()].groupby("block").sectors.sum()
        self.assertEqual(list(sums[[32, 64]]), [8, 16])

    def test_without_pandas_a_sentence_says_so(self):
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(lanescope.LanescopeError, "pip install pandas"):
            lanescope.read_sweep(self.file)

    def test_other_files_are_refused_in_a_sentence(self):
        other = self.folder / "other.sqlite"
        with sqlite3.connect(other) as database:
            database.execute("CREATE TABLE t (x)")
        database.close()
        (self.folder / "text.sqlite").write_text("x" * 1000, encoding="utf-8")
        for name, sentence in (("other.sqlite", "not that of a sweep"), ("text.sqlite", "cannot be read"),
                               ("none.sqlite", "there is no such file")):
            with self.subTest(name), self.assertRaisesRegex(lanescope.LanescopeError, sentence):
                sweep.read_columns(self.folder / name)
        self.assertFalse((self.folder / "none.sqlite").exists())


if __name__ == "__main__":
    unittest.main()
