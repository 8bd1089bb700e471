"""Runs the kernels that write_layouts wrote next to this file on a GPU, in the order of manifest.csv, and compares what each
reads and stores. Needs the driver alone; run_layouts.sh runs it under Nsight Compute. Exit status 1 if an element was lost.
usage: run_layouts.py"""
import csv
import ctypes
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent


def check(result, what):
    if result != 0:
        raise SystemExit(f"{what} failed with error {result} of the driver")


def run(cuda, row):
    name, size = row["case"], int(row["bytes"])
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuModuleLoadData(ctypes.byref(module), (FOLDER / f"{name}.ptx").read_bytes() + b"\0"), name)
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, row["kernel"].encode()), name)
    source, target = ctypes.c_uint64(), ctypes.c_uint64()
    check(cuda.cuMemAlloc_v2(ctypes.byref(source), ctypes.c_size_t(size)), name)
    check(cuda.cuMemAlloc_v2(ctypes.byref(target), ctypes.c_size_t(size)), name)
    contents = random.Random(1).randbytes(size)
    check(cuda.cuMemcpyHtoD_v2(source, contents, ctypes.c_size_t(size)), name)
    check(cuda.cuMemsetD8_v2(target, ctypes.c_ubyte(0), ctypes.c_size_t(size)), name)
    arguments = (ctypes.c_void_p * 2)(ctypes.cast(ctypes.byref(source), ctypes.c_void_p),
                                      ctypes.cast(ctypes.byref(target), ctypes.c_void_p))
    check(cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, int(row["shared_bytes"]), None, arguments, None), name)
    check(cuda.cuCtxSynchronize(), name)
    result = ctypes.create_string_buffer(size)
    check(cuda.cuMemcpyDtoH_v2(result, target, ctypes.c_size_t(size)), name)
    cuda.cuMemFree_v2(source)
    cuda.cuMemFree_v2(target)
    cuda.cuModuleUnload(module)
    return result.raw == contents


def main():
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    check(cuda.cuInit(0), "cuInit")
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    with open(FOLDER / "manifest.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    lost = [row["case"] for row in rows if not run(cuda, row)]
    print(f"{len(rows)} kernels ran, {len(lost)} lost an element {' '.join(lost)}")
    raise SystemExit(1 if lost else 0)


if __name__ == "__main__":
    main()
