"""An installation by `cmake --install`, moved to another folder and run there: it finds its files, writes none of its own, and has
what a desktop and shells look for. Usage: install_test.py BUILD_FOLDER"""

import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()


def state_of(folder):
    """Each path below the folder with what would change if it were written."""
    paths = sorted(folder.rglob("*"))
    return [(str(path), (status := path.lstat()).st_size, status.st_mtime_ns) for path in paths]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lanescope-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.folder / "first"], check=True, stdout=subprocess.DEVNULL)
        (cls.folder / "first").rename(cls.folder / "moved")
        cls.prefix = cls.folder / "moved"
        cls.cache = cls.folder / "cache"
        cls.cache.mkdir()
        cls.before = state_of(cls.prefix)

    def lanescope(self, *words):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("LANESCOPE_", "XDG_")) and name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment |= {"HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.cache)}
        done = subprocess.run([self.prefix / "bin/lanescope", *words], capture_output=True, text=True, cwd=self.folder,
                              env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(state_of(self.prefix), self.before, "nothing is written into an installation")
        return done.stdout

    def verbs(self):
        lines = self.lanescope("--help").partition("Subcommands:\n")[2].partition("\n\n")[0].splitlines()
        verbs = [line.split()[0] for line in lines]
        self.assertIn("trace", verbs)
        return verbs

    def test_it_runs_from_where_it_was_moved(self):
        self.assertIn("lanescope ", self.lanescope("--version"))
        traced = self.lanescope("trace", "--lesson", "transpose", "--set", "size=64")
        self.assertIn("transpose", traced)

    def test_it_draws_its_window(self):
        picture = self.folder / "window.png"
        self.lanescope("screenshot", "-o", str(picture))
        self.assertGreater(picture.stat().st_size, 50_000)

    def test_what_it_keeps_is_in_the_cache_of_the_person(self):
        said = self.lanescope("doctor")
        self.assertIn(str(self.cache / "lanescope/ptx"), said)
        self.assertRegex(said, r"stored +yes +PTX of the lessons: [1-9]")
        self.assertTrue((self.cache / "lanescope/ptx").is_dir())

    def test_programs_run_on_its_driver(self):
        said = self.lanescope("run", "--", "/bin/sh", "-c", "echo $LD_LIBRARY_PATH; ls -L $LD_LIBRARY_PATH/libcuda.so.1")
        self.assertIn(str(self.prefix / "lib/lanescope/driver/libcuda.so.1"), said)

    def test_it_has_what_it_fetches_by(self):
        for name in ("fetch.py", "pypi-cuda.txt", "pypi-nvcc.txt"):
            self.assertTrue((self.prefix / "share/lanescope/third_party" / name).is_file())

    def test_completions_and_pages_have_all_verbs(self):
        share = self.prefix / "share"
        zsh = (share / "zsh/vendor-completions/_lanescope").read_text()
        fish = (share / "fish/vendor_completions.d/lanescope.fish").read_text()
        for verb in self.verbs():
            self.assertIn(f"    '{verb}:", zsh)
            self.assertIn(f"-n __fish_use_subcommand -a {verb} ", fish)
            page = gzip.decompress((share / f"man/man1/lanescope-{verb}.1.gz").read_bytes()).decode()
            self.assertIn(f".SH NAME\nlanescope\\-{verb} \\- ", page)
        self.assertIn("\\-\\-lesson TEXT", gzip.decompress((share / "man/man1/lanescope-trace.1.gz").read_bytes()).decode())

    def completed_by_bash(self, *words):
        file = self.prefix / "share/bash-completion/completions/lanescope"
        script = f'. {file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lanescope; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", script, "bash", "lanescope", *words], capture_output=True, text=True, check=True,
                              cwd=self.cache, env=os.environ | {"PATH": f"{self.prefix}/bin:{os.environ['PATH']}"})
        return done.stdout.split()

    def test_bash_completes_verbs_options_values_and_lessons(self):
        self.assertEqual(self.completed_by_bash("tra"), ["trace"])
        self.assertEqual(sorted(set(self.verbs()) - set(self.completed_by_bash(""))), [])
        self.assertEqual(self.completed_by_bash("trace", "--sched"), ["--scheduling"])
        self.assertEqual(self.completed_by_bash("screenshot", "--theme", ""), ["light", "dark"])
        self.assertEqual(self.completed_by_bash("trace", "--lesson", "transp"), ["transpose"])

    def test_a_desktop_knows_its_files_and_links(self):
        share = self.prefix / "share"
        desktop = dict(line.split("=", 1) for line in (share / "applications/lanescope.desktop").read_text().splitlines() if "=" in line)
        types = ElementTree.parse(share / "mime/packages/lanescope.xml").getroot()
        space = "{http://www.freedesktop.org/standards/shared-mime-info}"
        known = {kind.get("type"): kind.find(f"{space}glob").get("pattern") for kind in types}
        self.assertEqual(set(known.values()), {"*.lane", "*.lanescope"})
        self.assertEqual(set(desktop["MimeType"].rstrip(";").split(";")), {*known, "x-scheme-handler/lanescope"})
        self.assertTrue((share / f"icons/hicolor/scalable/apps/{desktop['Icon']}.svg").is_file())


if __name__ == "__main__":
    unittest.main()
