"""What Python's hooks do in a program that `lanescope run` started (app/python/hooks), with modules that stand in for
Numba and Triton, and a driver that notes what it is given."""

import io
import linecache
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest
from contextlib import redirect_stderr
from unittest import mock

HOOKS = pathlib.Path(__file__).resolve().parents[2] / "app/python/hooks"
sys.path.insert(0, str(HOOKS))
import lanescope_hooks  # noqa: E402

# Modules with the shape of Numba's: `jit` of numba/cuda/decorators.py notes its options, the dispatcher compiles nothing.
NUMBA = {
    "numba/__init__.py": "",
    "numba/cuda/__init__.py": "from .decorators import jit\n",
    "numba/cuda/dispatcher.py": """
        class CUDADispatcher:
            def __init__(self, py_func):
                self.py_func = py_func
            def compile(self, signature):
                return "compiled for " + signature
            def compile_device(self, arguments):
                return "compiled"
        """,
    "numba/cuda/decorators.py": """
        from .dispatcher import CUDADispatcher
        def jit(func_or_sig=None, device=False, debug=None, opt=True, lineinfo=False, cache=False, **others):
            if not callable(func_or_sig):
                return lambda function: jit(function, device=device, debug=debug, opt=opt, lineinfo=lineinfo,
                                            cache=cache, **others)
            made = CUDADispatcher(func_or_sig)
            made.lineinfo, made.debug, made.device = lineinfo, debug, device
            return made
        """,
}
KERNEL = "def kernel(a):\n    a[0] = 1\n"


def write_files(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def cell(name, text=KERNEL):
    """A function that was defined in a cell: Python knows its text, but there is no such file."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    return space["kernel"]


class FakeDriver:
    def __init__(self):
        self.sources = []

    def lanescopeAddSource(self, name, text):
        self.sources.append((name.decode(), text.decode()))


class Hooks(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.driver = FakeDriver()
        for name, value in (("_driver", self.driver), ("_handed", {}), ("_said", set())):
            self.enterContext(mock.patch.object(lanescope_hooks, name, value))
        self.enterContext(mock.patch.object(sys, "path", [self.folder, *sys.path]))
        self.enterContext(mock.patch.object(sys, "meta_path", list(sys.meta_path)))
        self.enterContext(mock.patch.dict(sys.modules))
        self.enterContext(mock.patch.dict(os.environ))
        os.environ.pop("NUMBA_CUDA_DEBUGINFO", None)

    def import_numba(self, files=NUMBA):
        write_files(self.folder, files)
        lanescope_hooks.install()
        import numba.cuda
        return numba.cuda

    def test_nothing_is_imported_that_the_program_does_not_import(self):
        write_files(self.folder, NUMBA)
        lanescope_hooks.install()
        self.assertNotIn("numba", sys.modules)

    def test_line_numbers_are_set_in_each_way_of_writing_jit(self):
        cuda = self.import_numba()
        kernel = cell("<cell 1>")
        for name, made in (("@cuda.jit", cuda.jit(kernel)), ("@cuda.jit()", cuda.jit()(kernel)),
                           ("options", cuda.jit(device=True)(kernel)), ("a signature", cuda.jit("void(f4[:])")(kernel)),
                           ("by name", cuda.jit(func_or_sig=kernel))):
            with self.subTest(name):
                self.assertIs(made.lineinfo, True)
        self.assertIs(cuda.jit(device=True)(kernel).device, True)

    def test_a_numba_that_another_finder_redirects_is_changed_too(self):
        """numba-cuda's finder, in front of all others, asks them for numba.cuda in a folder of its own."""
        folder = self.folder

        class Redirector:
            @classmethod
            def find_spec(cls, name, path, target=None):
                if not name.startswith("numba.cuda") or any("elsewhere" in entry for entry in path):
                    return None
                moved = [entry.replace(f"{folder}/numba", f"{folder}/elsewhere/numba") for entry in path]
                return next(filter(None, (finder.find_spec(name, moved, target) for finder in sys.meta_path
                                          if hasattr(finder, "find_spec"))), None)

        sys.meta_path.insert(0, Redirector)
        write_files(folder, {f"elsewhere/{name}": text for name, text in NUMBA.items() if "cuda" in name})
        cuda = self.import_numba({"numba/__init__.py": "", "numba/cuda/__init__.py": "jit = None"})
        self.assertIs(cuda.jit(cell("<cell 1>")).lineinfo, True)

    def test_what_the_person_says_stays(self):
        cuda = self.import_numba()
        kernel = cell("<cell 1>")
        self.assertIs(cuda.jit(lineinfo=False)(kernel).lineinfo, False)
        self.assertIs(cuda.jit(kernel, False, None, True, False).lineinfo, False)
        self.assertIs(cuda.jit(debug=True, opt=False)(kernel).lineinfo, False)
        os.environ["NUMBA_CUDA_DEBUGINFO"] = "1"
        self.assertIs(cuda.jit(kernel).lineinfo, False)

    def test_a_function_without_text_gets_no_line_numbers(self):
        """Numba would warn that it cannot find the source."""
        cuda = self.import_numba()
        space = {}
        exec(KERNEL, space)
        self.assertIs(cuda.jit(space["kernel"]).lineinfo, False)

    def test_wrong_arguments_are_complained_of_by_numba(self):
        cuda = self.import_numba()
        with self.assertRaisesRegex(TypeError, "jit"):
            cuda.jit(*range(7))

    def test_a_cell_is_handed_over_when_it_is_compiled_and_once(self):
        cuda = self.import_numba()
        made = cuda.jit(cell("<cell 3>"))
        self.assertEqual(self.driver.sources, [])
        self.assertEqual(made.compile("f4"), "compiled for f4")
        made.compile("f8")
        made.compile_device(())
        self.assertEqual(self.driver.sources, [(os.path.abspath("<cell 3>"), KERNEL)])

    def test_a_cell_that_was_changed_is_handed_over_again(self):
        cuda = self.import_numba()
        changed = KERNEL.replace("1", "2")
        cuda.jit(cell("<cell 3>")).compile("f4")
        cuda.jit(cell("<cell 3>", changed)).compile("f4")
        self.assertEqual([text for _, text in self.driver.sources], [KERNEL, changed])

    def test_a_file_is_not_handed_over(self):
        cuda = self.import_numba()
        write_files(self.folder, {"kernels.py": KERNEL})
        import kernels
        cuda.jit(kernels.kernel).compile("f4")
        self.assertEqual(self.driver.sources, [])

    def test_a_triton_kernel_of_a_cell_is_handed_over(self):
        write_files(self.folder, {"triton/__init__.py": "", "triton/runtime/__init__.py": "", "triton/runtime/jit.py": """
            class JITFunction:
                def __init__(self, fn):
                    self.fn = fn
                def run(self, *arguments, grid):
                    return grid
            """})
        lanescope_hooks.install()
        from triton.runtime.jit import JITFunction
        self.assertEqual(JITFunction(cell("/no/such/cell.py")).run(1, grid=7), 7)
        self.assertEqual(self.driver.sources, [("/no/such/cell.py", KERNEL)])

    def test_another_numba_than_the_expected_one_runs_with_a_word_on_stderr(self):
        with redirect_stderr(io.StringIO()) as said:
            cuda = self.import_numba({**NUMBA, "numba/cuda/decorators.py": "from . import dispatcher\ncompile = jit = 7\n",
                                      "numba/cuda/dispatcher.py": "number = 1\n"})
        self.assertEqual(cuda.jit, 7)
        self.assertEqual([line[:11] for line in said.getvalue().splitlines()], ["lanescope: ", "lanescope: "])

    def test_a_driver_that_fails_is_a_word_on_stderr(self):
        cuda = self.import_numba()
        self.driver.lanescopeAddSource = None
        with redirect_stderr(io.StringIO()) as said:
            self.assertEqual(cuda.jit(cell("<cell 3>")).compile("f4"), "compiled for f4")
            cuda.jit(cell("<cell 4>")).compile("f4")
        self.assertEqual(said.getvalue().count("\n"), 1)

    def test_a_module_that_does_not_exist_is_not_found(self):
        lanescope_hooks.install()
        with self.assertRaises(ModuleNotFoundError):
            import numba.cuda.decorators  # noqa: F401

    def test_the_module_lanescope_can_be_imported(self):
        lanescope_hooks.install()
        import lanescope
        self.assertTrue(callable(lanescope.last))


class Start(unittest.TestCase):
    """sitecustomize.py, in a Python of its own."""

    def run_python(self, program, environment=(), files=()):
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, dict(files))
            outer = {name: value for name, value in os.environ.items() if not name.startswith("LANESCOPE")}
            path = os.pathsep.join([str(HOOKS), folder])
            done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=60,
                                  env={**outer, "PYTHONPATH": path, **dict(environment)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip(), done.stderr

    def test_it_does_something_only_under_lanescope_run(self):
        asked = "import sys; print('lanescope_hooks' in sys.modules)"
        self.assertEqual(self.run_python(asked), ("False", ""))
        for socket in ("LANESCOPE_DRIVER_SOCKET", "LANESCOPE_FORWARD_SOCKET"):
            self.assertEqual(self.run_python(asked, {socket: "/nowhere"}), ("True", ""))

    def test_nvidias_linker_has_no_functions_where_ptx_is_kept(self):
        files = {"cuda/__init__.py": "", "cuda/bindings/__init__.py": "", "cuda/bindings/_internal/__init__.py": "",
                 "cuda/bindings/_internal/nvjitlink.py": "def _inspect_function_pointer(name):\n    return 4711\n"}
        asked = """if True:
            from cuda.bindings._internal import nvjitlink
            print(nvjitlink._inspect_function_pointer("__nvJitLinkVersion"))
            """
        socket = {"LANESCOPE_FORWARD_SOCKET": "/nowhere"}
        self.assertEqual(self.run_python(asked, socket, files), ("4711", ""))
        self.assertEqual(self.run_python(asked, {**socket, "LANESCOPE_KEEPS_PTX": "1"}, files), ("0", ""))

    def test_the_sitecustomize_of_the_person_runs_too(self):
        own = {"sitecustomize.py": "print('mine')\nvalue = 7\n"}
        for environment in ({}, {"LANESCOPE_DRIVER_SOCKET": "/nowhere"}):
            with self.subTest(environment):
                said = self.run_python("import sitecustomize; print(sitecustomize.value)", environment, own)
                self.assertEqual(said, ("mine\n7", ""))

    def test_hooks_that_fail_are_one_line_on_stderr(self):
        environment = {"LANESCOPE_DRIVER_SOCKET": "/nowhere"}
        program = "print('runs')"
        said, complaint = self.run_python(program, {**environment, "PYTHONPATH": ""})
        self.assertEqual((said, complaint), ("runs", ""))
        broken = {"sitecustomize.py": HOOKS.joinpath("sitecustomize.py").read_text(), "lanescope_hooks.py": "import nothing\n"}
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, broken)
            said, complaint = self.run_python(program, {**environment, "PYTHONPATH": folder})
        self.assertEqual(said, "runs")
        self.assertRegex(complaint, r"\Alanescope: .*nothing.*\n\Z")


if __name__ == "__main__":
    unittest.main()
