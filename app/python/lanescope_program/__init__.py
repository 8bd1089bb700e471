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
    become(*sys.argv[1:])
