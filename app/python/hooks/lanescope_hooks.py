"""What Lanescope changes in the Python of a program that it runs, so that its findings name lines of Python:
Numba's cuda.jit writes line numbers, and sources that are in no file (a notebook's cells) are handed to the driver.

Method: a finder that changes the modules of PATCHES right after they were imported; nothing else is imported. What
fails is one line on stderr. Tests: tests/programs/hooks_test.py
"""

import functools
import os
import sys

_said = set()
_handed = {}  # [name of a file] the text that the driver has
_driver = None


def complain(sentence):
    """Once for each sentence."""
    if sentence not in _said:
        _said.add(sentence)
        print(f"lanescope: {sentence}", file=sys.stderr)


def harmless(change):
    """`change` as a function that never fails."""
    @functools.wraps(change)
    def run(*arguments):
        try:
            change(*arguments)
        except Exception as error:
            complain(f"{change.__name__}: {type(error).__name__}: {error}")
    return run


def source_of(function):
    """The text that a function was compiled from, as Python knows it; empty if it does not."""
    import linecache
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def driver():
    global _driver
    if _driver is None:
        import ctypes
        library = ctypes.CDLL("libcuda.so.1")
        library.lanescopeAddSource.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        library.lanescopeAddSource.restype = None
        _driver = library
    return _driver


@harmless
def hand_over_source(function):
    """Where the function is in no file, the driver gets its text, by the name that Numba's and Triton's PTX have."""
    code = getattr(function, "__code__", None)
    if code is None or os.path.exists(code.co_filename):
        return
    # numba/core/debuginfo.py writes this as `.file`, with numba 0.68.1 and numba-cuda 0.30.4.
    name = os.path.abspath(code.co_filename)
    text = source_of(function)
    if text and _handed.get(name) != text:
        _handed[name] = text
        driver().lanescopeAddSource(name.encode(errors="surrogateescape"), text.encode(errors="replace"))


def with_line_numbers(jit):
    """Numba's cuda.jit; lineinfo is True unless the call says lineinfo or debug. A function without a known source gets
    none: Numba would warn of it."""
    import inspect
    signature = inspect.signature(jit)

    def says_enough(arguments, options):
        try:
            said = signature.bind_partial(*arguments, **options).arguments
        except TypeError:
            return True  # jit says what is wrong
        return "lineinfo" in said or bool(said.get("debug"))

    @functools.wraps(jit)
    def jit_with_lines(*arguments, **options):
        if os.environ.get("NUMBA_CUDA_DEBUGINFO", "0") != "0" or says_enough(arguments, options):
            return jit(*arguments, **options)

        def decorate(function):
            chosen = {**options, "lineinfo": True} if source_of(function) else options
            return jit(*arguments, **chosen)(function)

        what = arguments[0] if arguments else options.get("func_or_sig")
        if not hasattr(what, "__code__"):
            return decorate  # signatures, or nothing: jit is used as a decorator
        return jit(*arguments, **options, **({"lineinfo": True} if source_of(what) else {}))

    return jit_with_lines


@harmless
def patch_numba_decorators(module):
    module.jit = with_line_numbers(module.jit)


def before(method, act):
    """A method that calls act(self) first."""
    @functools.wraps(method)
    def run(self, *arguments, **options):
        act(self)
        return method(self, *arguments, **options)
    return run


@harmless
def patch_numba_dispatcher(module):
    """A function's source is handed over when it is compiled, in the process that launches it."""
    dispatcher = module.CUDADispatcher
    for name in ("compile", "compile_device"):
        setattr(dispatcher, name, before(getattr(dispatcher, name), lambda self: hand_over_source(self.py_func)))


@harmless
def patch_triton_jit(module):
    function = module.JITFunction
    function.run = before(function.run, lambda self: hand_over_source(self.fn))


@harmless
def hide_linker(module):
    """numba-cuda and cuda.core ask this module for a function of nvJitLink, which makes machine code. Where there is none they
    take the driver's linker, which gets PTX."""
    if os.environ.get("LANESCOPE_KEEPS_PTX"):
        module._inspect_function_pointer = lambda name: 0


PATCHES = {
    "cuda.bindings._internal.nvjitlink": hide_linker,
    "numba.cuda.decorators": patch_numba_decorators,
    "numba.cuda.dispatcher": patch_numba_dispatcher,
    "triton.runtime.jit": patch_triton_jit,
}


@harmless
def add_patch(loader, patch):
    """A loader that reads a file is made for that file alone."""
    execute = loader.exec_module

    def execute_and_patch(module):
        loader.exec_module = execute
        execute(module)
        patch(module)

    loader.exec_module = execute_and_patch


class Finder:
    """Finds the modules of PATCHES as the other finders do, and changes them after they ran."""

    def __init__(self, patches):
        self.waiting = dict(patches)

    def find_spec(self, name, path=None, target=None):
        patch = self.waiting.pop(name, None)  # the other finders may ask this one again
        if patch is None:
            return None
        spec = self.find_elsewhere(name, path, target)
        if spec is None:
            self.waiting[name] = patch
        else:
            add_patch(spec.loader, patch)
        return spec

    def find_elsewhere(self, name, path, target):
        for finder in list(sys.meta_path):
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    return spec
        return None


def hide_own_warnings():
    """cuda.core says of an nvJitLink that has no functions (hide_linker) that it is too old."""
    import warnings
    warnings.filterwarnings("ignore", message=r"libnvJitLink\.so\* is too old", category=RuntimeWarning)


def install():
    hide_own_warnings()
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder(PATCHES))
    # The module `lanescope` can be imported without being installed; one that is installed comes first.
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.isdir(os.path.join(folder, "lanescope")) and folder not in sys.path:
        sys.path.append(folder)
