"""What a Triton kernel takes as an argument, without PyTorch: an object with a dtype and an address on the device."""

import ctypes

import numpy as np

NAMES = {"float32": "fp32", "float16": "fp16", "int32": "i32"}
cuda = ctypes.CDLL("libcuda.so.1")


def succeed(result):
    if result != 0:
        raise RuntimeError(f"the driver answers {result}")


def use_device():
    """As PyTorch does it: the device's primary context becomes that of this thread."""
    context = ctypes.c_void_p()
    succeed(cuda.cuInit(0))
    succeed(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    succeed(cuda.cuCtxSetCurrent(context))


use_device()


class Tensor:
    """A copy of an array on the device."""

    def __init__(self, array):
        self.shape, self.kind, self.bytes = array.shape, array.dtype, array.nbytes
        self.dtype = NAMES[array.dtype.name]
        address = ctypes.c_uint64()
        succeed(cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(self.bytes)))
        self.address = address.value
        data = np.ascontiguousarray(array)
        succeed(cuda.cuMemcpyHtoD_v2(ctypes.c_uint64(self.address), data.ctypes.data_as(ctypes.c_void_p),
                                     ctypes.c_size_t(self.bytes)))

    def data_ptr(self):
        return self.address

    def numpy(self):
        array = np.empty(self.shape, self.kind)
        succeed(cuda.cuMemcpyDtoH_v2(array.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(self.address),
                                     ctypes.c_size_t(self.bytes)))
        return array


def zeros(*shape):
    return Tensor(np.zeros(shape, np.float32))
