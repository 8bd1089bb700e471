"""A wheel of an installation by `cmake --install`, put into a Python environment by pip: the program, the module and Jupyter's kernel are
found there, and NVIDIA's packages beside them. Usage: wheel_test.py BUILD_FOLDER"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app/packaging"))
import wheel  # noqa: E402


class MadeUp(unittest.TestCase):
    """An installation of a few small files."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.installation = self.folder / "installation"
        for name in ("bin/lanescope", "lib/lanescope/driver/libcuda.so.1", "lib/python3/dist-packages/lanescope/__init__.py",
                     "share/lanescope/assets/a.toml", "share/man/man1/lanescope.1.gz"):
            self.write(name, name)
        self.write("share/lanescope/third_party/pypi-cuda.txt", "# headers\nnvidia-cuda-crt==13.0.88 --hash=sha256:2c\n")
        self.write("share/lanescope/third_party/pypi-nvcc.txt", "nvidia-nvvm==13.0.88 --hash=sha256:c5\n")
        (self.installation / "bin/lanescope").chmod(0o755)
        (self.installation / "lib/lanescope/driver/libcuda.so").symlink_to("libcuda.so.1")

    def write(self, name, text):
        (self.installation / name).parent.mkdir(parents=True, exist_ok=True)
        (self.installation / name).write_text(text)

    def make(self, folder="one"):
        os.environ["SOURCE_DATE_EPOCH"] = "1790000000"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH", None)
        return wheel.make_wheel(self.installation, self.folder / folder, "9.8.7", "py3-none-linux_x86_64")

    def test_the_same_installation_makes_the_same_bytes(self):
        one = self.make()
        os.utime(self.installation / "bin/lanescope", (1, 1))
        self.assertEqual(one.read_bytes(), self.make("two").read_bytes())
        self.assertEqual(one.name, "lanescope-9.8.7-py3-none-linux_x86_64.whl")

    def test_files_are_where_pip_and_the_program_expect_them(self):
        with zipfile.ZipFile(self.make()) as archive:
            modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
        self.assertEqual(modes["lanescope_program/bin/lanescope"], 0o755)
        self.assertEqual(modes["lanescope_program/share/lanescope/assets/a.toml"], 0o644)
        for name in ("lanescope/__init__.py", "lanescope_program/__init__.py", "lanescope_program/lib/lanescope/driver/libcuda.so.1",
                     "lanescope-9.8.7.data/data/share/man/man1/lanescope.1.gz",
                     "lanescope-9.8.7.data/data/share/jupyter/kernels/lanescope/kernel.json"):
            self.assertIn(name, modes)
        self.assertNotIn("lanescope_program/lib/lanescope/driver/libcuda.so", modes)

    def test_it_depends_on_packages_from_the_pinned_version_on(self):
        with zipfile.ZipFile(self.make()) as archive:
            lines = archive.read("lanescope-9.8.7.dist-info/METADATA").decode().splitlines()
        self.assertIn("Requires-Dist: nvidia-cuda-crt>=13.0.88,<14", lines)
        self.assertIn('Requires-Dist: nvidia-nvvm>=13.0.88,<14; extra == "programs"', lines)
        self.assertIn('Requires-Dist: mcp>=2,<3; extra == "mcp"', lines)

    def test_a_program_that_needs_more_than_every_linux_has_gets_no_tag(self):
        shutil.copy(sys.executable, self.installation / "bin/lanescope")
        said = subprocess.run(["readelf", "-dW", sys.executable], capture_output=True, text=True, check=True).stdout
        if "[libexpat.so.1]" not in said and "[libz.so.1]" not in said:
            self.skipTest("this Python loads no library that a Linux may lack")
        (self.installation / "lib/lanescope/driver/libcuda.so.1").unlink()
        with self.assertRaisesRegex(wheel.Failure, "neither in the wheel nor on every Linux"):
            wheel.tag_of(self.installation)


class Installed(unittest.TestCase):
    """What was built, installed by pip."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lanescope-wheel-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.folder / "installation"], check=True, stdout=subprocess.DEVNULL)
        made = wheel.make_wheel(cls.folder / "installation", cls.folder, "9.8.7", "py3-none-linux_x86_64", level=1)
        cls.environment = cls.folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", cls.environment], check=True)
        subprocess.run([sys.executable, "-m", "pip", "--python", cls.environment / "bin/python", "install", "-q", "--no-deps",
                        "--no-index", "--no-compile", "--disable-pip-version-check", made], check=True)
        [cls.packages] = cls.environment.glob("lib/python3*/site-packages")
        # NVIDIA's packages as pip puts them there; the library itself is not needed to see which one is chosen.
        compiler = cls.packages / "nvidia/cu13/lib"
        compiler.mkdir(parents=True)
        real = ROOT / ".cache/third_party/cuda/nvidia/cu13"
        if real.is_dir():
            for file in (real / "lib").iterdir():
                (compiler / file.name).symlink_to(file)
            (compiler.parent / "include").symlink_to(real / "include")

    def run_in(self, *words, **more):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("LANESCOPE_", "XDG_", "PYTHON", "CUDA_")) and name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment |= {"HOME": str(self.folder / "home"), "PATH": f"{self.environment / 'bin'}:{os.environ['PATH']}", **more}
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_lanescope_is_on_the_path(self):
        self.assertIn("lanescope ", self.run_in("lanescope", "--version"))
        self.assertIn("transpose", self.run_in("lanescope", "trace", "--lesson", "transpose", "--set", "size=64"))

    def test_nvrtc_is_found_beside_it(self):
        if not (self.packages / "nvidia/cu13/include").exists():
            self.skipTest("there is no NVRTC")
        said = self.run_in("lanescope", "doctor")
        self.assertRegex(said, rf"compiler +yes +NVRTC 13\.\d in {self.packages}/nvidia/cu13/lib/libnvrtc.so.13")
        self.assertIn(f"{self.packages}/nvidia/cu13/include\n", said)

    def test_python_has_the_module(self):
        said = self.run_in("python", "-c", "import lanescope; print(lanescope.__file__)")
        self.assertEqual(said.strip(), str(self.packages / "lanescope/__init__.py"))

    def test_a_program_finds_one_driver_by_both_of_its_names(self):
        program = "import ctypes; print(*{ctypes.CDLL(name)._handle for name in ('libcuda.so.1', 'libcuda.so')})"
        self.assertEqual(len(self.run_in("lanescope", "run", "--", "python", "-c", program).split()), 1)

    def test_jupyter_s_kernel_is_that_of_the_same_python_on_the_driver(self):
        spec = json.loads((self.environment / "share/jupyter/kernels/lanescope/kernel.json").read_text())
        (self.packages / "ipykernel_launcher.py").write_text("import os, sys; print(sys.prefix, *sys.argv[1:], os.environ['LD_LIBRARY_PATH'])")
        python = str(self.environment / "bin/python")  # as Jupyter has it
        said = self.run_in(*[{"python": python, "{connection_file}": "/a.json"}.get(word, word) for word in spec["argv"]])
        self.assertEqual(said.split()[:3], [str(self.environment), "-f", "/a.json"])
        self.assertIn(str(self.packages / "lanescope_program/lib/lanescope/driver"), said)


if __name__ == "__main__":
    unittest.main()
