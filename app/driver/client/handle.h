// Handles that a program has for contexts, modules, streams and other objects. A handle is checked before it
// is dereferenced, so that a wrong one gives CUDA_ERROR_INVALID_HANDLE and no crash. Method: a hash set of
// the live handles. Test: tests/unit/driver/client/*
#pragma once

#include <stddef.h>

enum HandleKind {
  kContextHandle = 1,
  kModuleHandle,    // also a CUlibrary
  kFunctionHandle,  // also a CUkernel
  kStreamHandle,
  kEventHandle,
  kLinkHandle,
  kPoolHandle,
  kGraphHandle,
  kNodeHandle,        // of a graph
  kExecutableHandle,  // an instantiated graph
  kArrayHandle,
};

/// Begins every struct that a handle points to.
struct Handle {
  enum HandleKind kind;
  const void* owner;  // the context, or the module of a function; null: no owner
};

/// A zeroed struct of `size` bytes that begins with a Handle; null without memory.
void* make_handle(enum HandleKind kind, size_t size, const void* owner);

/// Returns `handle` if it is live and of this kind, else null.
void* live_handle(enum HandleKind kind, const void* handle);

/// Frees a live handle.
void drop_handle(void* handle);

/// One live handle of this kind and owner, null if there is none.
void* some_handle_of(enum HandleKind kind, const void* owner);
