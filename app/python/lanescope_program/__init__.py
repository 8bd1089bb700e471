"""The program of the wheel: this folder is its installation, with bin/, lib/ and share/, and `lanescope` on the PATH starts it.

    python -m lanescope_program         the same, where the PATH does not lead to it
    python -m lanescope_program.kernel  a kernel of Jupyter, on Lanescope's driver

Standard library only. Test: tests/packages/wheel_test.py
"""

import os
import sys

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "lanescope")


def become(*words):
    """Takes the place of this process."""
    try:
        os.execv(PROGRAM, ["lanescope", *words])
    except OSError as error:
        sys.exit(f"lanescope: {PROGRAM} was expected to be a program that runs here, and {error.strerror} was found; "
                 "install the wheel again on a Linux with an x86-64 processor")


def main():
    if sys.argv[1:2] == ["mcp"] and not set(sys.argv[2:]) & {"-h", "--help"}:
        serve_agents()
    become(*sys.argv[1:])


def serve_agents():
    """The server for agents, by the Python that the wheel is in, where its extra is too."""
    os.environ["LANESCOPE_PROGRAM"] = PROGRAM
    sys.argv = sys.argv[1:]
    from lanescope.mcp.__main__ import main as serve
    sys.exit(serve())
