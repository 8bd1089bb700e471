// The memory that host code allocates or copies, and how many bytes it says: cudaMalloc and its kin, new,
// malloc, std::vector, and where none of them has a name, the bytes that are copied to it. Method: a scan of
// the tokens for these calls. Tests: tests/unit/compile/host_launches_test.cpp

#pragma once

#include "compile/source_tokens.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lanescope::compile {

struct HostBuffer {
  std::string name;   // of the variable, or of the member
  std::string bytes;  // an expression
  size_t file = 0;
  size_t at = 0;         // byte of the file
  bool is_copy = false;  // of a copy or a fill, which may be less than all
};

/// Tokens without directives, parts of `source`.
std::vector<HostBuffer> find_host_buffers(std::string_view source, std::span<const Token> tokens,
                                          size_t file);

}  // namespace lanescope::compile
