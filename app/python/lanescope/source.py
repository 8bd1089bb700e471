"""CUDA C++ in a notebook: its kernels run on arrays of Python by `lanescope trace`, a file with main by `lanescope run`.

Method: an array goes to the program as a file of raw bytes and what the kernel left comes back as one (`--dump`). Arrays are
read by NumPy's array interface, so NumPy itself is not imported. Tests: tests/programs/source_test.py
"""

import json
import os
import re
import shutil
import tempfile
import weakref

from lanescope import arrays, figures, program, report, stepper

FILE = "cell.cu"
SECONDS = 600


class Source:
    """A CUDA source in a folder of its own, which lasts as long as this object or a result of it."""

    def __init__(self, text, options=()):
        self.options = tuple(options)
        self.folder = tempfile.mkdtemp(prefix="lanescope-")
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.runs = 0
        with open(os.path.join(self.folder, FILE), "w", encoding="utf-8") as file:
            file.write(text)
        self.known_kernels = None

    def run(self, *words, output=None):
        """Returns the exit status and what the program wrote to stderr."""
        extra = {} if output is None else {"output": output}
        return program.run_lanescope(*words, seconds=SECONDS, folder=self.folder, **extra)

    def path(self, name):
        return os.path.join(self.folder, name)

    def kernels(self):
        """[{"name", "entry", "parameters", ...}] of `lanescope kernels --json`. Errors: what the compiler says."""
        if self.known_kernels is None:
            _, complaint = self.run("kernels", FILE, *self.options, "--json", self.path("kernels.json"))
            self.known_kernels = self.read("kernels.json", complaint)["kernels"]
        return self.known_kernels

    def read(self, name, complaint):
        """The JSON that a verb wrote. Errors: its complaint, where it wrote none."""
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            raise program.LanescopeError(complaint or f"lanescope wrote no {name}") from None

    def kernel(self, name):
        """The one kernel of this name, as `scale`, `reduce<256>`, or `reduce` where the file has one instance."""
        known = self.kernels()
        found = ([one for one in known if name in (one["name"], one["entry"])] or
                 [one for one in known if one["name"].startswith((name + "<", name + "("))])
        if len(found) != 1:
            names = ", ".join(one["name"] for one in found or known)
            raise program.LanescopeError(f"one kernel named '{name}' was expected; the source has {names}")
        return found[0]

    def launch(self, kernel, grid, block, *values, shared=0):
        """Runs a kernel. `grid`, `block`: a number or up to three; `values`: arrays, which the kernel changes in place, and
        numbers; `shared`: bytes of dynamic shared memory. Returns a Launch. Errors: LanescopeError."""
        chosen = self.kernel(kernel)
        passed = arrays.pass_all(chosen, values, self.folder)
        self.runs += 1
        # A stepper has the name of the file as its title.
        os.mkdir(self.path(str(self.runs)))
        saved = self.path(f"{self.runs}/{re.sub(r'[^A-Za-z0-9]+', '_', chosen['name'])[:60].strip('_')}.lane")
        written = f"{self.runs}.json"
        words = [FILE, *self.options, "--kernel", chosen["name"], "--grid", arrays.extent(grid, "grid"),
                 "--block", arrays.extent(block, "block"), "--shared", str(shared)]
        _, complaint = self.run("trace", *words, *passed.words, "--json", self.path(written), "--save", saved)
        found = self.read(written, complaint)
        # On what the arrays held before, which lies in the folder until the next launch.
        times = self.time(*words, *passed.inputs()) if has_gpu() and not found["hazards"] else None
        passed.copy_back()
        return Launch(self, found, saved, times)

    def time(self, *words):
        """The report of `lanescope time --json` of a launch, or a sentence that says why there is none."""
        written = f"{self.runs}-time.json"
        _, complaint = self.run("time", *words, "--json", self.path(written))
        try:
            return self.read(written, complaint)
        except program.LanescopeError as error:
            return f"not timed: {error}"


class Shown:
    """What a notebook shows of `text`, `rows`, `findings`, `notes` and `json`."""

    def __repr__(self):
        return self.text

    def html(self, chosen=()):
        """With the figures that --figure chose; by default the telling one of each kernel."""
        elements, notes = figures.drawn(self.rows, chosen, device=self.json["device"])
        return report.as_html(self.rows, self.findings, elements, self.notes + notes)

    def _repr_html_(self):
        return self.html()


class Launch(Shown):
    """What one launch did to memory: `json` (that of `lanescope trace --json`), `text`, `findings` and `notes` (sentences).
    `times`: the report of `lanescope time`; None where there is no GPU."""

    def __init__(self, source, found, saved, times=None):
        self.source, self.json, self.saved = source, found, saved
        self.times = times if isinstance(times, dict) else None
        self.findings = [sentence_of(hazard) for hazard in found["hazards"]]
        self.notes = [sentence_of(note) for note in found["notes"]]
        if times is not None:
            self.notes.append(sentence_of_times(times))
        self.rows = report.rows_of([record_of(found, self.findings, saved)])

    @property
    def text(self):
        return report.as_text(self.rows, self.findings, self.notes)

    def figure(self, name, theme="light", size=figures.SIZE):
        """The figure as SVG, which a notebook shows. `name`: one of lanescope.figures.NAMES."""
        if name not in figures.NAMES:
            raise program.LanescopeError(f"there is no figure '{name}'; there are {', '.join(figures.NAMES)}")
        return Figure(figures.draw(self.saved, name, theme, size, self.json["device"]))

    def stepper(self, warp=0, block=(0, 0, 0), stills=False):
        """The accesses of all warps, step by step, which a notebook shows. `warp`, `block` (X, Y, Z): what is shown first; `stills`:
        still pictures of this warp alone."""
        return stepper.stepper(self, warp, block, stills=stills)


class Figure:
    """A figure: `svg` is its text."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def __str__(self):
        return self.svg


def sentence_of(hazard):
    """A finding of `trace --json`: its line and thread, where it has them, and its message."""
    where = f"{hazard['file']}:{hazard['line']}: " if hazard["line"] else ""
    if "thread" in hazard and "block" in hazard:
        thread, block = (",".join(map(str, hazard[name])) for name in ("thread", "block"))
        where += f"thread ({thread}) of block ({block}) "
    return where + hazard["message"]


def has_gpu():
    """Whether this machine has a device of NVIDIA, WSL's too."""
    return any(os.path.exists(name) for name in ("/dev/nvidiactl", "/dev/dxg"))


def sentence_of_times(times):
    if isinstance(times, str):
        return times
    timed = times["kernels"][0]
    return (f"measured on the {times['gpu']}: {1e6 * timed['seconds']['median']:,.1f} µs, the median of {times['repetitions']} launches "
            f"with a {times['l2']} L2; {timed['gb_per_second']:,.1f} GB/s, {timed['percent_of_copy']:.0f} % of a copy")


def record_of(found, findings, saved):
    """A launch of `lanescope trace --json` as a record of `lanescope run`, which the table is made of."""
    def total(name):
        return sum(one.get(name, 0) for one in found["totals"].values())

    costs = {name: total(name) for name in ("sectors", "ideal_sectors", "wavefronts", "ideal_wavefronts")}
    return {"kernel": found["kernel"], "grid": found["launch"]["grid"], "block": found["launch"]["block"],
            "emulated_seconds": found["seconds"]["run"], "checked": not found["unchecked"], "findings": findings,
            "path": saved, **costs}


def has_main(text):
    """Whether a source is a whole program: it defines main outside of comments."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.search(r"\b(?:int|auto)\s+main\s*\(", code) is not None


def cu(text, options=()):
    """A CUDA source, whose kernels `launch` runs. `options`: of the compiler, as ["-D", "TILE=16"]."""
    return Source(text, options)
