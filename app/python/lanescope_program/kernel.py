"""Jupyter starts this in place of ipykernel for its kernel "Python 3 (Lanescope)": the same Python's kernel under `lanescope run`.

Usage: python -m lanescope_program.kernel ARGUMENTS OF IPYKERNEL. Jupyter puts its own Python in place of the word `python`, so the
kernel is right wherever the wheel is installed. Test: tests/packages/wheel_test.py
"""

import sys

from lanescope_program import become

become("run", "--save", "auto", "--", sys.executable, "-m", "ipykernel_launcher", *sys.argv[1:])
