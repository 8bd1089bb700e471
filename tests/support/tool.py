"""A program that a test starts, for what it prints."""

import subprocess


def printed_by(program, *words, statuses=(0,), **options):
    """The finished process, with its `stdout` and `stderr` as text. `options`: those of subprocess.run. Errors: AssertionError for another
    exit status, with standard error."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False, **options)
    if done.returncode not in statuses:
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return done
