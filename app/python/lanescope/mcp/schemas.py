"""The tools' names, descriptions and arguments, as JSON Schemas. What they do: tools.py, whole_program.py. Tests: tests/mcp"""

from lanescope import figures
from lanescope.mcp import values

MOST_LINES = 50
MOST_VALUES = 256
FIGURES = (*figures.NAMES, "memory_chart", "occupancy", "roofline")
INTEGERS = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}, "minItems": 1, "maxItems": 3}
NAME = {"type": "string", "maxLength": 500}

TARGET = {
    "path": {**NAME, "description": "A .cu or .ptx file, or a saved trace (.lane), below the server's folder."},
    "source": {"type": "string", "description": "CUDA C++ in place of a path. It may include headers of the server's folder."},
    "macros": {"type": "array", "items": NAME, "maxItems": 64, "description": "NAME or NAME=VALUE, for the compiler."},
    "include_folders": {"type": "array", "items": NAME, "maxItems": 16, "description": "Folders of headers below the server's folder."},
}
ARGUMENT = {
    "type": "object",
    "properties": {
        "name": NAME, "type": {"type": "string", "enum": sorted(values.CODES)},
        "value": {"type": "number", "description": "Of a number."},
        "shape": {"type": ["integer", "array"], "minimum": 1, "maximum": 2**40, "minItems": 1, "maxItems": values.MOST_DIMENSIONS,
                  "items": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}, "description": "Of a buffer: elements."},
        "init": {**NAME, "description": "zeros (default), iota, fill(V), random(SEED), none (uninitialized)."},
        "values": {"type": "array", "description": "In place of init: the elements, in nested lists too."},
        "same_as": {**NAME, "description": "An earlier buffer again, by its name."},
        "expected": {"type": ["array", "number"], "description": "What the buffer should hold after the run; compared."},
        "tolerance": {"type": "number", "minimum": 0, "description": "Of expected, absolute (default 0)."},
    },
}
LAUNCH = {
    "kernel": {**NAME, "description": "Which kernel, if there are several, as scale or reduce<256>."},
    "grid": {**INTEGERS, "description": "Blocks, as [32, 32]."},
    "block": {**INTEGERS, "description": "Threads of a block, as [32, 8]."},
    "shared_bytes": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1, "description": "Dynamic shared memory."},
    "arguments": {"type": "array", "items": ARGUMENT, "maxItems": 64,
                  "description": "The kernel's arguments in order: {type, value}, {type, shape, init}, {type, values} or {same_as}. Without "
                                 "arguments the launch is the host code's, or a guess, which the answer says."},
}
MOST = {"type": "integer", "minimum": 1, "maximum": MOST_LINES, "description": "How many are listed (default 5)."}
FIRST = {"type": "integer", "minimum": 1, "maximum": 10**6, "description": "From which on, from 1 (default)."}
SIDE = {"type": "object", "properties": TARGET}


def tool(description, required=(), **properties):
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"description": description, "schema": {**schema, "required": list(required)} if required else schema}


TOOLS = {
    "compile": tool("Compiles CUDA C++ without running it: its kernels and their parameters, or the compiler's diagnostics.", **TARGET),
    "run_kernel": tool("Runs one kernel in an emulator (no GPU is needed) on given arrays: what the arrays hold then, whether that is as "
                       "expected, hazards, and sectors and wavefronts against the ideal.", **TARGET, **LAUNCH,
                       first_values={"type": "integer", "minimum": 0, "maximum": MOST_VALUES,
                                     "description": "How many values of each buffer are answered (default 8)."}),
    "check": tool("Runs one kernel and answers its hazards alone: races, accesses out of bounds, misaligned or uninitialized, divergent "
                  "barriers, each with its line.", **TARGET, **LAUNCH, most=MOST, first=FIRST),
    "explain_cost": tool("What each line of a kernel costs in sectors and wavefronts, the ideal, why, what to change and what that would "
                         "gain. Lines that gain most come first.", **TARGET, **LAUNCH, most=MOST, first=FIRST,
                         line={"type": "integer", "minimum": 1, "maximum": 10**7, "description": "Only this line of the source."}),
    "compare": tool("Compares two versions of a source, kernels matched by name and run with the same launch: which counts are worse or "
                    "better, which findings are new.", ("before", "after"), before=SIDE, after=SIDE, **LAUNCH,
                    tolerance_percent={"type": "number", "minimum": 0, "maximum": 1e6, "description": "By which counts may grow (default 1)."},
                    most=MOST),
    "figure": tool("Draws a figure of a kernel's run as a picture (PNG), with what it shows in words.", ("figure",), **TARGET, **LAUNCH,
                   figure={"type": "string", "enum": list(FIGURES)},
                   width={"type": "integer", "minimum": 200, "maximum": 2000, "description": "In pixels (default 960)."},
                   height={"type": "integer", "minimum": 150, "maximum": 2000, "description": "In pixels (default 540)."},
                   theme={"type": "string", "enum": ["light", "dark"]},
                   block_index={"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}, "minItems": 3,
                                "maxItems": 3, "description": "The block whose warp is drawn (default [0, 0, 0])."},
                   warp={"type": "integer", "minimum": 0, "maximum": 63, "description": "The warp of the block (default 0)."},
                   access={"type": "integer", "minimum": 0, "maximum": 10**6,
                           "description": "Which access of the warp (default: its most expensive)."}),
}
RUN_PROGRAM = tool("Compiles a source with main by nvcc, runs it with no GPU, and answers what it printed, its launches, hazards, and what "
                   "its lines cost.", **TARGET,
                   arguments={"type": "array", "items": {"type": "string", "maxLength": 4000}, "maxItems": 64,
                              "description": "The program's arguments."}, most=MOST, first=FIRST)
