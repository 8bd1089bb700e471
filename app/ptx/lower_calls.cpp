// Functions that a kernel reaches, the arguments and results of their calls, and their frames. Method: a
// frame holds a function's results, parameters and local variables, in local memory after its caller's;
// arguments are written directly to where the callee reads them, so nothing is copied. Where calls form a
// cycle, a frame begins at the current depth of the calls; its start is a register of the callee. Source: PTX
// ISA, "Abstracting the ABI: Function Declarations and Definitions", "Control Flow Instructions: call".
// Tests: tests/unit/ptx/lower_test.cpp, tests/unit/emulator/call_test.cpp

#include "base/source_name.h"
#include "ptx/lower_passes.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

constexpr uint32_t kFrameAlignment = 16;

const SymbolOperand* callee_of(const Instruction& call) {
  return std::get_if<SymbolOperand>(&call.operands[1]);
}

std::span<const ScalarOperand> list_of(const Instruction& call, size_t place) {
  return std::get<VectorOperand>(call.operands[place]).elements;
}

std::unexpected<Error> wrong_call(const Module& module, const Instruction& call, std::string_view what) {
  return fail(ErrorKind::Unsupported, fmt::format("{}: {}", what, text_of(module, call)),
              location_of(module, call));
}

/// The error of a function whose body cannot be executed, with the kernel that reaches it.
std::unexpected<Error> refusal(const Module& module, uint32_t kernel, uint32_t function) {
  Error error = *module.functions[function].refused;
  const std::string& name = module.functions[kernel].name;
  error.message = function == kernel ? fmt::format("kernel {} cannot be run: {}", name, error.message)
                                     : fmt::format("kernel {} cannot be run, since it uses '{}': {}", name,
                                                   module.functions[function].name, error.message);
  return std::unexpected(std::move(error));
}

/// Size and alignment of an item of a call's list.
struct Passed {
  uint32_t size_bytes = 0;
  uint32_t alignment = 1;
};

Result<Passed> passed(const Module& module, const Function& caller, const Instruction& call,
                      const ScalarOperand& operand, const Parameter* formal) {
  if (formal != nullptr && !std::holds_alternative<SymbolOperand>(operand))
    return Passed{formal->size_bytes, formal->alignment};
  if (const auto* symbol = std::get_if<SymbolOperand>(&operand)) {
    const bool is_variable = symbol->kind == SymbolKind::Local && symbol->offset == 0 &&
                             caller.variables[symbol->index].space == Space::Parameter;
    if (!is_variable) return wrong_call(module, call, "only .param variables are passed to functions");
    const Variable& variable = caller.variables[symbol->index];
    const auto size = static_cast<uint32_t>(variable.size_bytes);
    if (formal != nullptr && formal->size_bytes != size)
      return wrong_call(module, call,
                        fmt::format("parameter '{}' has {} bytes, '{}' has {}", formal->name,
                                    formal->size_bytes, variable.name, size));
    return Passed{size, formal != nullptr ? formal->alignment : variable.alignment};
  }
  if (const auto* reg = std::get_if<RegisterOperand>(&operand)) {
    const Type type = caller.registers[reg->index].type;
    if (type == Type::pred) return wrong_call(module, call, "a predicate cannot be passed");
    return Passed{static_cast<uint32_t>(size_bytes(type)), static_cast<uint32_t>(size_bytes(type))};
  }
  return wrong_call(module, call, "this argument needs a function that is known by its name");
}

uint32_t take(uint32_t& used, Passed what) {
  const uint32_t offset = align(used, what.alignment);
  used = offset + what.size_bytes;
  return offset;
}

/// Instructions between which a call's variables hold something.
struct Span {
  size_t first = 0;
  size_t last = 0;
};

Span span_of(const Function& caller, size_t at) {
  std::vector<bool> mine(caller.variables.size());
  for_each_symbol(caller.instructions[at], [&](const SymbolOperand& symbol) {
    if (symbol.kind == SymbolKind::Local) mine[symbol.index] = true;
  });
  Span span{at, at};
  for (size_t n = 0; n < caller.instructions.size(); ++n) {
    for_each_symbol(caller.instructions[n], [&](const SymbolOperand& symbol) {
      if (symbol.kind != SymbolKind::Local || !mine[symbol.index]) return;
      span = {std::min(span.first, n), std::max(span.last, n)};
    });
  }
  return span;
}

/// [function] the functions that it may call. One that calls through a pointer may call all that pointers
/// lead to: all functions that no call names, and some that a call names. All of them count.
std::vector<std::vector<uint32_t>> callees_of(const Program& program) {
  std::vector<std::vector<uint32_t>> callees(program.functions.size());
  for (uint32_t caller = 0; caller < callees.size(); ++caller) {
    const ProgramFunction& function = program.functions[caller];
    for (uint32_t at = function.first_step; at < function.end_step; ++at) {
      if (program.steps[at].op != Op::call) continue;
      const Call& call = program.calls[program.steps[at].list];
      if (call.kind == Call::Kind::Function) callees[caller].push_back(call.function);
      if (call.kind != Call::Kind::Pointer) continue;
      for (uint32_t n = 1; n < callees.size(); ++n)
        if (program.functions[n].address_taken) callees[caller].push_back(n);
    }
    std::ranges::sort(callees[caller]);
    const auto same = std::ranges::unique(callees[caller]);
    callees[caller].erase(same.begin(), same.end());
  }
  return callees;
}

/// alloca allocates after the frames, whose size is known now.
void begin_stack(Program& program) {
  program.frame_bytes = program.local_bytes;
  if (program.stack == kNoSlot) return;
  program.frame_bytes = program.local_bytes = align(program.local_bytes, kFrameAlignment);
  const Step& begins = program.steps.front();  // StepLowering::add_begin_of_stack()
  program.slots[begins.source[0]].value = program.frame_bytes;
  program.local_bytes += kStackBytes;
}

/// [to] whether calls lead there from `from`, which counts only if they lead back.
std::vector<bool> reached_from(const std::vector<std::vector<uint32_t>>& callees, uint32_t from) {
  std::vector<bool> reached(callees.size());
  std::vector<uint32_t> work = callees[from];
  while (!work.empty()) {
    const uint32_t function = work.back();
    work.pop_back();
    if (reached[function]) continue;
    reached[function] = true;
    work.insert(work.end(), callees[function].begin(), callees[function].end());
  }
  return reached;
}

/// The error of a call of a function without a body.
std::unexpected<Error> without_body(const Module& module, const Instruction& call, const Function& function) {
  if (function.name.starts_with("__cudaCDP2"))
    return wrong_call(module, call,
                      "a kernel launches a kernel here (dynamic parallelism), which is emulated in a program "
                      "of its own alone, as 'lanescope run' runs it; launch the kernel from the host");
  return wrong_call(module, call,
                    fmt::format("function '{}' has no body here; define it in this file", function.name));
}

/// The error of an instruction that takes the address of a function without a body.
std::unexpected<Error> without_address(const Module& module, const Instruction& instruction,
                                       const Function& function) {
  return wrong_call(
      module, instruction,
      fmt::format("'{}' is no function with a body here, so nothing can point to it", function.name));
}

}  // namespace

std::optional<Call::Kind> built_in_named(std::string_view name) {
  if (name == "vprintf") return Call::Kind::Print;
  if (name == "__assertfail") return Call::Kind::Assert;
  if (name == "malloc") return Call::Kind::Allocate;
  if (name == "free") return Call::Kind::Free;
  return std::nullopt;
}

Result<std::vector<uint32_t>> find_functions(const Module& module, uint32_t kernel, Program& program) {
  std::vector<uint32_t> found{kernel};
  program.functions.push_back({.name = module.functions[kernel].name, .number = kernel, .slots = {}});
  const auto add = [&](uint32_t index, bool address_taken) {
    auto at = static_cast<size_t>(std::ranges::find(found, index) - found.begin());
    if (at == found.size()) {
      found.push_back(index);
      program.functions.push_back({.name = module.functions[index].name, .number = index, .slots = {}});
    }
    program.functions[at].address_taken |= address_taken;
  };
  bool tables = false;  // whether the functions in initial values are in already
  // NOLINTNEXTLINE(modernize-loop-convert): it grows on the way
  for (size_t n = 0; n < found.size(); ++n) {
    if (module.functions[found[n]].refused) return refusal(module, kernel, found[n]);
    for (const Instruction& instruction : module.functions[found[n]].instructions) {
      const bool is_call = instruction.op == Op::call;
      const SymbolOperand* callee = is_call ? callee_of(instruction) : nullptr;
      if (callee != nullptr) {
        const Function& function = module.functions[callee->index];
        if (function.is_kernel)
          return wrong_call(module, instruction, "a kernel cannot be called from a kernel");
        if (!function.is_declaration) {
          add(callee->index, false);
        } else if (!built_in_named(function.name)) {
          return without_body(module, instruction, function);
        }
        continue;
      }
      std::optional<uint32_t> declared;
      const auto take_address = [&](uint32_t index) {
        if (module.functions[index].is_kernel) return;  // it is launched, not called
        if (module.functions[index].is_declaration) {
          declared = index;
        } else {
          add(index, true);
        }
      };
      for_each_symbol(instruction, [&](const SymbolOperand& symbol) {
        if (symbol.kind == SymbolKind::Function) take_address(symbol.index);
      });
      if (declared) return without_address(module, instruction, module.functions[*declared]);
      if (!is_call || tables) continue;
      tables = true;
      for (const Variable& variable : module.globals) {
        for (const AddressInitializer& address : variable.addresses)
          if (address.kind == SymbolKind::Function) take_address(address.index);
      }
    }
  }
  return found;
}

CallLayout lay_out_parameters(const Function& function) {
  CallLayout layout;
  for (const Parameter& result : function.results)
    layout.results.push_back(take(layout.size_bytes, {result.size_bytes, result.alignment}));
  for (const Parameter& parameter : function.parameters)
    layout.arguments.push_back(take(layout.size_bytes, {parameter.size_bytes, parameter.alignment}));
  return layout;
}

Result<CallLayout> lay_out_call(const Module& module, const Function& caller, const Instruction& call) {
  const std::span results = list_of(call, 0);
  const std::span arguments = list_of(call, 2);
  const SymbolOperand* symbol = callee_of(call);
  const Function* callee = symbol != nullptr ? &module.functions[symbol->index] : nullptr;
  if (callee != nullptr &&
      (results.size() != callee->results.size() || arguments.size() != callee->parameters.size()))
    return wrong_call(
        module, call,
        fmt::format("'{}' takes {} arguments and has {} results, {} and {} were given", callee->name,
                    callee->parameters.size(), callee->results.size(), arguments.size(), results.size()));
  CallLayout layout;
  const auto lay_out = [&](std::span<const ScalarOperand> list, const std::vector<Parameter>* formal,
                           std::vector<uint32_t>& offsets) -> Result<void> {
    for (size_t n = 0; n < list.size(); ++n) {
      TRY(const Passed what,
          passed(module, caller, call, list[n], formal != nullptr ? &(*formal)[n] : nullptr));
      offsets.push_back(take(layout.size_bytes, what));
    }
    return {};
  };
  TRY_VOID(lay_out(results, callee != nullptr ? &callee->results : nullptr, layout.results));
  TRY_VOID(lay_out(arguments, callee != nullptr ? &callee->parameters : nullptr, layout.arguments));
  return layout;
}

Result<CallPlaces> place_calls(const Module& module, const Function& caller, uint32_t frame_bytes) {
  struct Placed {
    Span span;
    uint32_t end = 0;
  };
  std::vector<Placed> placed;
  CallPlaces places;
  for (size_t n = 0; n < caller.instructions.size(); ++n) {
    const Instruction& call = caller.instructions[n];
    if (call.op != Op::call) continue;
    TRY(const CallLayout layout, lay_out_call(module, caller, call));
    const Span span = span_of(caller, n);
    uint32_t begin = align(frame_bytes, kFrameAlignment);
    // Arguments and results of an earlier call may still be used.
    for (const Placed& other : placed)
      if (span.first <= other.span.last && other.span.first <= span.last) begin = std::max(begin, other.end);
    placed.push_back({span, align(begin + layout.size_bytes, kFrameAlignment)});
    places.push_back(begin);
  }
  return places;
}

Result<void> measure_stack(Program& program) {
  const auto callees = callees_of(program);
  std::vector<std::vector<bool>> reached;
  for (uint32_t n = 0; n < callees.size(); ++n) reached.push_back(reached_from(callees, n));
  for (uint32_t n = 0; n < callees.size(); ++n) program.recursive |= reached[n][n];
  for (uint32_t caller = 0; caller < callees.size(); ++caller) {
    const ProgramFunction& function = program.functions[caller];
    for (uint32_t at = function.first_step; at < function.end_step; ++at) {
      if (program.steps[at].op != Op::call) continue;
      Call& call = program.calls[program.steps[at].list];
      call.may_recur = call.kind == Call::Kind::Function  ? reached[call.function][caller]
                       : call.kind == Call::Kind::Pointer ? bool{reached[caller][caller]}
                                                          : false;
    }
  }
  if (program.recursive) {
    program.local_bytes += kStackBytes;
    begin_stack(program);
    return {};
  }
  // [function] bytes of its frame and all after it; callees are in no order.
  std::vector<uint64_t> needed(callees.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t caller = 0; caller < callees.size(); ++caller) {
      const ProgramFunction& function = program.functions[caller];
      uint64_t most = function.frame_bytes;
      for (uint32_t at = function.first_step; at < function.end_step; ++at) {
        if (program.steps[at].op != Op::call) continue;
        const Call& call = program.calls[program.steps[at].list];
        uint64_t behind = call.size_bytes;
        if (call.kind == Call::Kind::Function) behind = std::max(behind, needed[call.function]);
        if (call.kind == Call::Kind::Pointer)
          for (const uint32_t callee : callees[caller]) behind = std::max(behind, needed[callee]);
        most = std::max(most, call.frame_offset + behind);
      }
      changed |= most != needed[caller];
      needed[caller] = most;
    }
  }
  constexpr uint64_t kMaximumBytes = 1 << 24;  // as for a kernel's own variables
  if (needed[0] > kMaximumBytes)
    return fail(
        ErrorKind::Limit,
        fmt::format("kernel {} and its functions need {} bytes of local memory; at most {} can be had",
                    program.kernel, needed[0], kMaximumBytes));
  program.local_bytes = static_cast<uint32_t>(needed[0]);
  begin_stack(program);
  return {};
}

}  // namespace lanescope::ptx
