#include "emulator/block/block.h"

#include "emulator/form.h"
#include "emulator/memory/cluster_layout.h"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator {
namespace {

uint64_t value_of(const Code& code, const Memory& memory, const ptx::SlotInfo& slot, Dim3 position,
                  uint32_t warp, uint32_t lane) {
  using ptx::SpecialRegister;
  if (slot.content == ptx::SlotContent::Constant) return slot.value;
  if (slot.content == ptx::SlotContent::Symbol) return memory.address_of(*code.program, slot.value);
  const Dim3 thread = position_of(warp * kLanes + lane, code.block);
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
      return warp;
    case SpecialRegister::nwarpid:
      return code.warps;
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
  const uint32_t copies = preset.where.own == 0 ? 1 : block.code.warps;
  for (uint32_t warp = 0; warp < copies; ++warp) {
    std::byte* to = block.registers.get() + preset.where.offset + size_t{preset.where.own} * warp;
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

}  // namespace

BlockState::BlockState(const Code& its_code, const Memory& its_memory, std::unique_ptr<Checker> its_checker)
    : code(its_code),
      memory(its_memory),
      registers(aligned_bytes(its_code.register_bytes)),
      spreads(its_code.steps.size(), its_code.warps, its_code.forms.row_lanes),
      shared(its_code.shared_bytes),
      local(uint64_t{its_code.warps} * kLanes, its_code.program->local_bytes, its_code.program->frame_bytes),
      existing(its_code.warps, ~uint32_t{0}),
      next_access(its_code.warps),
      last_place(its_code.steps.size()),
      checker(std::move(its_checker)) {
  if (const uint64_t rest = volume(code.block) % kLanes; rest != 0)
    existing.back() = (uint32_t{1} << rest) - 1;
  for (const Preset& preset : code.presets) fill(*this, preset);
  spreads.keep_all();
}

void BlockState::begin(CtaId id, trace::Sink& its_sink) {
  cta = id;
  position = position_of(id.value, code.grid);
  if (spreads.forget())
    for (const Operand& operand : code.written) drop_form(registers.get(), operand);
  for (const Preset& preset : code.per_block) {
    const auto value = static_cast<uint32_t>(value_of(code, memory, preset.slot, position, 0, 0));
    std::fill_n(reinterpret_cast<uint32_t*>(registers.get() + preset.where.offset), kLanes, value);
    make_uniform(registers.get(), preset.where);
  }
  // Neither is defined at first; zero makes a kernel that reads it give the same result every time.
  std::ranges::fill(shared, std::byte{0});
  local.clear();
  // How deep recursive functions go is known when they do.
  if (!code.program->recursive) local.use(code.program->frame_bytes);
  std::ranges::fill(next_access, 0u);
  copies.begin_block();
  sink = &its_sink;
  wants_values = sink->begin_block(id);
  stopped = false;
  hazard.reset();
  clock = 0;
  exited = 0;
  output.clear();
  if (checker) checker->begin_block(id, position, copies);
}

void BlockState::join(Cluster& its_cluster) {
  cluster = &its_cluster;
  cluster->blocks.push_back(this);
  if (checker) checker->join(cluster->shadow);
  cluster_phase.assign(volume(code.block), 0);
  exited = 0;
}

void BlockState::fill_lanes(const Operand& operand) { emulator::fill_lanes(code, registers.get(), operand); }

void BlockState::report(trace::HazardKind kind, const Step& step, uint32_t thread, std::string message) {
  if (stopped) return;
  stopped = true;
  const ptx::Origin& origin = code.program->origins[step.index];
  hazard = trace::Hazard{.kind = kind,
                         .where = origin.source,
                         .ptx_line = origin.ptx_line,
                         .message = std::move(message),
                         .block = position,
                         .thread = position_of(thread, code.block)};
}

}  // namespace lanescope::emulator
