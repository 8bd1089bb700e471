// The declarations of a CUDA source, and which of them concern the host alone. Method: one pass over the
// tokens, which knows where a declaration begins and ends, and what its head says (__device__, template,
// struct, a list of parameters); it does not know what names mean. Of the branches of an #if inside a
// declaration the first counts. Source: CUDA C++ Programming Guide, "C++ Language Extensions". Tests:
// tests/unit/compile/declarations_test.cpp

#pragma once

#include "compile/source_tokens.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Declaration {
  enum class Side {
    Device,  // code or data of the GPU
    Host,    // a function or a variable without __device__ and the like
    Either,  // a type, a constant, a using, a member function: the GPU's code may need it
  };
  size_t begin = 0;  // bytes of the text
  size_t end = 0;
  int first_line = 1;
  int last_line = 1;
  Side side = Side::Either;
  std::string_view name = {};  // of a function, a variable or a type; empty where none was found
  bool is_function = false;
  bool has_body = false;
};

/// Macros of the source that matter for where its declarations are.
struct MacroNames {
  std::set<std::string, std::less<>> device;        // stand for __device__ or the like, among other things
  std::set<std::string, std::less<>> host_device;   // of these, those that stand for __host__ too
  std::set<std::string, std::less<>> declarations;  // with parameters, stand for whole declarations
};

/// Adds the macros that `tokens` define. One that stands for another counts where that was added before.
void add_macros(MacroNames& names, const std::vector<Token>& tokens);

/// Declarations in namespaces, in the order of the text, and after each class its member functions. What is
/// between two of them is punctuation or a directive. Macros are those of all files that the source includes.
std::vector<Declaration> find_declarations(std::string_view source, const std::vector<Token>& tokens,
                                           const MacroNames& macros);

}  // namespace lanescope::compile
