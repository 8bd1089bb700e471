"""%%cu: compiles a cell of CUDA C++, runs it, and shows under it what its kernels did to memory.

Method: a cell with main is run by `lanescope run`, compiled by nvcc; of another cell one kernel is launched, on values of the
notebook. Line 1 is the magic's, so that the compiler counts lines as the person does. Tests: tests/programs/source_test.py
"""

import os
import re
import shlex

from lanescope import figures, program, report
from lanescope.source import FILE, Shown, Source, has_main


def add_options(parser):
    parser.add_argument("--kernel", help="which kernel is launched, if the cell has several")
    parser.add_argument("--grid", default="1", help="X[,Y[,Z]] blocks (default: 1)")
    parser.add_argument("--block", default="32", help="X[,Y[,Z]] threads per block (default: 32)")
    parser.add_argument("--shared", type=int, default=0, help="bytes of dynamic shared memory")
    parser.add_argument("--args", default="", help="arguments, as Python: --args 'a, b, 3.0'")
    parser.add_argument("--name", help="a variable of the notebook that gets what is shown")
    figures.add_option(parser)
    parser.add_argument("-D", dest="macros", action="append", default=[], help="NAME[=VALUE]: a macro for the compiler")


def dimensions(text, name):
    try:
        return tuple(int(one) for one in text.split(","))
    except ValueError:
        raise program.LanescopeError(f"--{name}: X[,Y[,Z]] was expected, as 16,16; '{text}' was given") from None


def values_of(text, variables):
    """The values of a list of Python expressions. Errors: those of Python, in a sentence."""
    try:
        return eval(f"({text},)", variables) if text.strip() else ()
    except Exception as error:
        raise program.LanescopeError(f"--args '{text}': {type(error).__name__}: {error}") from None


def launch_cell(source, options, variables):
    kernels = source.kernels()
    if options.kernel is None and len(kernels) != 1:
        names = ", ".join(one["name"] for one in kernels)
        raise program.LanescopeError(f"the cell has several kernels; choose one by --kernel: {names}")
    return source.launch(options.kernel or kernels[0]["name"], dimensions(options.grid, "grid"),
                         dimensions(options.block, "block"), *values_of(options.args, variables), shared=options.shared)


class Run(Shown):
    """A whole program's run: `json` (run.json of `lanescope run`), `output` (its stdout), `findings`."""

    def __init__(self, source):
        self.source = source
        with open(source.path("output.txt"), "w", encoding="utf-8") as file:
            self.status, complaint = source.run("run", *source.options, "--save", source.path("kept"), "--json",
                                                source.path("run.json"), FILE, output=file)
        self.json = source.read("run.json", complaint)
        with open(source.path("output.txt"), encoding="utf-8", errors="replace") as file:
            self.output = file.read()
        records = [{**one, "path": source.path(os.path.join("kept", one["file"]))} if one.get("file") else one
                   for one in self.json["launches"]]
        self.rows = report.rows_of(records)
        self.findings = report.findings_of(self.rows, lambda sentence: sentence.replace(source.folder + "/", ""))
        # The table of `lanescope run` follows the program's own stderr.
        said = re.split(r"(?m)^lanescope: [\d,]+ launch", complaint)[0].strip()
        self.notes = [said] if said else []
        if self.json.get("status", 0) != 0:
            self.notes.append(f"the program ended with {self.json['status']}")

    @property
    def text(self):
        return self.output + report.as_text(self.rows, self.findings, self.notes)


def run_cell(options, cell, variables):
    """A Launch, or of a cell with main a Run."""
    source = Source("\n" + cell, [word for macro in options.macros for word in ("-D", macro)])
    return Run(source) if has_main(cell) else launch_cell(source, options, variables)


def show(shell, line, cell, parser):
    from IPython.display import display
    add_options(parser)
    options = parser.parse_args(shlex.split(line))
    done = run_cell(options, cell, shell.user_ns)
    if isinstance(done, Run) and done.output:
        print(done.output, end="")
    text = report.as_text(done.rows, done.findings, done.notes)
    display({"text/html": done.html(options.figure or ()), "text/plain": text}, raw=True)
    if options.name:
        shell.user_ns[options.name] = done
