"""What the programs of this folder have in common: each prints a line for each of its checks, and ends with status 1 if
one was wrong."""

import sys

wrong = []


def check(name, is_right):
    print(f"{name}: {'right' if is_right else 'WRONG'}", flush=True)
    if not is_right:
        wrong.append(name)


def run(*functions):
    """Each function is a check by its name; one that fails is wrong, and the others run."""
    for function in functions:
        try:
            check(function.__name__, bool(function()))
        except Exception as error:
            print(f"{function.__name__}: {type(error).__name__}: {error}", flush=True)
            wrong.append(function.__name__)
    sys.exit(bool(wrong))
