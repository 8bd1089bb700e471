// The layout of parameters and variables. Shared and local variables follow one another in the order of their
// declaration, each at its alignment, if the kernel or what it calls names them. Of shared variables those of
// the kernel come first, then those of the module, then those of the functions that it calls, as the
// assembler of CUDA 13.0 places them (seen in machine code). Extern shared arrays, whose size the launch
// gives, all start after the last of them. Every global variable is a separate buffer, so that bounds are
// exact.

#include "ptx/lower_passes.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

constexpr uint64_t kMaximumBytes = 1 << 24;  // far beyond what any device has of shared or local memory

/// The next free offset in a space; takes what `variable` needs.
uint64_t take(uint64_t& used, const Variable& variable) {
  const uint64_t offset = align<uint64_t>(used, variable.alignment);
  used = offset + variable.size_bytes;
  return offset;
}

/// [Module::globals] whether the functions, or the initial value of a variable, name it.
std::vector<bool> named_globals(const Module& module, const std::vector<uint32_t>& functions) {
  std::vector<bool> named(module.globals.size());
  for (const uint32_t function : functions)
    for (const Instruction& instruction : module.functions[function].instructions)
      for_each_symbol(instruction, [&](const SymbolOperand& symbol) {
        if (symbol.kind == SymbolKind::Global) named[symbol.index] = true;
      });
  for (const Variable& variable : module.globals)
    for (const AddressInitializer& address : variable.addresses)
      if (address.kind == SymbolKind::Global) named[address.index] = true;
  return named;
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
    case Space::Parameter:
      placed.offset = kNotPassed;  // until a call sets it
      break;
    default:
      placed.offset = used.globals++;
  }
  program.variables.push_back(std::move(placed));
}

/// Fills Program::calls, and puts what the calls pass into the frames of those whom they call.
Result<void> place_passed_variables(const Module& module, const std::vector<uint32_t>& functions,
                                    const Function& caller, const ProgramFunction& lowered,
                                    Program& program) {
  TRY(const CallPlaces places, place_calls(module, caller, lowered.frame_bytes));
  size_t nth = 0;
  for (const Instruction& call : caller.instructions) {
    if (call.op != Op::call) continue;
    const uint32_t begin = places[nth++];
    TRY(const CallLayout layout, lay_out_call(module, caller, call));
    Call placed{.frame_offset = begin,
                .size_bytes = layout.size_bytes,
                .results = layout.results,
                .arguments = layout.arguments};
    if (const auto* callee = std::get_if<SymbolOperand>(&call.operands[1])) {
      placed.kind = built_in_named(module.functions[callee->index].name).value_or(Call::Kind::Function);
      if (!module.functions[callee->index].is_declaration) placed.kind = Call::Kind::Function;
      placed.function =
          static_cast<uint32_t>(std::ranges::find(functions, callee->index) - functions.begin());
    } else {
      placed.kind = Call::Kind::Pointer;
    }
    program.calls.push_back(std::move(placed));
    bool conflict = false;
    const auto put = [&](const Operand& list, const std::vector<uint32_t>& offsets) {
      const auto& elements = std::get<VectorOperand>(list).elements;
      for (size_t n = 0; n < elements.size(); ++n) {
        const auto* symbol = std::get_if<SymbolOperand>(&elements[n]);
        if (symbol == nullptr) continue;
        uint64_t& offset = program.variables[lowered.first_variable + symbol->index].offset;
        conflict |= offset != kNotPassed && offset != begin + offsets[n];
        offset = begin + offsets[n];
      }
    };
    put(call.operands[0], layout.results);
    put(call.operands[2], layout.arguments);
    if (conflict)
      return fail(ErrorKind::Unsupported,
                  fmt::format("one .param variable is passed to two calls; declare one for each: {}",
                              text_of(module, call)),
                  location_of(module, call));
  }
  return {};
}

}  // namespace

Result<void> lay_out_memory(const Module& module, const std::vector<uint32_t>& functions, Program& program) {
  const Function& kernel = module.functions[functions.front()];
  for (const Parameter& parameter : kernel.parameters)
    program.parameters.push_back({.name = parameter.name,
                                  .offset = parameter.offset,
                                  .size_bytes = parameter.size_bytes,
                                  .type = parameter.type});
  program.parameter_bytes = kernel.parameter_bytes;

  Used used;
  if (std::ranges::any_of(functions, [&](uint32_t n) { return names_reserved_shared(module.functions[n]); }))
    used.shared = program.reserved_shared_bytes = kReservedSharedBytes;
  const uint64_t first_shared = used.shared;
  for (const Variable& variable : kernel.variables)
    if (variable.space == Space::Shared && !is_dynamic(variable)) take(used.shared, variable);
  const std::vector<bool> named = named_globals(module, functions);
  for (size_t n = 0; n < module.globals.size(); ++n) {
    const Variable& variable = module.globals[n];
    const bool belongs_to_others = variable.space == Space::Shared && !named[n];
    if (belongs_to_others)
      program.variables.push_back({.name = variable.name, .space = kNoSpace, .initial = {}, .addresses = {}});
    else
      place(variable, used, program);
  }
  uint64_t local = 0;
  for (size_t n = 0; n < functions.size(); ++n) {
    const Function& function = module.functions[functions[n]];
    program.functions[n].first_variable = static_cast<uint32_t>(program.variables.size());
    used.local = n == 0 ? 0 : lay_out_parameters(function).size_bytes;
    const uint64_t next_shared = used.shared;
    if (n == 0) used.shared = first_shared;
    for (const Variable& variable : function.variables) place(variable, used, program);
    if (n == 0) used.shared = next_shared;
    local = std::max(local, used.local);
    if (used.local > kMaximumBytes) break;
    program.functions[n].frame_bytes = static_cast<uint32_t>(used.local);
    if (n == 0) program.local_bytes = static_cast<uint32_t>(used.local);
    TRY_VOID(place_passed_variables(module, functions, function, program.functions[n], program));
  }
  if (std::max({used.shared, local, used.constant}) > kMaximumBytes)
    return fail(ErrorKind::Limit,
                fmt::format("kernel {} declares more than {} bytes of shared, local or constant memory",
                            kernel.name, kMaximumBytes),
                kernel.location);
  program.static_shared_bytes = static_cast<uint32_t>(align(used.shared, used.dynamic_alignment));
  program.constant_bytes = static_cast<uint32_t>(used.constant);
  // Extern arrays begin where the static ones end.
  const auto finish = [&](const Variable& variable, uint32_t first_local, ProgramVariable& placed) {
    if (is_dynamic(variable) && placed.space == Space::Shared) placed.offset = program.static_shared_bytes;
    for (const AddressInitializer& address : variable.addresses) {
      VariableAddress initial{.offset = address.offset,
                              .variable = address.index,
                              .addend = address.addend,
                              .generic = address.generic};
      if (address.kind == SymbolKind::Function) {
        initial.is_function = true;
      } else if (address.kind != SymbolKind::Global) {
        initial.variable += first_local;
      }
      placed.addresses.push_back(initial);
    }
  };
  for (size_t n = 0; n < module.globals.size(); ++n) finish(module.globals[n], 0, program.variables[n]);
  for (size_t n = 0; n < functions.size(); ++n) {
    const Function& function = module.functions[functions[n]];
    const uint32_t first = program.functions[n].first_variable;
    for (size_t v = 0; v < function.variables.size(); ++v)
      finish(function.variables[v], first, program.variables[first + v]);
  }
  return {};
}

}  // namespace lanescope::ptx
