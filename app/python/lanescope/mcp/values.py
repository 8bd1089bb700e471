"""Arguments of a kernel from JSON as words of `lanescope trace --arg`, and its buffers after the run as a short answer.

An argument is one of
    {"type": "i32", "value": 1024}                              a number
    {"type": "f32", "shape": [32, 32], "init": "iota"}          a buffer: zeros, iota, fill(V), random(SEED) or none (uninitialized)
    {"type": "f32", "values": [1, 2.5]}                         a buffer of these values, in nested lists too
    {"same_as": "x"}                                            an earlier buffer again
with "name", and of a buffer "expected" (values or a number) with "tolerance". Tests: tests/mcp
"""

import array
import math
import os
import re
import struct

from lanescope.arrays import shape_text
from lanescope.mcp.places import shown
from lanescope.program import LanescopeError

CODES = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q",
         "u64": "Q", "bf16": None}
SIZES = {name: struct.calcsize(code) if code else 2 for name, code in CODES.items()}
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
INITS = re.compile(rf"zeros|iota|none|fill\({NUMBER}\)|random\(\d{{1,18}}\)")
MOST_SUMMED = 1 << 20
MOST_DIMENSIONS = 4


class Buffer:
    def __init__(self, name, kind, shape, given):
        self.name, self.kind, self.shape, self.given = name, kind, shape, given
        self.count = math.prod(shape)
        self.dump = None


def names_of(given, known):
    for n, one in enumerate(given):
        name = one.get("name", f"arg{n}")
        if not re.fullmatch(r"[A-Za-z_]\w{0,63}", name):
            raise LanescopeError(f"arguments[{n}]: a name of letters, digits and _ was expected, '{shown(name)}' was given")
        if name in known:
            raise LanescopeError(f"arguments[{n}]: there is a buffer '{name}' already; choose another name")
        known[name] = n
        yield name


def flat(values, place, depth=0):
    """(shape, numbers) of nested lists. Errors: the lists differ in length."""
    if not isinstance(values, list):
        return (), [values]
    if depth == MOST_DIMENSIONS:
        raise LanescopeError(f"{place}: lists in lists of at most {MOST_DIMENSIONS} dimensions were expected")
    if not values:
        raise LanescopeError(f"{place}: one value at least was expected")
    parts = [flat(one, place, depth + 1) for one in values]
    if len({shape for shape, _ in parts}) != 1:
        raise LanescopeError(f"{place}: lists of one length were expected in each dimension")
    return (len(values), *parts[0][0]), [one for _, numbers in parts for one in numbers]


def check_number(value, kind, place):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise LanescopeError(f"{place}: a number was expected, {type(value).__name__} was given")
    if kind[0] in "iu":
        bits = 8 * SIZES[kind]
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)
        if not isinstance(value, int) or not low <= value <= high:
            raise LanescopeError(f"{place}: an integer from {low} to {high} was expected ({kind}), {value} was given")
    return value


def packed(numbers, kind, place):
    for one in numbers:
        check_number(one, kind, place)
    try:
        if kind == "bf16":
            words = struct.unpack(f"<{len(numbers)}I", struct.pack(f"<{len(numbers)}f", *numbers))
            # To nearest, ties to even.
            return struct.pack(f"<{len(numbers)}H", *((word + 0x7fff + (word >> 16 & 1)) >> 16 for word in words))
        return struct.pack(f"<{len(numbers)}{CODES[kind]}", *numbers)
    except (struct.error, OverflowError):
        raise LanescopeError(f"{place}: a value is too large for {kind}") from None


def unpacked(content, kind):
    count = len(content) // SIZES[kind]
    if kind == "bf16":
        words = struct.unpack(f"<{count}H", content)
        return list(struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *(word << 16 for word in words))))
    if kind == "f16":
        return list(struct.unpack(f"<{count}e", content))
    values = array.array(CODES[kind])
    values.frombytes(content)
    return list(values)


def buffer_of(one, name, place, path, most_bytes):
    """(Buffer, what `--arg` says of its contents)"""
    kind = one["type"]
    if "values" in one:
        shape, numbers = flat(one["values"], f"{place}.values")
        if "shape" in one and math.prod(shape_of(one)) != len(numbers):
            raise LanescopeError(f"{place}: {math.prod(shape_of(one))} values were expected by its shape, {len(numbers)} were given")
        if "init" in one:
            raise LanescopeError(f"{place}: values or init was expected, and both were given")
        with open(path, "wb") as file:
            file.write(packed(numbers, kind, f"{place}.values"))
        buffer, init = Buffer(name, kind, shape_of(one) if "shape" in one else shape, one), f"file({path})"
    else:
        buffer, init = Buffer(name, kind, shape_of(one), one), one.get("init", "zeros")
        if not INITS.fullmatch(init):
            raise LanescopeError(f"{place}.init: zeros, iota, fill(V), random(SEED) or none was expected, '{shown(init)}' was given")
    if buffer.count * SIZES[kind] > most_bytes:
        raise LanescopeError(f"{place}: {buffer.count * SIZES[kind]:,} bytes are more than the {most_bytes:,} that are left for "
                             "the buffers of a call; make it smaller, or start the server with larger --memory-mib and --file-mib")
    return buffer, f"{kind}[{shape_text(buffer.shape)}]:{init}"


def shape_of(one):
    shape = one["shape"]
    return tuple(shape) if isinstance(shape, list) else (shape,)


def pass_all(given, folder, most_bytes):
    """The words of `lanescope trace`, and the buffers, whose dumps lie in `folder` after the run. Errors: a sentence."""
    words, buffers, known = [], [], {}
    for n, (one, name) in enumerate(zip(given, names_of(given, known))):
        place, is_buffer = f"arguments[{n}]", "shape" in one or "values" in one
        if "same_as" in one:
            if one["same_as"] not in [buffer.name for buffer in buffers]:
                raise LanescopeError(f"{place}.same_as: an earlier buffer was expected; there is no '{shown(one['same_as'])}'")
            words += ["--arg", one["same_as"]]
            continue
        if "type" not in one or is_buffer == ("value" in one):
            raise LanescopeError(f"{place}: a number ({{type, value}}), a buffer ({{type, shape, init}} or {{type, values}}) or "
                                 "{same_as} was expected")
        if not is_buffer:
            words += ["--arg", f"{name}={one['type']}:{check_number(one['value'], one['type'], place)!r}"]
            continue
        buffer, contents = buffer_of(one, name, place, os.path.join(folder, f"{n}.in"), most_bytes)
        most_bytes -= buffer.count * SIZES[buffer.kind]
        buffer.dump = os.path.join(folder, f"{n}.out")
        words += ["--arg", f"{name}={contents}", "--dump", f"{n}={buffer.dump}"]
        buffers.append(buffer)
    return words, buffers


def plain(value):
    """A number that JSON has; the others by name."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def result_of(buffer, first):
    """What a buffer holds after the run: its first values, its least and largest, and how it differs from what was expected."""
    found = {"name": buffer.name, "type": buffer.kind, "shape": list(buffer.shape)}
    if not os.path.exists(buffer.dump):
        return {**found, "values": "the kernel did not run to its end"}
    with open(buffer.dump, "rb") as file:
        values = unpacked(file.read(MOST_SUMMED * SIZES[buffer.kind]), buffer.kind)
    finite = [value for value in values if math.isfinite(value)]
    found["values"] = [plain(value) for value in values[:first]]
    if buffer.count > first:
        found["more_values"] = buffer.count - first
    if finite:
        found["least"], found["largest"] = min(finite), max(finite)
    if len(finite) != len(values):
        found["not_finite"] = len(values) - len(finite)
    if buffer.count > len(values):
        found["summed"] = len(values)
    if "expected" in buffer.given:
        found["check"] = check_of(buffer, values)
    return found


def check_of(buffer, values):
    expected, tolerance = buffer.given["expected"], buffer.given.get("tolerance", 0)
    numbers = flat(expected, "expected")[1] if isinstance(expected, list) else [expected] * len(values)
    for one in numbers:
        if isinstance(one, bool) or not isinstance(one, (int, float)):
            raise LanescopeError(f"expected: a number was expected, {type(one).__name__} was given")
    if len(numbers) > len(values):
        raise LanescopeError(f"expected: {len(numbers)} values were given for {len(values)} of '{buffer.name}'")
    # Also where a value is no number.
    wrong = [n for n, one in enumerate(numbers) if not abs(values[n] - one) <= tolerance]
    if not wrong:
        return f"right: {len(numbers):,} values"
    n = wrong[0]
    return f"wrong: {len(wrong):,} of {len(numbers):,} values; the first is [{n}]: {values[n]!r}, {numbers[n]!r} was expected"
