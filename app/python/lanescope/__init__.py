"""Lanescope in a notebook, or in any Python program that `lanescope run` started.

    %load_ext lanescope
    %%lanescope            first line of a cell: its launches and what they cost, under it; --help says more
    %%cu                   first line of a cell of CUDA C++, which is compiled and run; --help says more
    lanescope.last()       the records of the latest launches, as dictionaries
    lanescope.open()       the window on all launches of this run
    lanescope.cu(source).launch("scale", grid, block, a, b, 3.0)       a kernel of CUDA C++ on NumPy arrays
    lanescope.read_sweep("sweep.sqlite")       the results of `lanescope sweep` as a frame of pandas

See app/docs/programs.md and sweeps.md. Standard library only, but for read_sweep(). Tests: tests/programs/module_test.py,
source_test.py, sweep_test.py
"""

from lanescope.program import LanescopeError, last, open_window as open
from lanescope.source import cu
from lanescope.sweep import read_sweep

__version__ = "0.1.0"
__all__ = ["LanescopeError", "cu", "last", "open", "read_sweep"]


def load_ipython_extension(shell):
    from lanescope import magic
    magic.add_to(shell)


def unload_ipython_extension(shell):
    for name in ("lanescope", "cu"):
        shell.magics_manager.magics["cell"].pop(name, None)
