#include "pipeline/value_flow.h"

#include "base/source_name.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "ptx/opcode_traits.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::pipeline {
namespace {

using Sources = uint64_t;                     // a bit for each parameter
constexpr Sources kRead = uint64_t{1} << 63;  // what was read from memory
constexpr size_t kMostParameters = 63;

class Flow {
 public:
  explicit Flow(const ptx::Program& program) : program_(program), of_slot_(program.slots.size(), 0) {}

  ValueFlow find() {
    ValueFlow flow;
    flow.parameters.resize(program_.parameters.size());
    // What a loop carries from its end to its start is there the second time, and what depends on that the
    // third.
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round)
      for (size_t n = 0; n < program_.steps.size(); ++n) {
        note_access(flow, program_.steps[n], program_.origins[n].ptx_line);
        pass(program_.steps[n]);
      }
    flow.has_block_index = std::ranges::any_of(program_.slots, [](const ptx::SlotInfo& slot) {
      using Special = ptx::SpecialRegister;
      return slot.content == ptx::SlotContent::Special &&
             (slot.special == Special::ctaid_x || slot.special == Special::ctaid_y ||
              slot.special == Special::ctaid_z);
    });
    return flow;
  }

 private:
  /// The parameter that a load from parameter space reads.
  Sources parameter_at(const ptx::Step& step) const {
    int64_t offset = step.immediate;
    if (step.source[0] != ptx::kNoSlot) {
      const ptx::SlotInfo& base = program_.slots[step.source[0]];
      if (base.content != ptx::SlotContent::Constant) return 0;
      offset += static_cast<int64_t>(base.value);
    }
    for (size_t n = 0; n < program_.parameters.size() && n < kMostParameters; ++n) {
      const ptx::KernelParameter& parameter = program_.parameters[n];
      if (offset >= parameter.offset && offset < int64_t{parameter.offset} + parameter.size_bytes)
        return uint64_t{1} << n;
    }
    return 0;
  }

  void pass(const ptx::Step& step) {
    Sources sources = 0;
    if (ptx::loads(step.op)) {
      sources = is_of_parameter(step) ? parameter_at(step) : kRead;
    } else {
      ptx::for_each_source(program_, step, [&](ptx::Slot slot) {
        if (slot != step.guard) sources |= of_slot_[slot];
      });
    }
    ptx::for_each_destination(program_, step, [&](ptx::Slot slot) {
      // A slot is used for other registers once its own is not read any more.
      of_slot_[slot] = sources | (step.guard == ptx::kNoSlot ? 0 : of_slot_[slot]);
    });
  }

  bool is_of_parameter(const ptx::Step& step) const {
    return ptx::is_memory(step.op) && program_.modifiers[step.modifiers].space == ptx::Space::Parameter;
  }

  void note_access(ValueFlow& flow, const ptx::Step& step, int ptx_line) const {
    if (!ptx::is_memory(step.op) || step.source[0] == ptx::kNoSlot || is_of_parameter(step)) return;
    const Sources sources = of_slot_[step.source[0]];
    if ((sources & kRead) != 0) flow.data_lines.insert(ptx_line);
    const ptx::Space space = program_.modifiers[step.modifiers].space;
    if (space != ptx::Space::Global && space != ptx::Space::Generic) return;
    for (size_t n = 0; n < flow.parameters.size() && n < kMostParameters; ++n) {
      if ((sources >> n & 1) == 0 || program_.parameters[n].size_bytes < sizeof(uint64_t)) continue;
      flow.parameters[n].is_address = true;
      flow.parameters[n].is_read |= ptx::loads(step.op) || ptx::updates_memory(step.op);
    }
  }

  const ptx::Program& program_;
  std::vector<Sources> of_slot_;  // [slot]
};

}  // namespace

ValueFlow find_value_flow(const ptx::Program& program) { return Flow(program).find(); }

ValueFlow find_value_flow(std::string_view ptx_text, std::string_view kernel) {
  const auto module = ptx::parse(ptx_text, "");
  if (!module) return {};
  for (const uint32_t index : ptx::kernels_of(*module)) {
    const std::string& entry = module->functions[index].name;
    if (entry != kernel && source_name_of(entry) != kernel) continue;
    if (const auto program = ptx::lower(*module, entry)) return find_value_flow(*program);
  }
  return {};
}

}  // namespace lanescope::pipeline
