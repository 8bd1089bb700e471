#include "emulator/block/history_recorder.h"

#include <cstring>

namespace lanescope::emulator {
namespace {

using trace::History;

uint32_t bytes_of(const Operand& operand) {
  return operand.stride == sizeof(uint32_t) ? 1 : operand.stride / uint32_t{kLanes};
}

History::Meaning meaning_of(ptx::Type type, uint32_t bytes) {
  if (bytes == 1) return History::Meaning::Truth;
  if (type == (bytes == sizeof(double) ? ptx::Type::f64 : ptx::Type::f32)) return History::Meaning::Float;
  switch (ptx::class_of(type)) {
    case ptx::TypeClass::Unsigned:
      return History::Meaning::Unsigned;
    case ptx::TypeClass::Signed:
      return History::Meaning::Signed;
    default:
      return History::Meaning::Bits;
  }
}

/// Values of an operand in the lanes of one warp. Signed values narrower than a cell are sign-extended.
std::array<uint64_t, kLanes> read(const BlockState& block, const Operand& operand, uint32_t warp,
                                  ptx::Type type) {
  std::array<uint64_t, kLanes> values{};
  const std::byte* const at = block.registers.get() + operand.offset + size_t{operand.stride} * warp;
  const uint32_t bytes = bytes_of(operand);
  const bool is_narrow = type == ptx::Type::s8 || type == ptx::Type::s16;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    if (bytes == 1) {
      uint32_t truths = 0;
      std::memcpy(&truths, at, sizeof truths);
      values[lane] = truths >> lane & 1;
      continue;
    }
    std::memcpy(&values[lane], at + bytes * lane, bytes);
    if (is_narrow && values[lane] <= 0xffff)
      values[lane] = static_cast<uint32_t>(int32_t{static_cast<int16_t>(values[lane])});
  }
  return values;
}

std::vector<History::Instruction> instructions_of(const ptx::Program& program) {
  std::vector<History::Instruction> instructions;
  uint32_t function = 0;
  for (size_t step = 0; step < program.steps.size(); ++step) {
    while (step >= program.functions[function].end_step) ++function;
    const ptx::Origin& origin = program.origins[step];
    instructions.push_back({origin.source, origin.ptx_line, origin.ptx_text, function});
  }
  return instructions;
}

}  // namespace

HistoryRecorder::HistoryRecorder(const Code& code, const HistoryRequest& request)
    : code_(code), most_entries_(request.most_entries), history_(*request.into) {
  history_ = {};
  history_.cta = request.cta;
  history_.warp = request.warp;
  history_.instructions = instructions_of(*code.program);
  for (const ptx::ProgramFunction& function : code.program->functions)
    history_.functions.push_back(function.name);
}

bool HistoryRecorder::has_room() {
  if (history_.entries.size() < most_entries_) return true;
  history_.is_cut = true;
  return false;
}

void HistoryRecorder::execute(Warps& warps, const Step& step) {
  const LaneMask active{*warps.active};
  LaneMask lanes = active;
  if (step.guarded) {
    uint32_t guard = 0;
    std::memcpy(&guard, warps.registers + step.guard.offset + size_t{step.guard.stride} * warps.first,
                sizeof guard);
    lanes.bits &= step.guard_negated ? ~guard : guard;
  }
  const bool noted = has_room();
  if (noted) add_entry(warps.block, step, active, lanes);
  step.handler(warps, step);
  if (noted && !warps.block.stopped && !ptx::is_barrier(code_.program->steps[step.index].op))
    add_results(warps.block, step, lanes);
}

void HistoryRecorder::note(const BlockState& block, const Step& step, LaneMask active, LaneMask lanes) {
  if (!has_room()) return;
  add_entry(block, step, active, lanes);
  add_results(block, step, lanes);
}

void HistoryRecorder::add_entry(const BlockState& block, const Step& step, LaneMask active, LaneMask lanes) {
  const auto changes = static_cast<uint32_t>(history_.changes.size());
  history_.entries.push_back({.instruction = step.index,
                              .active = active,
                              .lanes = lanes,
                              .access = block.next_access[warp()],
                              .first_change = changes,
                              .end_change = changes});
}

void HistoryRecorder::add_results(const BlockState& block, const Step& step, LaneMask lanes) {
  if (!lanes.any()) return;
  const ptx::Step& from = code_.program->steps[step.index];
  const std::vector<std::string>& names = code_.program->origins[step.index].written;
  size_t nth = 0;
  const auto add = [&](ptx::Slot slot, const Operand& operand) {
    if (slot == ptx::kNoSlot || nth >= names.size()) return;
    const uint32_t bytes = bytes_of(operand);
    const uint32_t reg = number_of(names[nth++], history_.instructions[step.index].function, bytes);
    add_change(reg, meaning_of(from.type, bytes), lanes, read(block, operand, warp(), from.type));
  };
  for (size_t n = 0; n < step.destination.size(); ++n) add(from.destination[n], step.destination[n]);
  for (uint32_t n = 0; n < from.list_written; ++n)
    add(static_cast<ptx::Slot>(code_.program->lists[from.list + n]), step.list[n]);
}

uint32_t HistoryRecorder::number_of(const std::string& name, uint32_t function, uint32_t bytes) {
  const auto [found, is_new] =
      numbers_.try_emplace({function, name}, static_cast<uint32_t>(history_.registers.size()));
  if (is_new) {
    history_.registers.push_back({name, function, bytes});
    now_.emplace_back();
  }
  return found->second;
}

void HistoryRecorder::add_change(uint32_t reg, History::Meaning meaning, LaneMask lanes,
                                 const std::array<uint64_t, kLanes>& after) {
  trace::RegisterValue& value = now_[reg];
  history_.changes.push_back({.reg = reg,
                              .meaning = meaning,
                              .meaning_before = value.meaning,
                              .lanes = lanes,
                              .fresh = {lanes.bits & ~value.written.bits},
                              .first = static_cast<uint32_t>(history_.values.size())});
  history_.entries.back().end_change = static_cast<uint32_t>(history_.changes.size());
  for_each_lane(lanes, [&](int lane) { history_.values.push_back(value.lanes[static_cast<size_t>(lane)]); });
  for_each_lane(lanes, [&](int lane) { history_.values.push_back(after[static_cast<size_t>(lane)]); });
  for_each_lane(lanes,
                [&](int lane) { value.lanes[static_cast<size_t>(lane)] = after[static_cast<size_t>(lane)]; });
  value.written.bits |= lanes.bits;
  value.meaning = meaning;
}

void HistoryRecorder::keep(uint32_t call) { kept_[call] = now_; }

void HistoryRecorder::bring_back(uint32_t call, uint32_t function, LaneMask lanes) {
  const auto kept = kept_.find(call);
  if (kept == kept_.end() || history_.entries.empty() || is_full()) return;
  for (uint32_t reg = 0; reg < kept->second.size(); ++reg) {
    const trace::RegisterValue& value = kept->second[reg];
    const LaneMask known{lanes.bits & value.written.bits};
    if (history_.registers[reg].function == function && known.any())
      add_change(reg, value.meaning, known, value.lanes);
  }
}

}  // namespace lanescope::emulator
