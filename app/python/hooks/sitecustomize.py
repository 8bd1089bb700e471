"""The first thing that Python runs in a program that `lanescope run` started, which puts this folder into PYTHONPATH:
lanescope_hooks, then the sitecustomize that the person has, if any. Without `lanescope run` only the latter.

Source: the documentation of Python's module `site`. Tests: tests/programs/hooks_test.py
"""

import importlib.machinery
import importlib.util
import os
import sys


def add_hooks():
    """A program must run whatever happens here: what fails is one line on stderr."""
    try:
        import lanescope_hooks
        lanescope_hooks.install()
    except Exception as error:
        print(f"lanescope: Python's hooks cannot be used: {error}", file=sys.stderr)


def run_next_sitecustomize():
    """The one that this file hides. Its errors are the person's: Python's `site` reports them."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder or os.curdir) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if os.environ.get("LANESCOPE_DRIVER_SOCKET") or os.environ.get("LANESCOPE_FORWARD_SOCKET"):
    add_hooks()
run_next_sitecustomize()
