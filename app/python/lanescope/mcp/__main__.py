"""`lanescope mcp`, and `python -m lanescope.mcp`: the options of the server. Tests: tests/mcp"""

import argparse
import importlib.util
import os
import sys

from lanescope.mcp import confine
from lanescope.program import LanescopeError, lanescope_program

MEANINGS = {
    "seconds": "of the clock, for each run of a kernel or program", "memory_mib": "of address space, for each process",
    "file_mib": "of each file that a run writes", "output_kib": "of what a run prints, that are read",
    "source_kib": "of a source, and of each header below the folder", "answer_kib": "of the text of an answer",
    "at_once": "calls that run at once; others wait",
}
# name: (default, least, most)
RANGES = {"seconds": (60, 1, 86_400), "memory_mib": (4096, 512, 1 << 20), "file_mib": (512, 1, 1 << 20), "output_kib": (64, 1, 65_536),
          "source_kib": (1024, 1, 65_536), "answer_kib": (24, 4, 4096), "at_once": (2, 1, 256)}


class Words(argparse.ArgumentParser):
    def error(self, message):
        print(f"lanescope mcp: {message}; 'lanescope mcp --help' lists the options", file=sys.stderr)
        sys.exit(2)


def in_range(name):
    _, low, high = RANGES[name]

    def number(text):
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"an integer from {low} to {high} was expected, '{text}' was given")
        return int(text)

    return number


def options_of(words):
    parser = Words(prog="lanescope mcp", allow_abbrev=False,
                   description="A server of the Model Context Protocol over standard input and output, for coding agents. It reads files "
                               "below the folder that it is started in, and no others.")
    parser.add_argument("--allow-host-code", action="store_true", help="offer run_program, which compiles and runs whole programs: their "
                        "host code may do what you may")
    parser.add_argument("--without-walls", action="store_true", help="on a Linux without Landlock: paths and includes are checked by their "
                        "text alone")
    for name, (default, *_) in RANGES.items():
        parser.add_argument("--" + name.replace("_", "-"), type=in_range(name), default=default, metavar="N",
                            help=f"{MEANINGS[name]} (default: {default})")
    return parser.parse_args(words)


def complaint(options):
    """Why the server cannot start; None: it can."""
    if importlib.util.find_spec("mcp") is None or importlib.util.find_spec("mcp_types") is None:
        return (f"PyPI's package mcp, version 2, was expected and not found by {sys.executable}; run `pip install \"lanescope[mcp]\"`, or "
                "`pip install \"mcp>=2,<3\"`, in the Python that `python3` starts")
    if not options.without_walls and not confine.is_there():
        return ("this Linux has no Landlock (5.13 or newer), which keeps the compiler from other files; add --without-walls if the sources "
                "are your own")
    return None


def main():
    options = options_of(sys.argv[1:])
    try:
        wrong = complaint(options)
        lanescope_program()
    except LanescopeError as error:
        wrong = str(error)
    if wrong:
        print(f"lanescope mcp: {wrong}", file=sys.stderr)
        return 1
    from lanescope.mcp import runs, server
    limits = runs.Limits(**{name: getattr(options, name) for name in RANGES})
    try:
        server.run(os.getcwd(), limits, options.allow_host_code, not options.without_walls)
    except KeyboardInterrupt:
        pass
    except Exception as error:
        if not is_end_of_client(error):
            raise
    return 0


def is_end_of_client(error):
    """Whether a client that has ended is all that is wrong. Tasks that fail together raise a group."""
    parts = getattr(error, "exceptions", ())
    return all(map(is_end_of_client, parts)) if parts else isinstance(error, (BrokenPipeError, ConnectionResetError))


if __name__ == "__main__":
    sys.exit(main())
