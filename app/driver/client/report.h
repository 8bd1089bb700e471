// Functions that this library exports in addition to NVIDIA's: for the Python module, for libcudart.so, and
// for any caller of dlsym.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Adds the text of a source that is in no file, under the name that its kernels' line numbers refer to.
void lanescopeAddSource(const char* name, const char* text);

/// Returns JSON of the launches since the last call, which the caller frees with lanescopeFree(); null if the
/// server is not reached. Clears a kernel's failure.
char* lanescopeLaunches(void);
void lanescopeFree(char* text);

/// For libcudart.so: counts a call of a function that it does not support. Returns CUDA_ERROR_NOT_SUPPORTED,
/// or the error that kept the call from being counted.
int lanescopeNotSupported(const char* function);

/// For libcudart.so: the CUresult of a kernel that failed; 0 if none has.
int lanescopeFailure(void);

/// For libcudart.so: begin_asynchronous(), for a CUstream. Returns a CUresult.
int lanescopeBeginAsynchronous(void* stream);
void lanescopeEndAsynchronous(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
