"""Arguments of a kernel from values of Python: the words of `lanescope trace --arg` and `--dump`, and the way back.

Tests: tests/programs/source_test.py"""

import ctypes
import math
import os
import re

from lanescope.program import LanescopeError

# Of NumPy's array interface.
ELEMENTS = {"<f4": "f32", "<f8": "f64", "<f2": "f16", "<i4": "i32", "<i8": "i64", "<u4": "u32", "<u8": "u64", "<i2": "i16",
            "<u2": "u16", "|i1": "i8", "|u1": "u8"}
TYPES = {"float": "f32", "double": "f64", "__half": "f16", "int": "i32", "long long": "i64", "long": "i64",
         "unsigned int": "u32", "unsigned": "u32", "unsigned long": "u64", "unsigned long long": "u64", "short": "i16",
         "unsigned short": "u16", "signed char": "i8", "unsigned char": "u8", "bool": "u8", "char": "i8",
         "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
         "int64_t": "i64", "uint64_t": "u64", "size_t": "u64"}


class Passed:
    """The words of the command line, and the arrays to copy results into: (file, address, bytes)."""

    def __init__(self):
        self.words, self.results = [], []

    def inputs(self):
        """The words without those of `--dump`, for a verb that writes nothing back."""
        return [word for n, word in enumerate(self.words) if "--dump" not in self.words[max(0, n - 1):n + 1]]

    def copy_back(self):
        """Copies what the kernel left into the arrays. A launch that did not run to its end may have left nothing."""
        for path, address, size in self.results:
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                content = file.read()
            if len(content) != size:
                raise LanescopeError(f"{size} bytes of a buffer were expected after the run, {len(content)} came back")
            ctypes.memmove(address, content, size)


def extent(value, name):
    """X[,Y[,Z]] of a number or up to three."""
    parts = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(parts) <= 3 or not all(isinstance(one, int) and one > 0 for one in parts):
        raise LanescopeError(f"{name}: one to three positive integers were expected, as 4 or (4, 2); {value!r} was given")
    return ",".join(map(str, parts))


def element_of(parameter):
    """The type that a parameter has or points to, as f32; None if its name says none."""
    words = re.sub(r"\b(const|volatile|__restrict__|__restrict)\b|[*&]", " ", parameter["type"]).split()
    return TYPES.get(" ".join(words))


def number(parameter, value):
    size = parameter["size_bytes"]
    kind = element_of(parameter) or ("f" if isinstance(value, float) else "i") + str(8 * size)
    if kind[0] in "iu" and isinstance(value, float):
        raise LanescopeError(f"'{parameter['name']}' is an integer ({parameter['type']}); {value!r} was given")
    return f"{kind}:{value!r}"


def contents(parameter, array):
    """(element, shape, address, bytes, is_read_only) of an array."""
    name, interface = parameter["name"], array.__array_interface__
    element = ELEMENTS.get(interface["typestr"])
    if element is None:
        raise LanescopeError(f"'{name}': elements of type {interface['typestr']} cannot be passed; those that can are "
                             "float16, float32, float64 and integers of 8 to 64 bits")
    if interface.get("strides") is not None:
        raise LanescopeError(f"'{name}': the array is not contiguous; pass numpy.ascontiguousarray(...)")
    expected = element_of(parameter)
    if expected is not None and expected != element and not parameter["type"].startswith("void"):
        raise LanescopeError(f"'{name}' points to {expected} ({parameter['type']}); the array's elements are {element}")
    shape = interface["shape"]
    count = math.prod(shape)
    if count == 0:
        raise LanescopeError(f"'{name}': the array is empty")
    address, is_read_only = interface["data"]
    return element, shape, address, count * int(interface["typestr"][2:]), is_read_only


def shape_text(shape):
    """The shape of a buffer as `--arg` has it, rows first: "128x64"; more than three dimensions are one."""
    most = 3
    return "x".join(map(str, shape)) if len(shape) <= most else str(math.prod(shape))


def pass_array(parameter, array, index, folder, passed, known):
    name = parameter["name"] or f"arg{index}"
    element, shape, address, size, is_read_only = contents(parameter, array)
    is_input = parameter["type"].startswith("const ")
    if is_read_only and not is_input:
        raise LanescopeError(f"'{name}': the array is read-only and the kernel may write it ({parameter['type']})")
    for other, start, length, _ in known:
        if address < start + length and start < address + size and (address, size) != (start, length):
            raise LanescopeError(f"'{name}' and '{other}' are overlapping parts of one array; pass copies of them")
    same = next((other for other, start, length, _ in known if (start, length) == (address, size)), None)
    if same is None:
        path = os.path.join(folder, f"{index}.in")
        with open(path, "wb") as file:
            file.write(ctypes.string_at(address, size))
        passed.words += ["--arg", f"{name}={element}[{shape_text(shape)}]:file({path})"]
    else:
        passed.words += ["--arg", same]
    known.append((same or name, address, size, is_input))
    if not is_input:
        path = os.path.join(folder, f"{index}.out")
        if os.path.exists(path):
            os.remove(path)
        passed.words += ["--dump", f"{index}={path}"]
        passed.results.append((path, address, size))


def pass_all(kernel, values, folder):
    """The arguments of a kernel of `lanescope kernels --json`, arrays as files in `folder`. Errors: a sentence."""
    parameters = kernel["parameters"]
    if len(values) != len(parameters):
        names = ", ".join(f"{one['type']} {one['name']}" for one in parameters)
        raise LanescopeError(f"{kernel['name']} takes {len(parameters)} arguments ({names}); {len(values)} were given")
    passed, known = Passed(), []
    for index, (parameter, value) in enumerate(zip(parameters, values)):
        is_pointer = "*" in parameter["type"]
        name = parameter["name"] or f"arg{index}"
        # A number of NumPy has the interface too, and no dimension.
        is_array = hasattr(value, "__array_interface__") and value.__array_interface__["shape"] != ()
        if hasattr(value, "item") and not is_array:
            value = value.item()
        if is_pointer != is_array or not (is_array or isinstance(value, (bool, int, float))):
            expected = "an array as NumPy has them" if is_pointer else "a number"
            raise LanescopeError(f"'{name}' is {parameter['type']}: {expected} was expected, "
                                 f"{type(value).__name__} was given")
        if is_array:
            pass_array(parameter, value, index, folder, passed, known)
        else:
            plain = int(value) if isinstance(value, bool) else value
            passed.words += ["--arg", f"{name}={number(parameter, plain)}"]
    return passed
