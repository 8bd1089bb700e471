"""Writes C for the client: every function that cuda.h (or cuda_runtime_api.h) declares and no source of ours defines.

A function of the headers becomes one of these, in this order:
- defined by hand: a line of a given source begins with its return type, the calling convention and its name;
- a twin for the per-thread default stream (_ptsz, _ptds): calls its original, with CU_STREAM_PER_THREAD for stream 0;
- asynchronous: where the synchronous function is there and differs by the stream alone, calls it as work of the stream;
- not supported: answers so, and the server is told its name.

Also writes the table for cuGetProcAddress from cudaTypedefs.h: its n-th version of a function is the n-th exported symbol
of that name (NAME, NAME_v2, ...). And the names of the errors, whose texts are made of the names.
For the library that forwards (driver/forward) a function that no source defines passes its arguments on, and the table
has only those functions that a source defines; the numbers of the functions are a header beside the output.
Usage: generate.py driver|forward|runtime COMPILER INCLUDE_FOLDER OUTPUT.c SOURCE.c...   Test: tests/unit/driver/client/*
"""

import pathlib
import re
import subprocess
import sys

TWIN = re.compile(r"_pt[sd][sz]$")


def preprocessed(compiler, include, header, *flags):
    return subprocess.run([compiler, "-E", "-P", "-x", "c", f"-I{include}", *flags, f"{include}/{header}"], check=True,
                          capture_output=True, text=True).stdout


def declared_in(text, result, prefix):
    """name -> parameters, without a second blank anywhere."""
    found = {}
    pattern = rf"\b{result}\s+({prefix}\w+)\s*\(([^;{{]*?)\)\s*;"
    for name, parameters in re.findall(pattern, text):
        parameters = " ".join(parameters.split())
        found.setdefault(name, "" if parameters == "void" else parameters)
    return found


def parameters_of(declaration):
    """(type, name) of each."""
    found = []
    for one in declaration.split(",") if declaration else []:
        kind, name, array = re.fullmatch(r"\s*(.*?)(\w+)\s*(\[\w*\])?\s*", one).groups()
        found.append((kind.strip() + (" *" if array else ""), name))
    return found


def defined_in(sources, result, convention):
    pattern = re.compile(rf"^{result} {convention} (\w+)\(", re.MULTILINE)
    return {name for source in sources for name in pattern.findall(pathlib.Path(source).read_text())}


class Functions:
    """What is written of each declared function. `stream` is the type of a stream, `thread_stream` the handle of a thread's."""

    def __init__(self, declared, defined, result, convention, stream, thread_stream):
        self.declared, self.defined, self.result, self.convention = declared, defined, result, convention
        self.stream, self.thread_stream = stream, thread_stream
        self.there = set(defined)

    def head(self, name):
        return f"{self.result} {self.convention} {name}({self.declared[name] or 'void'})"

    def synchronous(self, name):
        """The function that NAMEAsync is with a stream more, if it is there."""
        match = re.fullmatch(r"(\w+)Async(_v\d+)?", name)
        if not match or name in self.defined:
            return None
        kinds = [kind for kind, _ in parameters_of(self.declared[name])]
        if not kinds or kinds[-1] != self.stream:
            return None
        for candidate in (match[1] + (match[2] or ""), match[1] + "_v2"):
            if candidate in self.defined and [kind for kind, _ in parameters_of(self.declared[candidate])] == kinds[:-1]:
                return candidate
        return None

    def text(self):
        written = []
        names = sorted(self.declared)
        for name in names:
            if (base := self.synchronous(name)) and not TWIN.search(name):
                *passed, (_, stream) = parameters_of(self.declared[name])
                arguments = ", ".join(each for _, each in passed)
                written.append(f"{self.head(name)} {{ {self.result} r = begin_asynchronous({stream}); if (r) return r; "
                               f"r = {base}({arguments}); end_asynchronous(); return r; }}")
                self.there.add(name)
        for name in names:
            if name in self.defined or name in self.there:
                continue
            base = TWIN.sub("", name)
            if base != name and base in self.there:
                arguments = ", ".join(f"{each} ? {each} : {self.thread_stream}" if kind == self.stream else each
                                      for kind, each in parameters_of(self.declared[name]))
                written.append(f"{self.head(name)} {{ return {base}({arguments}); }}")
                self.there.add(name)
            else:
                written.append(f'{self.head(name)} {{ return not_supported("{base}"); }}')
        return "\n".join(written) + "\n"


def symbols_of_versions(declared, typedefs):
    """(base name, version, is for the per-thread stream, symbol), sorted."""
    versions = {}
    for base, version, suffix in re.findall(r"\bPFN_(cu\w+?)_v(\d+)(_ptsz|_ptds)?\b", typedefs):
        versions.setdefault((base, suffix), set()).add(int(version))
    rows = []
    for (base, suffix), found in sorted(versions.items()):
        pattern = re.compile(rf"{base}(?:_v(\d+))?{suffix}")
        symbols = sorted((int(match[1] or 1), match[0]) for match in map(pattern.fullmatch, declared) if match)
        if len(symbols) != len(found):
            sys.exit(f"{base}{suffix}: {len(found)} versions, {len(symbols)} functions")
        rows += [(base, version, suffix != "", symbol) for version, (_, symbol) in zip(sorted(found), symbols)]
    return rows


# What NVIDIA's libraries say of errors that programs print most, where it is not the words of the name.
SENTENCES = {
    "invalid value": "invalid argument",
    "memory allocation": "out of memory",
    "not initialized": "initialization error",
    "invalid configuration": "invalid configuration argument",
    "invalid pitch value": "invalid pitch argument",
    "invalid symbol": "invalid device symbol",
    "invalid memcpy direction": "invalid copy direction for memcpy",
    "insufficient driver": "CUDA driver version is insufficient for CUDA runtime version",
    "no device": "no CUDA-capable device is detected",
    "invalid device": "invalid device ordinal",
    "no kernel image for device": "no kernel image is available for execution on the device",
    "no binary for gpu": "no kernel image is available for execution on the device",
    "invalid ptx": "a PTX JIT compilation failed",
    "invalid handle": "invalid resource handle",
    "symbol not found": "named symbol not found",
    "not found": "named symbol not found",
    "not ready": "device not ready",
    "illegal address": "an illegal memory access was encountered",
    "launch out of resources": "too many resources requested for launch",
    "launch timeout": "the launch timed out and was terminated",
    "assert": "device-side assert triggered",
    "launch failure": "unspecified launch failure",
    "launch failed": "unspecified launch failure",
    "cooperative launch too large": "too many blocks in cooperative launch",
    "not supported": "operation not supported",
    "unknown": "unknown error",
}


def words(name):
    """CUDA_ERROR_INVALID_VALUE and cudaErrorInvalidValue: "invalid argument", as NVIDIA's libraries say."""
    if name in ("CUDA_SUCCESS", "cudaSuccess"):
        return "no error"
    name = re.sub(r"^(CUDA_ERROR_|CUDA_|cudaError)", "", name)
    spelled = " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+|[a-z]+", name)).lower()
    return SENTENCES.get(spelled, spelled)


def error_table(text, typename):
    body = re.search(rf"enum (?:cudaError|cudaError_enum)\s*\{{(.*?)\}}", text, re.S)[1]
    rows = re.findall(r"(\w+)\s*=\s*(\d+)", body)
    return (f"const struct ErrorName error_names[] = {{\n"
            + "".join(f'    {{{value}, "{name}", "{words(name)}"}},\n' for name, value in rows) + "    {0, 0, 0}};\n")


INTERNAL = ("-D__CUDA_API_VERSION_INTERNAL",)


def driver_functions(compiler, include, sources):
    """What cuda.h declares, and what of it the sources define."""
    text = preprocessed(compiler, include, "cuda.h", *INTERNAL)
    # What cuda.h does not declare with the other versions; cuda_api.h does.
    text += "\n".join(re.findall(r"CUresult \w+\([^;]*\);", (pathlib.Path(__file__).parent / "cuda_api.h").read_text()))
    declared, defined = declared_in(text, "CUresult", "cu"), defined_in(sources, "CUresult", "CUDAAPI")
    if unknown := sorted(defined - set(declared)):
        sys.exit(f"no header declares {', '.join(unknown)}")
    return Functions(declared, defined, "CUresult", "CUDAAPI", "CUstream", "CU_STREAM_PER_THREAD")


def procedure_table(functions, compiler, include, is_there):
    # The second includes a header of another package: it is read as it stands.
    typedefs = (preprocessed(compiler, include, "cudaTypedefs.h", *INTERNAL)
                + pathlib.Path(include, "cudaProfilerTypedefs.h").read_text())
    rows = symbols_of_versions(functions.declared, typedefs)
    return ("\nconst struct Procedure procedures[] = {\n"
            + "".join(f'    {{"{base}", {version}, {int(thread)}, {f"(void*){symbol}" if is_there(symbol) else 0}}},\n'
                      for base, version, thread, symbol in rows)
            + "    {0, 0, 0, 0}};\n")


def driver(compiler, include, sources, _):
    functions = driver_functions(compiler, include, sources)
    text = preprocessed(compiler, include, "cuda.h", *INTERNAL)
    return ('#include "driver/client/generated.h"\n\n' + functions.text()
            + procedure_table(functions, compiler, include, lambda _: True) + error_table(text, "cudaError_enum"))


def forward(compiler, include, sources, output):
    functions = driver_functions(compiler, include, sources)
    names = sorted(functions.declared)
    written, own = [], set(functions.defined)
    for name in names:
        base = TWIN.sub("", name)
        parameters = parameters_of(functions.declared[name])
        if name in functions.defined:
            continue
        # A twin that differs by its stream alone is what ours is on the thread's stream.
        if base != name and base in functions.defined and any(kind == functions.stream for kind, _ in parameters):
            arguments = ", ".join(f"{each} ? {each} : {functions.thread_stream}" if kind == functions.stream else each
                                  for kind, each in parameters)
            written.append(f"{functions.head(name)} {{ return {base}({arguments}); }}")
            own.add(name)
        else:
            arguments = ", ".join(each for _, each in parameters)
            written.append(f"{functions.head(name)} {{ return REAL({name})({arguments}); }}")
    numbers = "".join(f"  kNumberOf_{name},\n" for name in names)
    header = pathlib.Path(output).parent / "lanescope_driver_names.h"
    header.write_text(
        "// Written by generate.py from CUDA's headers.\n#pragma once\nenum RealFunction {\n" + numbers + "  kRealFunctions\n};\n")
    return ('#include "driver/client/generated.h"\n#include "driver/forward/real_driver.h"\n\n'
            + "void* real_functions[kRealFunctions];\nconst char* const real_names[] = {\n"
            + "".join(f'    "{name}",\n' for name in names) + "};\n\n" + "\n".join(written) + "\n"
            + procedure_table(functions, compiler, include, own.__contains__))


def runtime(compiler, include, sources, _):
    text = preprocessed(compiler, include, "cuda_runtime_api.h")
    declared = declared_in(text, "cudaError_t", "cuda")
    # The twins are what these macros name where the per-thread default stream was asked for.
    source = pathlib.Path(include, "cuda_runtime_api.h").read_text()
    for name, macro in re.findall(r"#define\s+(cuda\w+)\s+__CUDART_API_(PT[SD][SZ])\(\1\)", source):
        if name in declared:
            declared[f"{name}_{macro.lower()}"] = declared[name]
    functions = Functions(declared, defined_in(sources, "cudaError_t", "CUDARTAPI"), "cudaError_t", "CUDARTAPI", "cudaStream_t",
                          "cudaStreamPerThread")
    twins = "".join(functions.head(name) + ";\n" for name in sorted(declared) if TWIN.search(name))
    return ('#include "driver/client/runtime/generated.h"\n\n#pragma GCC visibility push(default)\n' + twins
            + "#pragma GCC visibility pop\n\n" + functions.text() + error_table(text, "cudaError"))


def main():
    what, compiler, include, output, *sources = sys.argv[1:]
    made = {"driver": driver, "forward": forward, "runtime": runtime}[what](compiler, include, sources, output)
    pathlib.Path(output).write_text("// Written by generate.py from CUDA's headers.\n" + made)


if __name__ == "__main__":
    main()
