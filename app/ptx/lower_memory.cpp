// Where parameters and variables lie. Shared and local variables follow one another in the order of their
// declaration, each at its alignment; extern shared arrays, whose size the launch gives, all start behind
// the last of them. Every global variable is a buffer of its own, so that bounds are exact.

#include "ptx/lower_passes.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

constexpr uint64_t align(uint64_t offset, uint64_t alignment) {
  return alignment == 0 ? offset : (offset + alignment - 1) / alignment * alignment;
}

/// The next free offset in a space; takes what `variable` needs.
uint64_t take(uint64_t& used, const Variable& variable) {
  const uint64_t offset = align(used, variable.alignment);
  used = offset + variable.size_bytes;
  return offset;
}

struct Used {
  uint64_t shared = 0;
  uint64_t local = 0;
  uint64_t constant = 0;
  uint64_t globals = 0;
  uint64_t dynamic_alignment = 1;
};

bool is_dynamic(const Variable& variable) {
  return variable.space == Space::Shared && variable.is_extern && variable.size_bytes == 0;
}

void place(const Variable& variable, Used& used, Program& program) {
  ProgramVariable placed{.name = variable.name,
                         .space = variable.space,
                         .offset = 0,
                         .size_bytes = variable.size_bytes,
                         .initial = variable.initial,
                         .addresses = {}};
  switch (variable.space) {
    case Space::Shared:
    case Space::SharedCluster:
      placed.space = Space::Shared;
      if (is_dynamic(variable)) {
        used.dynamic_alignment = std::max<uint64_t>(used.dynamic_alignment, variable.alignment);
      } else {
        placed.offset = take(used.shared, variable);
      }
      break;
    case Space::Local:
      placed.offset = take(used.local, variable);
      break;
    case Space::Constant:
      placed.offset = take(used.constant, variable);
      break;
    default:
      placed.offset = used.globals++;
  }
  program.variables.push_back(std::move(placed));
}

}  // namespace

Result<void> lay_out_memory(const Module& module, const Function& kernel, Program& program) {
  for (const Parameter& parameter : kernel.parameters)
    program.parameters.push_back(
        {.name = parameter.name, .offset = parameter.offset, .size_bytes = parameter.size_bytes});
  program.parameter_bytes = kernel.parameter_bytes;

  Used used;
  for (const Variable& variable : module.globals) place(variable, used, program);
  for (const Variable& variable : kernel.variables) place(variable, used, program);

  constexpr uint64_t kMaximumBytes = 1 << 24;  // far beyond what any device has of these spaces
  if (std::max({used.shared, used.local, used.constant}) > kMaximumBytes)
    return fail(ErrorKind::Limit,
                fmt::format("kernel {} declares more than {} bytes of shared, local or constant memory",
                            kernel.name, kMaximumBytes),
                kernel.location);
  program.static_shared_bytes = static_cast<uint32_t>(align(used.shared, used.dynamic_alignment));
  program.local_bytes = static_cast<uint32_t>(used.local);
  program.constant_bytes = static_cast<uint32_t>(used.constant);
  // Extern arrays begin where the static ones end.
  const auto finish = [&](const Variable& variable, ProgramVariable& placed) {
    if (is_dynamic(variable)) placed.offset = program.static_shared_bytes;
    for (const AddressInitializer& address : variable.addresses) {
      const uint64_t first_local = module.globals.size();
      placed.addresses.push_back({.offset = address.offset,
                                  .variable = static_cast<uint32_t>(address.kind == SymbolKind::Global
                                                                        ? address.index
                                                                        : first_local + address.index),
                                  .addend = address.addend,
                                  .generic = address.generic});
    }
  };
  for (size_t n = 0; n < module.globals.size(); ++n) finish(module.globals[n], program.variables[n]);
  for (size_t n = 0; n < kernel.variables.size(); ++n)
    finish(kernel.variables[n], program.variables[module.globals.size() + n]);
  return {};
}

}  // namespace lanescope::ptx
