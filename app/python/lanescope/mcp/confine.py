"""Limits this process, keeps it from the other files of the machine, and becomes another program: confine.py LIMITS PROGRAM WORD...

LIMITS is JSON: memory_mib, file_mib (of each file that is written), read and write (folders or files; null: all that the person may).
Method: resource limits, and Landlock (Linux 5.13; the kernel's own sandbox), which is inherited by what the program starts. The program
ends with the server. As app/shell/classroom/reading.cpp does for a class's sources. Standard library only. Tests: tests/mcp
"""

import ctypes
import json
import os
import resource
import signal
import sys

CANNOT_START = 126
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
# The same numbers on all architectures but Alpha.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_QUESTION, BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
GOVERNED = (1 << 13) - 1  # all of Landlock's first version
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE
system = ctypes.CDLL(None, use_errno=True)


class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def is_there():
    """Whether this kernel has Landlock."""
    return system.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_QUESTION) > 0


def call(*arguments):
    value = system.syscall(*arguments)
    if value < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return value


def allow(rules, place, rights):
    try:
        parent = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    allowed = rights if os.path.isdir(place) else rights & OF_FILES
    call(ADD_RULE, rules, BENEATH, ctypes.byref(Beneath(allowed, parent)), 0)
    os.close(parent)


def keep_within(read, write):
    rules = call(CREATE_RULESET, ctypes.byref(ctypes.c_uint64(GOVERNED)), ctypes.c_size_t(8), 0)
    for place in read:
        allow(rules, place, EXECUTE | READ_FILE | READ_DIR)
    for place in write:
        allow(rules, place, GOVERNED & ~EXECUTE)
    if system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    call(RESTRICT_SELF, rules, 0)


def limit(what, most):
    hard = resource.getrlimit(what)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (value, value))


def main():
    limits, words = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        system.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_FSIZE, limits["file_mib"] << 20)
        if limits["read"] is not None:
            keep_within(limits["read"], limits["write"])
        limit(resource.RLIMIT_AS, limits["memory_mib"] << 20)
        os.execv(words[0], words)
    except OSError as error:
        print(f"{words[0]} cannot be started with its limits: {error.strerror}", file=sys.stderr)
        sys.exit(CANNOT_START)


if __name__ == "__main__":
    main()
