// The functions of NVRTC that are used, declared here so that the build needs no CUDA. Source: NVRTC
// documentation, "User Interface"; the names and types are its binary interface since CUDA 8.

#pragma once

#include "compile/compiler.h"

#include <cstddef>

namespace lanescope::compile {

using NvrtcProgram = struct OpaqueNvrtcProgram*;

/// nvrtcResult; only these are distinguished.
inline constexpr int kNvrtcSuccess = 0;
inline constexpr int kNvrtcInvalidOption = 5;
inline constexpr int kNvrtcCompilationError = 6;

struct Compiler::Library {
  void* handle = nullptr;
  std::filesystem::path file;
  int major = 0;
  int minor = 0;
  std::vector<std::filesystem::path> include_directories;

  const char* (*error_string)(int) = nullptr;
  int (*version)(int*, int*) = nullptr;
  int (*create)(NvrtcProgram*, const char* source, const char* name, int headers,
                const char* const* header_texts, const char* const* header_names) = nullptr;
  int (*destroy)(NvrtcProgram*) = nullptr;
  int (*compile)(NvrtcProgram, int options, const char* const* option_texts) = nullptr;
  int (*add_name)(NvrtcProgram, const char* expression) = nullptr;
  int (*ptx_size)(NvrtcProgram, size_t*) = nullptr;
  int (*ptx)(NvrtcProgram, char*) = nullptr;
  int (*cubin_size)(NvrtcProgram, size_t*) = nullptr;
  int (*cubin)(NvrtcProgram, char*) = nullptr;
  int (*log_size)(NvrtcProgram, size_t*) = nullptr;
  int (*log)(NvrtcProgram, char*) = nullptr;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();
};

}  // namespace lanescope::compile
