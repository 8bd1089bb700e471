#include "emulator/block/block.h"

#include "emulator/memory/cluster_layout.h"
#include "emulator/values/culprit.h"
#include "emulator/values/form.h"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator {
namespace {

uint64_t value_of(const Code& code, const Memory& memory, const ptx::SlotInfo& slot, Dim3 position,
                  uint32_t warp, uint32_t lane) {
  using ptx::SpecialRegister;
  if (slot.content == ptx::SlotContent::Constant) return slot.value;
  if (slot.content == ptx::SlotContent::Symbol) return memory.address_of(*code.program, slot.value);
  const uint32_t in_block = code.order().warp_of(warp);
  const Dim3 thread = position_of(in_block * kLanes + lane, code.block);
  const Dim3 cluster = code.program->cluster;
  switch (slot.special) {
    case SpecialRegister::tid_x:
      return thread.x;
    case SpecialRegister::tid_y:
      return thread.y;
    case SpecialRegister::tid_z:
      return thread.z;
    case SpecialRegister::ntid_x:
      return code.block.x;
    case SpecialRegister::ntid_y:
      return code.block.y;
    case SpecialRegister::ntid_z:
      return code.block.z;
    case SpecialRegister::ctaid_x:
      return position.x;
    case SpecialRegister::ctaid_y:
      return position.y;
    case SpecialRegister::ctaid_z:
      return position.z;
    case SpecialRegister::nctaid_x:
      return code.grid.x;
    case SpecialRegister::nctaid_y:
      return code.grid.y;
    case SpecialRegister::nctaid_z:
      return code.grid.z;
    case SpecialRegister::laneid:
      return lane;
    case SpecialRegister::warpid:
      return in_block;
    case SpecialRegister::nwarpid:
      return code.warps_of_block();
    case SpecialRegister::nsmid:
      return 1;
    case SpecialRegister::lanemask_eq:
      return uint32_t{1} << lane;
    case SpecialRegister::lanemask_lt:
      return (uint32_t{1} << lane) - 1;
    case SpecialRegister::lanemask_le:
      return (uint32_t{2} << lane) - 1;
    case SpecialRegister::lanemask_gt:
      return ~((uint32_t{2} << lane) - 1);
    case SpecialRegister::lanemask_ge:
      return ~((uint32_t{1} << lane) - 1);
    case SpecialRegister::clusterid_x:
      return position.x / cluster.x;
    case SpecialRegister::clusterid_y:
      return position.y / cluster.y;
    case SpecialRegister::clusterid_z:
      return position.z / cluster.z;
    case SpecialRegister::nclusterid_x:
      return code.grid.x / cluster.x;
    case SpecialRegister::nclusterid_y:
      return code.grid.y / cluster.y;
    case SpecialRegister::nclusterid_z:
      return code.grid.z / cluster.z;
    case SpecialRegister::cluster_ctaid_x:
      return position.x % cluster.x;
    case SpecialRegister::cluster_ctaid_y:
      return position.y % cluster.y;
    case SpecialRegister::cluster_ctaid_z:
      return position.z % cluster.z;
    case SpecialRegister::cluster_ctarank:
      return rank_in_cluster(position, cluster);
    case SpecialRegister::cluster_nctaid_x:
      return cluster.x;
    case SpecialRegister::cluster_nctaid_y:
      return cluster.y;
    case SpecialRegister::cluster_nctaid_z:
      return cluster.z;
    case SpecialRegister::cluster_nctarank:
      return volume(cluster);
    case SpecialRegister::is_explicit_cluster:
      return volume(cluster) > 1;
    case SpecialRegister::aggr_smem_size:
      return code.shared_bytes;
    case SpecialRegister::total_smem_size:
      return code.shared_bytes - code.program->reserved_shared_bytes;
    case SpecialRegister::dynamic_smem_size:
      return code.dynamic_shared_bytes;
    case SpecialRegister::envreg1:
      return memory.workspace() >> 32;
    case SpecialRegister::envreg2:
      return static_cast<uint32_t>(memory.workspace());
    default:
      return 0;  // smid, gridid: one multiprocessor, one grid
  }
}

void fill(BlockState& block, const Preset& preset) {
  const uint32_t copies = preset.where.stride == 0 ? 1 : block.code.warps;
  for (uint32_t warp = 0; warp < copies; ++warp) {
    std::byte* to = block.registers.get() + preset.where.offset + size_t{preset.where.stride} * warp;
    uint32_t truths = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint64_t value = value_of(block.code, block.memory, preset.slot, block.position, warp, lane);
      switch (preset.slot.width) {
        case ptx::SlotWidth::Predicate:
          truths |= uint32_t{value != 0} << lane;
          std::memcpy(to, &truths, sizeof truths);
          break;
        case ptx::SlotWidth::Word: {
          const auto word = static_cast<uint32_t>(value);
          std::memcpy(to + lane * sizeof word, &word, sizeof word);
          break;
        }
        case ptx::SlotWidth::Double:
          std::memcpy(to + lane * sizeof value, &value, sizeof value);
          break;
      }
    }
  }
  if (preset.slot.width != ptx::SlotWidth::Predicate)
    find_form(block.code, block.spreads, block.registers.get(), preset.where);
}

/// Bytes from the shared memory of a block of a batch to that of the next block: whole cache lines.
uint32_t shared_pitch(const Code& code) {
  constexpr uint32_t kLine = 64;
  return (code.shared_bytes + kLine - 1) / kLine * kLine;
}

/// Spread of a special register in a batch: the difference of each block's value from that of the first
/// block.
const Spread* spread_in_batch(BlockState& block, const Preset& preset) {
  const auto value_in = [&](uint64_t of_grid, uint32_t warp) {
    return value_of(block.code, block.memory, preset.slot, position_of(of_grid, block.code.grid), warp, 0);
  };
  SpreadNumbers numbers;
  for (uint32_t warp = 0; warp < block.code.warps; ++warp)
    numbers.base[warp] =
        static_cast<int64_t>(value_in(block.code.order().block_of(warp), warp) - value_in(0, 0));
  return block.spreads.find(numbers);
}

}  // namespace

BlockState::BlockState(const Code& its_code, const Memory& its_memory, AccessObserver* its_observer)
    : code(its_code),
      memory(its_memory),
      registers(aligned_bytes(its_code.register_bytes)),
      spreads(its_code.steps.size(), its_code.warps, its_code.forms.row_lanes),
      shared(size_t{its_code.batch - 1} * shared_pitch(its_code) + its_code.shared_bytes),
      local(uint64_t{its_code.warps} * kLanes, its_code.program->local_bytes, its_code.program->frame_bytes),
      existing(its_code.warps, ~uint32_t{0}),
      next_access(its_code.warps),
      last_place(its_code.steps.size()),
      observer(its_observer) {
  const uint64_t rest = volume(code.block) % kLanes;
  for (uint32_t warp = 0; warp < code.warps; ++warp) {
    shared_start.push_back(code.order().block_of(warp) * shared_pitch(code));
    const bool is_last = code.order().warp_of(warp) == code.warps_of_block() - 1;
    if (rest != 0 && is_last) existing[warp] = (uint32_t{1} << rest) - 1;
  }
  for (const Preset& preset : code.presets) fill(*this, preset);
  if (code.batch > 1)
    for (const Preset& preset : code.per_block) in_batch.push_back(spread_in_batch(*this, preset));
  spreads.keep_all();
}

void BlockState::begin(CtaId id, trace::Sink& its_sink) {
  reset(id, its_sink);
  wants_values = code.batch == 1 && sink->begin_block(id);
  if (observer != nullptr) observer->begin_block(id, copies);
}

void BlockState::reset(CtaId id, trace::Sink& its_sink) {
  cta = id;
  position = position_of(id.value, code.grid);
  if (spreads.forget())
    for (const Operand& operand : code.written) drop_form(registers.get(), operand);
  for (size_t n = 0; n < code.per_block.size(); ++n) {
    const Operand& where = code.per_block[n].where;
    const auto value = static_cast<uint32_t>(value_of(code, memory, code.per_block[n].slot, position, 0, 0));
    if (code.batch > 1) {
      form_of(registers.get(), where) = {in_batch[n]->state, value, in_batch[n]};
    } else {
      std::fill_n(reinterpret_cast<uint32_t*>(registers.get() + where.offset), kLanes, value);
      make_constant(registers.get(), where);
    }
  }
  // Shared and local memory are undefined at first; zeros make a kernel that reads them give the same result
  // every time.
  std::ranges::fill(shared, std::byte{0});
  local.clear();
  // The depth of recursive functions is known only when they run.
  if (!code.program->recursive) local.use(code.program->frame_bytes);
  std::ranges::fill(next_access, 0u);
  copies.begin_block();
  sink = &its_sink;
  wants_values = false;
  meetings = 0;
  stopped = false;
  hazard.reset();
  passed_over.clear();
  clock = clock_read = 0;
  exited = 0;
  output.clear();
}

void BlockState::begin_from(BlockState& batch, uint32_t n) {
  reset({batch.cta.value + n}, *batch.sink);
  sink->resume_block(cta);
  for (uint32_t warp = 0; warp < code.warps; ++warp) {
    const uint32_t from = batch.code.order().number_of(n, warp);
    for (size_t index = 0; index < code.written.size(); ++index) {
      const Operand& mine = code.written[index];
      const Operand& its = batch.code.written[index];
      std::memcpy(registers.get() + mine.offset + size_t{mine.stride} * warp,
                  batch.registers.get() + its.offset + size_t{its.stride} * from, mine.stride);
    }
    next_access[warp] = batch.next_access[from];
  }
  for (const Operand& operand : code.written) drop_form(registers.get(), operand);
  std::copy_n(batch.shared.begin() + n * shared_pitch(code), shared.size(), shared.begin());
}

void BlockState::join(Cluster& its_cluster) {
  cluster = &its_cluster;
  cluster->blocks.push_back(this);
  cluster_phase.assign(static_cast<size_t>(volume(code.block)), 0);
  exited = 0;
}

void BlockState::fill_lanes(const Operand& operand) { emulator::fill_lanes(code, registers.get(), operand); }

void BlockState::report(trace::HazardKind kind, const Step& step, uint32_t thread, std::string message) {
  if (stopped) return;
  stopped = true;
  const trace::BatchOrder order = code.order();
  hazard_in = {cta.value + order.block_of(thread / kLanes)};
  const uint32_t in_block = order.warp_of(thread / kLanes) * kLanes + thread % kLanes;
  hazard = hazard_at(code, step.index, in_block, position_of(hazard_in.value, code.grid), kind);
  hazard->message = std::move(message);
}

void BlockState::note_wait(trace::Wait::Kind kind, uint32_t step, uint32_t warp, LaneMask lanes) {
  if (!wants_values || !lanes.any()) return;
  sink->on_wait({.kind = kind,
                 .warp = {warp},
                 .step = next_access[warp],
                 .meeting = kind == trace::Wait::Kind::Barrier ? meetings : 0,
                 .lanes = lanes,
                 .line = code.program->origins[step].source.line});
}

}  // namespace lanescope::emulator
