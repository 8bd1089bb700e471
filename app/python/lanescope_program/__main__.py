"""`python -m lanescope_program` is `lanescope`. Test: tests/packages/wheel_test.py"""

from lanescope_program import main

main()
