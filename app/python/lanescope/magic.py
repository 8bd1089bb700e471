"""%%lanescope: runs a cell and shows under it what its kernels did to memory.

Method: the cell is run as it is; the launches that the driver noted meanwhile are its own. The cell's error is raised
after the table, so that a notebook stops there as it would without. Tests: tests/programs/module_test.py
"""

import argparse
import contextlib
import re
import shlex

from lanescope import cell as cuda_cell, figures, program, report


class Words(argparse.ArgumentParser):
    """Options that end no program."""

    def error(self, message):
        raise program.LanescopeError(f"{self.prog}: {message}; its options are: {self.format_usage().strip()}")

    def exit(self, status=0, message=None):
        raise Finished


class Finished(Exception):
    """The help was shown."""


def options_of(line):
    parser = Words(prog="%%lanescope", description="Runs the cell and shows its launches and what they cost.")
    figures.add_option(parser)
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="light (default) or dark")
    parser.add_argument("--size", default=figures.SIZE, metavar="WIDTHxHEIGHT", help=f"default: {figures.SIZE}")
    return parser.parse_args(shlex.split(line))


def cell_names(shell):
    """A function that writes "In[7], line 5" for "file:5" of a cell, as IPython's own errors do."""
    name_of_code = getattr(getattr(shell, "compile", None), "format_code_name", lambda name: None)

    def name_of_place(match):
        found = name_of_code(match[1])
        return f"{found[1]}, line {match[2]}" if found else match[0]

    return lambda sentence: re.sub(r"(/[^\s:]+|<[^>]+>):(\d+)", name_of_place, sentence)


@contextlib.contextmanager
def no_tracebacks(shell):
    """IPython shows none meanwhile."""
    own = vars(shell).get("_showtraceback")
    shell._showtraceback = lambda *_: None
    try:
        yield
    finally:
        if own is None:
            del shell._showtraceback
        else:
            shell._showtraceback = own


@contextlib.contextmanager
def number_of_cell(shell):
    """What runs meanwhile has the number of this cell: IPython 9 counts on before a cell runs, others after it."""
    after, inputs = shell.execution_count, shell.user_ns.get("In")
    if isinstance(inputs, list) and len(inputs) > 1:
        shell.execution_count = len(inputs) - 1
    try:
        yield
    finally:
        shell.execution_count = after


def run_silently(shell, cell):
    """Runs a cell's text. Returns its error, which is not shown; None if there is none."""
    with no_tracebacks(shell), number_of_cell(shell):
        # A line in place of the magic's: lines are counted as the person sees them.
        result = shell.run_cell(cell if cell.startswith("%%") else "# %%lanescope\n" + cell)
    return result.error_before_exec or result.error_in_exec


def show(shell, records, options):
    from IPython.display import display
    rows = report.rows_of(records)
    if not rows:
        print("lanescope: this cell launched no kernel")
        return
    findings = report.findings_of(rows, cell_names(shell))
    # A terminal shows the text.
    elements, notes = (figures.drawn(rows, options.figure, theme=options.theme, size=options.size) if hasattr(shell, "kernel")
                       else ([], []))
    folder = program.latest.folder
    notes.append(f"All panels: lanescope.open(), or `lanescope open {folder}` in a terminal." if folder
                 else f"No figures: {program.NOT_KEPT}.")
    display({"text/html": report.as_html(rows, findings, elements, notes),
             "text/plain": report.as_text(rows, findings, notes)}, raw=True)


def run_cell(shell, line, cell):
    try:
        options = options_of(line)
    except Finished:
        return
    if program.is_hosted():
        program.latest.take()  # those of earlier cells
    error = run_silently(shell, cell)
    if program.is_hosted():
        show(shell, program.latest.take(), options)
    else:
        print(f"lanescope: {program.NOT_HOSTED}")
    if error is not None:
        raise error


def add_to(shell):
    from IPython.core.error import UsageError

    def lanescope(line, cell):
        try:
            run_cell(shell, line, cell)
        except program.LanescopeError as error:
            raise UsageError(str(error)) from None

    def cu(line, cell):
        words = Words(prog="%%cu", description="Compiles the cell's CUDA C++, runs it, and shows what it did to memory.")
        try:
            cuda_cell.show(shell, line, cell, words)
        except Finished:
            pass
        except program.LanescopeError as error:
            raise UsageError(str(error)) from None

    shell.register_magic_function(lanescope, "cell")
    shell.register_magic_function(cu, "cell")
