"""Which files a call may name, and which a source may include: those below the folder of the server.

Method: a path is followed through its links before it is compared. What a source includes is read off its text, for a sentence that
says so; what the text hides, the kernel refuses (confine.py). Tests: tests/mcp
"""

import os
import re

from lanescope.program import LanescopeError

SUFFIXES = (".cu", ".cuh", ".ptx", ".lane")
TEXTS = (".cu", ".cuh", ".ptx")
MOST_HEADERS = 500
DIRECTIVE = re.compile(r"^[ \t\v\f]*(?:#|%:)[ \t]*(?:include|include_next|import|embed)\b[ \t]*(.*)$", re.MULTILINE)
# Strings stay, so that a // in one is no comment.
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


class Places:
    """`root`: the folder, without links; `source_bytes`: the most that a source or a header may have."""

    def __init__(self, root, source_bytes):
        self.root, self.source_bytes = os.path.realpath(root), source_bytes

    def has(self, path):
        return path == self.root or path.startswith(self.root.rstrip("/") + "/")

    def inside(self, name):
        """The path without links. Errors: it is not below the folder."""
        if "\0" in name or not name:
            raise LanescopeError("a path was expected, and an empty one or one with a zero byte was given")
        path = os.path.realpath(os.path.join(self.root, name))
        if not self.has(path):
            raise LanescopeError(f"'{shown(name)}' is outside of the folder that this server was started in; give a path below it")
        return path

    def file(self, name, suffixes=SUFFIXES):
        """The path of a file below the folder, relative to it. Errors: outside, none, another kind, too large."""
        path = self.inside(name)
        if not os.path.isfile(path):
            raise LanescopeError(f"'{shown(name)}' is no file below the folder of this server; check the path")
        if not path.endswith(suffixes):
            raise LanescopeError(f"'{shown(name)}': a file of the kind {', '.join(suffixes)} was expected")
        if path.endswith(TEXTS):
            self.check_includes(self.text(path), os.path.dirname(path), {path})
        return os.path.relpath(path, self.root)

    def folder(self, name):
        path = self.inside(name)
        if not os.path.isdir(path):
            raise LanescopeError(f"'{shown(name)}' is no folder below the folder of this server; check the path")
        return path

    def check_size(self, size, name):
        if size > self.source_bytes:
            raise LanescopeError(f"{name} has {size:,} bytes, and {self.source_bytes:,} at most were expected; leave something out, "
                                 "or start the server with a larger --source-kib")

    def text(self, path):
        self.check_size(os.path.getsize(path), f"'{os.path.relpath(path, self.root)}'")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def check_includes(self, text, folder, seen=None):
        """Errors: the text, or a header below the folder that it includes, includes what is not below the folder."""
        seen = set() if seen is None else seen
        for what in included_by(text):
            quoted = re.match(r'"([^"]*)"|<([^>]*)>', what)
            if quoted is None:
                raise LanescopeError(f"#include {shown(what)}: a name in quotes or angle brackets was expected; a macro may not name "
                                     "what is included")
            name = quoted[1] if quoted[1] is not None else quoted[2]
            self.check_included(name, folder, seen)

    def check_included(self, name, folder, seen):
        first = os.path.realpath(os.path.join(folder, name))
        for base in (folder, self.root):
            path = os.path.realpath(os.path.join(base, name))
            if not self.has(path) and (os.path.lexists(os.path.join(base, name)) or (path == first and is_upward(name))):
                raise LanescopeError(f"#include of '{shown(name)}': it is outside of the folder that this server was started in; "
                                     "include what is below it")
            if self.has(path) and os.path.isfile(path):
                if path not in seen:
                    seen.add(path)
                    if len(seen) > MOST_HEADERS:
                        raise LanescopeError(f"the source includes more than {MOST_HEADERS} files of this folder")
                    self.check_includes(self.text(path), os.path.dirname(path), seen)
                return


def is_upward(name):
    return os.path.isabs(name) or ".." in name.split("/")


def included_by(text):
    """What stands behind each #include, without comments, lines that end with a backslash joined."""
    joined = re.sub(r"\\[ \t]*\r?\n", "", text)
    plain = COMMENT.sub(lambda match: match[1] or " ", joined)
    return [match.strip() for match in DIRECTIVE.findall(plain)]


def shown(text, most=120):
    """Text of a caller for a sentence: one line, not long."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    return plain if len(plain) <= most else plain[:most] + "..."
