// PTX texts for tests: a kernel around a few lines, with registers of every type.

#pragma once

#include "ptx/module.h"

#include <string>
#include <string_view>

namespace lanescope::ptx {

/// Registers %p %rs %r %rd %f %fd %h <9>, a parameter `out`, a global `table` and a shared `tile`; the first
/// line of `body` is line 1.
inline std::string kernel_with(std::string_view body) {
  return std::string(
             ".version 9.0 .target sm_90 .address_size 64 .global .align 16 .b32 table[64];"
             ".func (.param .b32 result) helper(.param .b32 x);"
             ".visible .entry k(.param .u64 out, .param .u32 n){ .reg .pred %p<9>; .reg .b16 %rs<9>; "
             ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .f16 %h<9>;"
             ".shared .align 4 .b8 tile[4224];") +
         std::string(body) + "\nret; }\n";
}

/// The module in `text`, of which nothing may be refused.
inline Result<Module> parse_whole(std::string_view text) {
  TRY(Module module, parse(text, "t.ptx"));
  for (const RefusedVariable& variable : module.refused_variables) return std::unexpected(variable.error);
  for (const Function& function : module.functions)
    if (function.refused) return std::unexpected(*function.refused);
  return module;
}

inline Result<Module> parse_body(std::string_view body) { return parse_whole(kernel_with(body)); }

inline const Function& kernel_of(const Module& module) {
  return module.functions[kernels_of(module).front()];
}

/// The first instruction of a body that must parse.
inline Instruction first_instruction(std::string_view body) {
  return kernel_of(parse_body(body).value()).instructions.front();
}

/// What parse says about a body that must not parse; empty if it does parse.
inline std::string complaint(std::string_view body) {
  const auto module = parse_body(body);
  return module ? std::string() : describe(module.error());
}

inline ErrorKind kind_of_complaint(std::string_view body) {
  const auto module = parse_body(body);
  return module ? ErrorKind::Internal : module.error().kind;
}

}  // namespace lanescope::ptx
