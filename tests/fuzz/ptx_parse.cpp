// Any bytes as PTX: parse must return a consistent module or an error with a message; every kernel of it is
// run for a few steps, which must end in an outcome or an error, and the history of one of its warps is
// stepped in both directions. Method: libFuzzer's entry point; every index of the module is followed. Used by
// ptx_parse_fuzz and by the replay.

#include "emulator/history.h"
#include "emulator/run.h"
#include "launch/argument_spec.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace lanescope;

/// Stops the program so that libFuzzer and the replay notice it.
void demand(bool holds) {
  if (!holds) std::abort();
}

void check_operand(const ptx::Module& module, const ptx::Function& function, const ptx::Operand& operand) {
  const auto check_symbol = [&](const ptx::SymbolOperand& symbol) {
    switch (symbol.kind) {
      case ptx::SymbolKind::Global:
        return demand(symbol.index < module.globals.size());
      case ptx::SymbolKind::Local:
        return demand(symbol.index < function.variables.size());
      case ptx::SymbolKind::Parameter:
        return demand(symbol.index < function.parameters.size());
      case ptx::SymbolKind::Result:
        return demand(symbol.index < function.results.size());
      case ptx::SymbolKind::Function:
        return demand(symbol.index < module.functions.size());
    }
  };
  if (const auto* in_register = std::get_if<ptx::RegisterOperand>(&operand)) {
    demand(in_register->index < function.registers.size());
  } else if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&operand)) {
    check_symbol(*symbol);
  } else if (const auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
    if (const auto* base = std::get_if<ptx::RegisterOperand>(&address->base))
      check_operand(module, function, *base);
    if (const auto* base = std::get_if<ptx::SymbolOperand>(&address->base)) check_symbol(*base);
  } else if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) {
    demand(label->index < function.labels.size());
    demand(function.labels[label->index].instruction <= function.instructions.size());
  } else if (const auto* table = std::get_if<ptx::BranchTableOperand>(&operand)) {
    demand(table->index < function.branch_tables.size());
    for (const uint32_t target : function.branch_tables[table->index].targets) {
      demand(target < function.labels.size());
    }
  } else if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand)) {
    for (const ptx::ScalarOperand& element : vector->elements) {
      std::visit([&](const auto& value) { check_operand(module, function, ptx::Operand(value)); }, element);
    }
  }
}

void check_module(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.instructions) {
      for (const ptx::Operand& operand : instruction.operands) check_operand(module, function, operand);
      demand(!ptx::text_of(module, instruction).empty());
      demand(ptx::source_of(module, instruction).line >= 0);
      demand(!instruction.guard || instruction.guard->predicate < function.registers.size());
    }
  }
  for (const ptx::Place& place : module.places) {
    demand(!place.inlined_at || *place.inlined_at < module.places.size());
  }
  for (const ptx::Variable& variable : module.globals) demand(variable.initial.size() <= variable.size_bytes);
}

/// Two blocks, the second warp of each not full; a buffer of one page for each parameter that can be an
/// address. Where there are textures or surfaces, the first parameters are such.
launch::Launch small_launch(const ptx::Program& program) {
  launch::Launch launch;
  launch.grid = {2, 1, 1};
  launch.block = {20, 2, 1};
  const bool has_images = std::ranges::any_of(
      program.sites, [](const ptx::MemorySite& site) { return !has_addresses(site.operation.space); });
  for (const ptx::KernelParameter& parameter : program.parameters) {
    if (parameter.size_bytes == 8 && has_images && launch.arguments.size() % 3 != 2)
      demand(launch::add_argument(launch, launch.arguments.size() % 3 == 0
                                              ? "texture(f32x2[3x5]:iota, linear, mirror, border, normalized)"
                                              : "surface(u8x4[3x5]:iota)")
                 .has_value());
    else if (parameter.size_bytes == 8)
      demand(launch::add_argument(launch, "u8[4096]:iota").has_value());
    else
      launch.arguments.emplace_back(launch::Value{std::vector<std::byte>(parameter.size_bytes)});
  }
  return launch;
}

/// Skips programs that need more memory than a test should take: they may declare gigabytes.
bool is_small(const ptx::Program& program) {
  constexpr uint64_t kBound = uint64_t{1} << 22;
  uint64_t bytes = uint64_t{program.local_bytes} * 64 + program.constant_bytes + program.parameter_bytes +
                   program.static_shared_bytes;
  for (const ptx::ProgramVariable& variable : program.variables)
    bytes += std::min(variable.size_bytes, kBound);
  return bytes < kBound && program.parameters.size() <= 64;
}

/// The history of a warp can be stepped to its end, and back to the initial state.
void walk_through_history(const ptx::Program& program, const launch::Launch& launch,
                          const emulator::Options& options) {
  const auto history = emulator::record_history(program, launch, {1}, {1}, options, 200);
  demand(history.has_value() || !history.error().message.empty());
  if (!history) return;
  const auto end = static_cast<uint32_t>(history->entries.size());
  trace::HistoryCursor cursor(*history);
  cursor.go_to(end);
  demand(cursor.place() == end && end <= 200);
  cursor.go_to(0);
  for (const trace::RegisterValue& value : cursor.registers()) demand(!value.written.any());
}

void run_a_few_steps(const ptx::Program& program) {
  if (!is_small(program)) return;
  emulator::Options options;
  options.threads = 1;
  options.limit_steps = 500;
  options.checks = emulator::Checks::All;
  // Half of the programs one way, half the other, and always the same.
  options.scheduling =
      program.steps.size() % 2 == 0 ? emulator::Scheduling::Independent : emulator::Scheduling::Lockstep;
  const launch::Launch launch = small_launch(program);
  const auto recording = emulator::record(program, launch, model::cost_of, {}, options);
  demand(recording.has_value() || !recording.error().message.empty());
  walk_through_history(program, launch, options);
}

}  // namespace

// libFuzzer defines this name.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data,  // NOLINT(readability-identifier-naming)
                                      size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto module = ptx::parse({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
  if (module) {
    check_module(*module);
    for (const uint32_t kernel : ptx::kernels_of(*module)) {
      const auto program = ptx::lower(*module, module->functions[kernel].name);
      demand(program.has_value() || !program.error().message.empty());
      if (program) run_a_few_steps(*program);
    }
  } else {
    demand(!module.error().message.empty() && module.error().where.has_value());
  }
  return 0;
}
