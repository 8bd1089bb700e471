"""Runs the probes on a GPU: what write_probes wrote into FOLDER, and the outputs, one after the other in the order of
manifest.txt, into OUTPUT. Needs the driver alone. usage: run_probes.py FOLDER OUTPUT"""
import ctypes
import pathlib
import sys

BLOCK = 128  # threads


def check(result, what):
    if result != 0:
        raise SystemExit(f"{what} failed with error {result} of the driver")


def main(folder, output):
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    check(cuda.cuInit(0), "cuInit")
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    with open(output, "wb") as out:
        for line in (folder / "manifest.txt").read_text().splitlines():
            name, threads, bytes_in, bytes_out = line.split()
            threads, bytes_in, bytes_out = int(threads), int(bytes_in), int(bytes_out)
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            check(cuda.cuModuleLoadData(ctypes.byref(module), (folder / f"{name}.ptx").read_bytes() + b"\0"), name)
            check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"probe"), name)
            source, target = ctypes.c_uint64(), ctypes.c_uint64()
            check(cuda.cuMemAlloc_v2(ctypes.byref(source), ctypes.c_size_t(bytes_in)), name)
            check(cuda.cuMemAlloc_v2(ctypes.byref(target), ctypes.c_size_t(bytes_out)), name)
            inputs = (folder / f"{name}.in").read_bytes()
            check(cuda.cuMemcpyHtoD_v2(source, inputs, ctypes.c_size_t(bytes_in)), name)
            check(cuda.cuMemsetD8_v2(target, ctypes.c_ubyte(0), ctypes.c_size_t(bytes_out)), name)
            arguments = (ctypes.c_void_p * 2)(ctypes.cast(ctypes.byref(source), ctypes.c_void_p),
                                              ctypes.cast(ctypes.byref(target), ctypes.c_void_p))
            check(cuda.cuLaunchKernel(function, threads // BLOCK, 1, 1, BLOCK, 1, 1, 0, None, arguments, None), name)
            check(cuda.cuCtxSynchronize(), name)
            results = ctypes.create_string_buffer(bytes_out)
            check(cuda.cuMemcpyDtoH_v2(results, target, ctypes.c_size_t(bytes_out)), name)
            out.write(results.raw)
            cuda.cuMemFree_v2(source)
            cuda.cuMemFree_v2(target)
            cuda.cuModuleUnload(module)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
