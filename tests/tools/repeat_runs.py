#!/usr/bin/python3
"""Repeats one `lanescope trace` many times and compares every buffer and exit status with those of the first run.

A short run that differs once in thousands is found in no other way. Runs are one after the other, at low priority.

    repeat_runs.py --program build/lanescope --seconds 3600 -- histogram.ptx --grid 1 --block 128 --arg ...

Prints a line for each run that differs, keeps its buffers, and ends with the number of runs. Exit status: 1 if any
differed.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def buffer_arguments(arguments):
    """Numbers of the kernel's arguments that are buffers: 'i32[4]:zeros', 'out=f32[4,4]:none'."""
    given = [value for name, value in zip(arguments, arguments[1:]) if name == '--arg']
    return [number for number, text in enumerate(given) if '[' in text.split(':')[0]]


def run_once(program, arguments, folder):
    """Exit status, what was printed on standard error, and the bytes of each buffer."""
    dumps = []
    for number in buffer_arguments(arguments):
        dumps += ['--dump', f'{number}={folder / str(number)}']
    done = subprocess.run([program, 'trace', *arguments, *dumps], capture_output=True)
    buffers = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return done.returncode, done.stderr, buffers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True, help='the lanescope to run')
    parser.add_argument('--seconds', type=float, default=60, help='for how long (default: 60)')
    parser.add_argument('arguments', nargs='+', help='of lanescope trace, after --')
    options = parser.parse_args()
    os.nice(15)
    end = time.monotonic() + options.seconds
    runs = differing = 0
    first = None
    while first is None or time.monotonic() < end:
        folder = Path(tempfile.mkdtemp(prefix='repeat_runs_'))
        outcome = run_once(options.program, options.arguments, folder)
        runs += 1
        if first is None:
            first = outcome
        if outcome == first:
            shutil.rmtree(folder)
            continue
        differing += 1
        names = [name for name in first[2] if outcome[2].get(name) != first[2][name]]
        print(f'run {runs}: status {outcome[0]} for {first[0]}, buffers {names} differ, kept in {folder}', flush=True)
    print(f'{runs} runs, {differing} differ from the first')
    return 1 if differing else 0


if __name__ == '__main__':
    sys.exit(main())
