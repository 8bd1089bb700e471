"""Kernels of CUDA C++ on arrays of Python (app/python/lanescope/source.py, arrays.py), by the real program:
source_test.py LANESCOPE. Arrays are stood in for by what NumPy's array interface says."""

import array
import json
import os
import pathlib
import shlex
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app/python"))
import lanescope  # noqa: E402
from lanescope import cell, magic  # noqa: E402
from lanescope.source import has_main, sentence_of  # noqa: E402

SCALE = """__global__ void scale(const float* in, float* out, float f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = f * in[2 * i];
}
"""
TEMPLATE = """template<typename T> __global__ void add(T* a, T b) { a[threadIdx.x] += b; }
template __global__ void add<float>(float*, float);
template __global__ void add<double>(double*, double);
"""


class Array:
    """Numbers with NumPy's array interface."""

    def __init__(self, code, typestr, values, **changes):
        self.values = array.array(code, values)
        address, count = self.values.buffer_info()
        self.__array_interface__ = {"version": 3, "typestr": typestr, "shape": (count,), "strides": None,
                                    "data": (address, False), **changes}


def floats(values, **changes):
    return Array("f", "<f4", values, **changes)


class Launch(unittest.TestCase):
    def setUp(self):
        self.source = lanescope.cu(SCALE)
        self.input, self.output = floats(range(128)), floats([0] * 64)

    def launch(self, *values):
        return self.source.launch("scale", 2, 32, *values)

    def refused(self, sentence, *values):
        with self.assertRaisesRegex(lanescope.LanescopeError, sentence):
            self.launch(*values)

    def test_results_come_back_and_inputs_stay(self):
        self.launch(self.input, self.output, 3)
        self.assertEqual(list(self.output.values), [6 * i for i in range(64)])
        self.assertEqual(list(self.input.values), list(range(128)))

    def test_counts_are_those_of_the_kernel(self):
        # A warp reads 32 floats at 8 bytes' distance, 256 bytes or 8 sectors, where 4 would hold them; it writes 4 sectors.
        done = self.launch(self.input, self.output, 3.0)
        self.assertEqual(done.json["totals"]["global_load"]["sectors"], 16)
        self.assertEqual(done.json["totals"]["global_load"]["ideal_sectors"], 8)
        self.assertEqual(done.json["totals"]["global_store"]["sectors"], 8)
        self.assertIn("24 (1.5x ideal)", done.text)
        self.assertEqual(done.findings, [])
        self.assertIn("<svg", done.figure("sectors")._repr_svg_())
        self.assertIn("<img", done._repr_html_())

    def test_with_a_gpu_it_is_timed_on_the_arrays_as_they_were(self):
        # A stand-in for `lanescope time` on a GPU, which keeps what it was called with.
        folder = self.enterContext(tempfile.TemporaryDirectory())
        times = {"gpu": "NVIDIA H200", "repetitions": 21, "l2": "cold", "kernels": [
            {"seconds": {"median": 2.5e-6}, "gb_per_second": 307.2, "percent_of_copy": 81.4}]}
        program = pathlib.Path(folder, "lanescope")
        program.write_text(f"""#!/bin/sh
[ "$1" = time ] || exec {shlex.quote(os.path.abspath(os.environ["LANESCOPE_PROGRAM"]))} "$@"
echo "$@" > {folder}/words
while [ "$1" != --json ]; do shift; done
echo {shlex.quote(json.dumps(times))} > "$2"
""")
        program.chmod(0o755)
        with mock.patch.dict(os.environ, {"LANESCOPE_PROGRAM": str(program)}), mock.patch("lanescope.source.has_gpu", lambda: True):
            done = self.launch(self.input, self.output, 3)
            program.write_text(program.read_text().split("while")[0] + "echo 'no driver' >&2; exit 1\n")
            refused = self.launch(self.input, self.output, 3)
        said = "measured on the NVIDIA H200: 2.5 µs, the median of 21 launches with a cold L2; 307.2 GB/s, 81 % of a copy"
        self.assertEqual((done.notes, done.times["l2"]), ([said], "cold"))
        self.assertIn(said, done.text)
        self.assertEqual((refused.notes, refused.times), (["not timed: no driver"], None))
        words = pathlib.Path(folder, "words").read_text()
        self.assertRegex(words, r"^time cell\.cu --kernel scale .*--arg in=f32\[128\]:file\(.*--arg f=f32:3 --json")
        self.assertNotIn("--dump", words)
        self.assertEqual(list(self.output.values), [6 * i for i in range(64)])

    def test_a_read_beyond_an_array_has_its_line(self):
        # Thread 0 of block 1 of 64 threads reads in[128] of 128.
        found = self.source.launch("scale", 2, 64, self.input, floats([0] * 128), 3.0).findings
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r"^cell\.cu:3: thread \(0,0,0\) of block \(1,0,0\) reads 4 bytes at in\[128\]")

    def test_a_note_is_a_sentence_below_the_table(self):
        # Each thread writes the same value to one place, which a correct kernel may do.
        done = lanescope.cu("__global__ void set(float* a) { a[0] = 7; }").launch("set", 1, 64, floats([0]))
        self.assertEqual((done.findings, len(done.notes)), ([], 1))
        self.assertRegex(done.notes[0], r"^cell\.cu:1: thread \(")
        self.assertEqual(done.text.splitlines()[-1], done.notes[0])

    def test_one_array_may_be_both_arguments(self):
        shared = floats(range(4))
        lanescope.cu("__global__ void add(const float* a, float* b) { b[threadIdx.x] += a[threadIdx.x]; }").launch(
            "add", 1, 4, shared, shared)
        self.assertEqual(list(shared.values), [0, 2, 4, 6])

    def test_each_type_of_element_passes(self):
        for code, typestr, name in (("d", "<f8", "double"), ("i", "<i4", "int"), ("q", "<i8", "long long"),
                                    ("B", "|u1", "unsigned char")):
            with self.subTest(typestr):
                values = Array(code, typestr, [1, 2, 3])
                lanescope.cu(f"__global__ void k({name}* a, {name} b) {{ a[threadIdx.x] += b; }}").launch("k", 1, 3, values, 4)
                self.assertEqual(list(values.values), [5, 6, 7])

    def test_half_precision_passes(self):
        values = Array("H", "<f2", [0x3c00, 0x4000])  # 1 and 2
        lanescope.cu("#include <cuda_fp16.h>\n__global__ void k(__half* a) { a[threadIdx.x] = __hadd(a[threadIdx.x], "
                     "a[threadIdx.x]); }").launch("k", 1, 2, values)
        self.assertEqual(list(values.values), [0x4000, 0x4400])  # 2 and 4

    def test_wrong_arguments_are_a_sentence(self):
        self.refused("takes 3 arguments .* 2 were given", self.input, self.output)
        self.refused("'f' is float: a number was expected, Array was given", self.input, self.output, self.input)
        self.refused("'in' is .*: an array as NumPy has them was expected, int was given", 1, self.output, 3.0)
        self.refused("'in' is .*: an array as NumPy has them was expected, array was given", array.array("f", [1]), self.output, 3.0)
        self.refused("'in': the array is not contiguous", floats([0] * 128, strides=(8,)), self.output, 3.0)
        self.refused("'out' points to f32 .* elements are i32", self.input, Array("i", "<i4", [0] * 64), 3.0)
        self.refused("type <c8 cannot be passed", Array("d", "<c8", [0] * 128), self.output, 3.0)
        self.refused("'in': the array is empty", floats([], shape=(0,)), self.output, 3.0)
        address = self.output.values.buffer_info()[0]
        self.refused("'out': the array is read-only", self.input, floats([0], data=(address, True)), 3.0)
        self.refused("overlapping", self.input, floats([0] * 64, data=(self.input.values.buffer_info()[0], False)), 3.0)
        with self.assertRaisesRegex(lanescope.LanescopeError, "grid: one to three positive integers"):
            self.source.launch("scale", 0, 32, self.input, self.output, 3.0)

    def test_a_template_is_named_by_its_instance(self):
        source, values = lanescope.cu(TEMPLATE), floats([1])
        with self.assertRaisesRegex(lanescope.LanescopeError, "source has add<float>, add<double>"):
            source.launch("add", 1, 1, values, 2.0)
        source.launch("add<float>", 1, 1, values, 2.0)
        self.assertEqual(list(values.values), [3])

    def test_an_error_of_the_compiler_has_its_line(self):
        with self.assertRaisesRegex(lanescope.LanescopeError, r'cell\.cu\(2\): error: identifier "x" is undefined'):
            lanescope.cu("\n__global__ void k(float* a) { a[0] = x; }").launch("k", 1, 1, floats([0]))


def options_of(line):
    parser = magic.Words(prog="%%cu")
    cell.add_options(parser)
    return parser.parse_args(shlex.split(line))


class Cell(unittest.TestCase):
    def test_a_kernel_runs_on_variables_of_the_notebook(self):
        variables = {"a": floats(range(128)), "b": floats([0] * 64)}
        done = cell.run_cell(options_of("--grid 2 --block 32 --args 'a, b, 1 + 2'"), SCALE, variables)
        self.assertEqual(list(variables["b"].values), [6 * i for i in range(64)])
        self.assertIn("24 (1.5x ideal)", done.text)

    def test_figures_are_those_that_were_chosen(self):
        variables = {"a": floats(range(128)), "b": floats([0] * 64)}
        done = cell.run_cell(options_of("--grid 2 --block 32 --args 'a, b, 3.0'"), SCALE, variables)
        for words, count in (("", 1), ("--figure sectors --figure lanes", 2), ("--figure none", 0)):
            self.assertEqual(done.html(options_of(words).figure or ()).count("<img"), count, words)
        with self.assertRaisesRegex(lanescope.LanescopeError, "%%cu: .*invalid choice: 'cake'"):
            options_of("--figure cake")

    def test_lines_count_the_line_of_the_magic(self):
        with self.assertRaisesRegex(lanescope.LanescopeError, r'cell\.cu\(2\): error: identifier "x" is undefined'):
            cell.run_cell(options_of(""), "__global__ void k(float* a) { a[0] = x; }", {})

    def test_wrong_words_are_a_sentence(self):
        for line, sentence in (("--args 'nothing'", "NameError"), ("--grid 1,b", "--grid: X"), ("--what", "%%cu: ")):
            with self.subTest(line), self.assertRaisesRegex(lanescope.LanescopeError, sentence):
                cell.run_cell(options_of(line), SCALE, {})
        with self.assertRaisesRegex(lanescope.LanescopeError, "several kernels.*add<float>, add<double>"):
            cell.run_cell(options_of(""), TEMPLATE, {})

    def test_a_cell_with_main_is_a_program(self):
        # A warp writes 32 floats at 8 bytes' distance: 8 sectors, where 4 would hold them.
        text = ("#include <cstdio>\n__global__ void k(float* a) { a[2 * threadIdx.x] = 1; }\nint main() { float* a; "
                "cudaMalloc(&a, 1024); k<<<1, 32>>>(a); cudaDeviceSynchronize(); "
                'printf("done\\n"); fprintf(stderr, "aside\\n"); return 3; }\n')
        try:
            done = cell.run_cell(options_of(""), text, {})
        except lanescope.LanescopeError as error:
            if "nvcc" in str(error):
                self.skipTest(str(error))
            raise
        self.assertEqual(done.output, "done\n")
        self.assertEqual(done.notes, ["aside", "the program ended with 3"])
        self.assertIn("8 (2.0x ideal)", done.text)
        self.assertIn("<img", done._repr_html_())


class Sentence(unittest.TestCase):
    def test_a_finding_may_have_no_line_and_no_thread(self):
        found = {"kind": "deadlock", "file": "", "line": 0, "message": "the blocks wait for each other"}
        self.assertEqual(sentence_of(found), "the blocks wait for each other")
        self.assertEqual(sentence_of({**found, "file": "a.cu", "line": 3, "block": [1, 0, 0]}), "a.cu:3: the blocks wait for each other")


class Main(unittest.TestCase):
    def test_a_program_is_told_by_its_main(self):
        self.assertTrue(has_main("int main(int argc, char** argv) {}"))
        self.assertFalse(has_main("// int main() {}\n/* int main() */ __global__ void domain() {}"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.environ["LANESCOPE_PROGRAM"] = sys.argv.pop(1)
    unittest.main()
