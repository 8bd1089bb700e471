// A libnvJitLink.so without functions. numba-cuda and cuda.core look for nvJitLinkVersion, do not find it,
// and take the driver's linker instead, which then gets PTX where nvJitLink would have made machine code.
extern int lanescope_has_no_linker;
int lanescope_has_no_linker __attribute__((visibility("default"))) = 1;
