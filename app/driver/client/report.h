// What this library has beside NVIDIA's functions, for Python's module and whoever else looks it up with
// dlsym.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The text of a source that is in no file, under the name that its kernels' line numbers refer to.
void lanescopeAddSource(const char* name, const char* text);

/// JSON of the launches since the last call; null where the server is not reached. To be freed by
/// lanescopeFree.
char* lanescopeLaunches(void);
void lanescopeFree(char* text);

/// For libcudart.so: counts a function that it does not support. CUDA_ERROR_NOT_SUPPORTED, or why nothing
/// could be counted.
int lanescopeNotSupported(const char* function);

/// For libcudart.so: the CUresult of a kernel that failed; 0 if none has.
int lanescopeFailure(void);

/// For libcudart.so: this thread's copies and fills are work of the stream, a CUstream. A CUresult.
int lanescopeBeginAsynchronous(void* stream);
void lanescopeEndAsynchronous(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
