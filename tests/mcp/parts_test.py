"""The parts of the server for agents that need no SDK: arguments, paths, schemas, the options, and its start without the SDK.
Usage: parts_test.py LANESCOPE [CLASS.test_NAME]"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app/python"))
from lanescope.mcp import answers, checking, places, schemas, values  # noqa: E402
from lanescope.program import LanescopeError  # noqa: E402

LANESCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Folder(unittest.TestCase):
    def setUp(self):
        self.holder = self.enterContext(tempfile.TemporaryDirectory())
        self.root = os.path.join(self.holder, "project")
        os.makedirs(os.path.join(self.root, "inc"))
        self.write("../secret.cu", "secret")
        self.write("a.cu", '#include "inc/b.cuh"\n#include <cstdio>\n')
        self.write("inc/b.cuh", '#include "../c.cuh"\n')
        self.write("c.cuh", "")
        self.places = places.Places(self.root, 1000)

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w") as file:
            file.write(text)

    def refused(self, sentence, call, *words):
        with self.assertRaisesRegex(LanescopeError, sentence):
            call(*words)

    def test_a_file_below_the_folder_is_given_relative_to_it(self):
        self.assertEqual(self.places.file("a.cu"), "a.cu")
        self.assertEqual(self.places.file(os.path.join(self.root, "inc/../a.cu")), "a.cu")

    def test_a_path_that_leaves_the_folder_is_refused(self):
        os.symlink("../secret.cu", os.path.join(self.root, "link.cu"))
        os.symlink("..", os.path.join(self.root, "up"))
        for name in ("../secret.cu", "/etc/passwd", "link.cu", "up/secret.cu", "inc/../../secret.cu", self.root + "/../secret.cu",
                     self.root + "2/a.cu"):
            self.refused("outside of the folder", self.places.file, name)
        for name in ("none.cu", "inc"):
            self.refused("no file below the folder", self.places.file, name)
        self.refused("zero byte", self.places.file, "a\0.cu")

    def test_an_include_that_leaves_the_folder_is_refused(self):
        for text in ('#include "/etc/passwd"', "#include </etc/passwd>", '  #  include "../secret.cu"', "#include <../secret.cu>",
                     '%:include "/etc/passwd"', '#/* */include "/etc/passwd"', '#inc\\\nlude "/etc/passwd"', '#include_next "/etc/passwd"',
                     '#embed "/etc/passwd"', '// \\\nx\n#include "/etc/passwd"'):
            self.refused("outside of the folder", self.places.check_includes, text, self.root)
        self.refused("a macro may not", self.places.check_includes, '#define X "/etc/passwd"\n#include X\n', self.root)

    def test_a_header_of_the_folder_is_read_too(self):
        self.write("c.cuh", '#include "b.cuh"\n#include "../secret.cu"\n')
        self.refused("'../secret.cu'.*outside", self.places.file, "a.cu")

    def test_comments_and_strings_include_nothing(self):
        self.places.check_includes('// #include "/a"\n/*\n#include "/b"\n*/\nconst char* s = "//";  // "\n', self.root)

    def test_a_large_source_is_refused(self):
        self.write("c.cuh", "x" * 1001)
        self.refused("'c.cuh' has 1,001 bytes, and 1,000 at most", self.places.file, "a.cu")


class Values(unittest.TestCase):
    def passed(self, *given, most=1 << 20):
        for n, one in enumerate(given):
            checking.check(one, schemas.ARGUMENT, f"arguments[{n}]")
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        return values.pass_all(list(given), self.folder, most)

    def refused(self, sentence, *given, **more):
        with self.assertRaisesRegex(LanescopeError, sentence):
            self.passed(*given, **more)

    def test_arguments_are_words_of_trace(self):
        words, buffers = self.passed({"name": "x", "type": "f32", "shape": [2, 3], "init": "fill(1.5)"}, {"type": "i32", "value": -7},
                                     {"same_as": "x"})
        self.assertEqual(words, ["--arg", "x=f32[2x3]:fill(1.5)", "--dump", f"0={self.folder}/0.out", "--arg", "arg1=i32:-7", "--arg", "x"])
        self.assertEqual([one.shape for one in buffers], [(2, 3)])

    def test_values_are_little_endian_bytes(self):
        words, _ = self.passed({"type": "u16", "values": [[1, 2], [3, 65535]]})
        self.assertEqual(words[1], f"arg0=u16[2x2]:file({self.folder}/0.in)")
        self.assertEqual(pathlib.Path(self.folder, "0.in").read_bytes(), bytes([1, 0, 2, 0, 3, 0, 255, 255]))

    def test_bf16_rounds_to_nearest_even(self):
        # 1 + 2^-8 lies between 1 (0x3f80) and 1 + 2^-7 (0x3f81), and 1 is even; 1 + 3 * 2^-8 lies between 0x3f81 and 0x3f82.
        content = values.packed([1 + 2**-8, 1 + 3 * 2**-8, -2.0], "bf16", "x")
        self.assertEqual(struct.unpack("<3H", content), (0x3f80, 0x3f82, 0xc000))
        self.assertEqual(values.unpacked(content, "bf16"), [1.0, 1.015625, -2.0])

    def test_wrong_arguments_are_sentences(self):
        self.refused("a number .* or a buffer|a number \\(", {"type": "f32"})
        self.refused("an integer from -128 to 127", {"type": "i8", "value": 128})
        self.refused("an integer from 0 to", {"type": "u32", "values": [1.5]})
        self.refused("lists of one length", {"type": "f32", "values": [[1], [1, 2]]})
        self.refused("4 dimensions", {"type": "f32", "values": [[[[[1]]]]]})
        self.refused("a number was expected, str", {"type": "f32", "values": ["a"]})
        self.refused("too large for f16", {"type": "f16", "values": [1e9]})
        self.refused("6 values were expected by its shape, 1 were", {"type": "f32", "shape": [2, 3], "values": [1]})
        self.refused("zeros, iota", {"type": "f32", "shape": 4, "init": "file(/etc/passwd)"})
        self.refused("400 bytes are more than the 100", {"type": "f32", "shape": 100}, most=100)
        self.refused("no 'y'", {"same_as": "y"})
        self.refused("already", {"name": "x", "type": "f32", "shape": 1}, {"name": "x", "type": "f32", "shape": 1})
        self.refused("letters, digits", {"name": "a=b", "type": "f32", "shape": 1})
        self.refused("no argument 'typ'; did you mean type", {"typ": "f32"})
        self.refused("1 to .* was expected, 0 was given", {"type": "f32", "shape": 0})

    def result(self, expected, **more):
        _, (buffer,) = self.passed({"name": "y", "type": "f32", "shape": 4, "expected": expected, **more})
        pathlib.Path(buffer.dump).write_bytes(struct.pack("<4f", 1, 2.5, float("nan"), -3))
        return values.result_of(buffer, 2)

    def test_a_result_is_short_and_compared(self):
        self.assertEqual(self.result([1, 2]), {
            "name": "y", "type": "f32", "shape": [4], "values": [1, 2.5], "more_values": 2, "least": -3, "largest": 2.5, "not_finite": 1,
            "check": "wrong: 1 of 2 values; the first is [1]: 2.5, 2 was expected"})
        self.assertEqual(self.result([1, 2], tolerance=0.5)["check"], "right: 2 values")
        self.assertIn("wrong: 4 of 4", self.result(7)["check"])
        self.assertIn("[2]: nan", self.result([1, 2.5, 0])["check"])


class Short(unittest.TestCase):
    def test_a_part_says_how_many_more_there_are(self):
        self.assertEqual(answers.part(list("abcdefg"), {"most": 3}, "lines"), {"lines": ["a", "b", "c"], "more_lines": "4; ask with first=4"})
        self.assertEqual(answers.part(list("abc"), {"first": 3}, "lines"), {"lines": ["c"]})
        self.assertEqual(answers.part(list("abc"), {"first": 9}, "lines"), {"lines": [], "more_lines": "there are 3 in all"})


    def test_lines_without_a_cost_come_last(self):
        line = {"file": "a.cu", "text": "t", "requests": 1}
        known = {"access": "global load", "unit": "sectors", "cost": 8, "ideal": 4, "verdict": "2x uncoalesced"}
        launch = {"lines": [{**line, "line": 1, "access": "constant load"}, {**line, "line": 2, **known}],
                  "findings": [{"kind": "unaligned_start", "hazard": False, "file": "a.cu", "line": 3, "text": "t", "access": "global load",
                                "sentence": "It begins within a sector."}]}
        self.assertEqual(answers.lines_of(launch), [
            {"line": "a.cu:3", "text": "t", "kind": "unaligned_start", "access": "global load", "why": "It begins within a sector."},
            {"line": "a.cu:2", "text": "t", **known}, {"line": "a.cu:1", "text": "t", "access": "constant load"}])
        self.assertEqual([one["line"] for one in answers.lines_of(launch, 1)], ["a.cu:1"])


class Start(unittest.TestCase):
    def start(self, *words, python="/usr/bin"):
        return subprocess.run([LANESCOPE, "mcp", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={**os.environ, "PATH": python + ":/bin"}, timeout=60)

    def test_without_the_sdk_it_says_what_to_install(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        # A Python without packages of others.
        pathlib.Path(folder, "python3").write_text('#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n')
        os.chmod(os.path.join(folder, "python3"), 0o755)
        done = self.start(python=folder)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r'^lanescope mcp: .*pip install "lanescope\[mcp\]"[^\n]*\n$')

    def test_without_python_it_says_so(self):
        done = self.start(python=self.enterContext(tempfile.TemporaryDirectory()).replace("/bin", ""))
        if os.path.exists("/bin/python3"):
            return self.skipTest("python3 is in /bin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("python3 cannot be started", done.stderr)

    def test_a_wrong_option_is_a_sentence(self):
        done = self.start("--seconds", "0")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1))
        self.assertIn("1 to 86400 was expected, '0' was given", done.stderr)
        self.assertEqual(self.start("--sekonds", "3").returncode, 2)

    def test_the_wheel_starts_it_in_its_own_python(self):
        code = "import sys; sys.argv[0] = 'lanescope'; from lanescope_program import main; main()"
        done = subprocess.run([sys.executable, "-c", code, "mcp", "--at-once", "0"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "app/python")})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^lanescope mcp: .*1 to 256 was expected, '0' was given")


if __name__ == "__main__":
    unittest.main()
