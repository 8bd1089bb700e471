// The kernels that a CUDA source declares, by a modest scan: for messages, the choice of a kernel and the
// names of its parameters. Tests: tests/unit/compile/find_kernels_test.cpp

#pragma once

#include "compile/source_tokens.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// A `__global__` function as the source declares it.
struct KernelDeclaration {
  struct Parameter {
    std::string type;
    std::string name;
    bool has_default = false;
  };
  std::string name;
  std::string scope;  // "a::b" of a kernel in namespaces, else empty
  bool is_template = false;
  std::vector<Parameter> template_parameters;
  std::vector<Parameter> parameters;
  std::string file;  // empty where a text alone was read
  int line = 0;
};

/// In the order of the text; kernels that a macro writes are not found.
std::vector<KernelDeclaration> find_kernels(std::string_view source);
/// `source`: all tokens of a text.
std::vector<KernelDeclaration> find_kernels(const std::vector<Token>& source);

/// `text` with the names of the source in place of those that the compiler made of them.
std::string with_source_names(std::string_view text);

}  // namespace lanescope::compile
