#include "emulator/decoder.h"

#include "base/ids.h"
#include "emulator/exec/executor.h"
#include "emulator/values/vectors.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

constexpr uint16_t kWordBytes = kLanes * 4;
constexpr uint16_t kDoubleBytes = kLanes * 8;
constexpr uint32_t kCacheLine = 64;

const Executor& executor_of(Vectors vectors) {
  switch (best_vectors(vectors)) {
#ifdef LANESCOPE_AVX512
    case Vectors::Widest:
      return avx512_vectors::executor;
#endif
#ifdef LANESCOPE_AVX2
    case Vectors::Avx2:
      return avx2_vectors::executor;
#endif
    default:
      return plain_vectors::executor;
  }
}

uint16_t bytes_per_warp(ptx::SlotWidth width) {
  switch (width) {
    case ptx::SlotWidth::Predicate:
      return sizeof(uint32_t);
    case ptx::SlotWidth::Word:
      return kWordBytes;
    case ptx::SlotWidth::Double:
      return kDoubleBytes;
  }
  return kDoubleBytes;
}

/// True if the special register has the same 32 lane values in every warp of a block.
bool is_the_same_for_warps(ptx::SpecialRegister special) {
  switch (special) {
    case ptx::SpecialRegister::tid_x:
    case ptx::SpecialRegister::tid_y:
    case ptx::SpecialRegister::tid_z:
    case ptx::SpecialRegister::warpid:
      return false;
    default:
      return true;
  }
}

bool depends_on_block(const ptx::SlotInfo& slot) {
  if (slot.content != ptx::SlotContent::Special) return false;
  switch (slot.special) {
    case ptx::SpecialRegister::ctaid_x:
    case ptx::SpecialRegister::ctaid_y:
    case ptx::SpecialRegister::ctaid_z:
    case ptx::SpecialRegister::clusterid_x:
    case ptx::SpecialRegister::clusterid_y:
    case ptx::SpecialRegister::clusterid_z:
    case ptx::SpecialRegister::cluster_ctaid_x:
    case ptx::SpecialRegister::cluster_ctaid_y:
    case ptx::SpecialRegister::cluster_ctaid_z:
    case ptx::SpecialRegister::cluster_ctarank:
      return true;
    default:
      return false;
  }
}

/// Allocates operands in the register file.
class Layout {
 public:
  explicit Layout(Code& code) : code_(code) {
    layout_forms();
    nowhere_ = place(ptx::SlotWidth::Double, Copies::PerWarp);
    code_.written.push_back(nowhere_);
    zero_ = place(ptx::SlotWidth::Double, Copies::One);
    code_.presets.push_back({zero_, {.width = zero_.width, .content = ptx::SlotContent::Constant}});
    for (const ptx::SlotInfo& slot : code.program->slots) add(slot);
  }

  Operand destination(ptx::Slot slot) const { return slot == ptx::kNoSlot ? nowhere_ : operands_[slot]; }
  Operand source(ptx::Slot slot) const { return slot == ptx::kNoSlot ? zero_ : operands_[slot]; }
  Operand operator[](ptx::Slot slot) const { return operands_[slot]; }

 private:
  enum class Copies : uint8_t { One, PerWarp };

  void layout_forms() {
    const uint32_t row = code_.block.x;
    code_.forms.row_lanes = std::has_single_bit(row) && row > 1 && row < kLanes ? row : kLanes;
  }

  Operand place(ptx::SlotWidth width, Copies copies) {
    const uint16_t bytes = bytes_per_warp(width);
    const bool is_shared = copies == Copies::One;
    code_.register_bytes += FormLayout::kBytes;
    const Operand operand{
        .offset = code_.register_bytes, .stride = is_shared ? uint16_t{0} : bytes, .width = width};
    const uint32_t all = bytes * (is_shared ? 1 : code_.warps);
    code_.register_bytes += (all + kCacheLine - 1) / kCacheLine * kCacheLine;
    return operand;
  }

  void add(const ptx::SlotInfo& slot) {
    Operand operand;
    switch (slot.content) {
      case ptx::SlotContent::PerLane:
        operand = place(slot.width, Copies::PerWarp);
        code_.written.push_back(operand);
        break;
      case ptx::SlotContent::Constant:
      case ptx::SlotContent::Symbol:
        operand = place(slot.width, Copies::One);
        code_.presets.push_back({operand, slot});
        break;
      case ptx::SlotContent::Special: {
        const bool is_shared =
            is_the_same_for_warps(slot.special) && !(code_.batch > 1 && depends_on_block(slot));
        operand = place(slot.width, is_shared ? Copies::One : Copies::PerWarp);
        (depends_on_block(slot) ? code_.per_block : code_.presets).push_back({operand, slot});
        break;
      }
    }
    operands_.push_back(operand);
  }

  Code& code_;
  Operand nowhere_;  // for unused results
  Operand zero_;     // for omitted sources
  std::vector<Operand> operands_;
};

/// The scheduler executes control flow; it reads the program directly.
bool is_control(ptx::Op op) { return ptx::ends_block(op) || ptx::traits_of(op).has(ptx::Trait::InScheduler); }

/// First and end offset of the shared memory that the step may access: the array whose address it uses, or
/// all.
std::pair<uint32_t, uint32_t> shared_reach(const Code& code, const ptx::Step& step) {
  const ptx::Program& program = *code.program;
  const ptx::Space space = program.modifiers[step.modifiers].space;
  const bool has_site =
      ptx::is_memory(step.op) && space != ptx::Space::Parameter && space != ptx::Space::Frame;
  const ptx::AddressBase base =
      has_site && step.site < program.sites.size() ? program.sites[step.site].base : ptx::AddressBase{};
  if (base.kind != ptx::AddressBase::Kind::Variable) return {0, code.shared_bytes};
  const ptx::ProgramVariable& variable = program.variables[base.number];
  if (variable.space != ptx::Space::Shared) return {0, code.shared_bytes};
  const auto first = static_cast<uint32_t>(variable.offset);
  const bool is_dynamic = variable.size_bytes == 0;
  return {first, is_dynamic ? code.shared_bytes : first + static_cast<uint32_t>(variable.size_bytes)};
}

/// Kind of the access that an opcode makes; Load if it makes none.
trace::Kind kind_of(ptx::Op op) {
  const auto access = ptx::access_of(op);
  return access ? access->kind : trace::Kind::Load;
}

/// Detail of the step's access to shared memory; Plain without such an access. In other spaces the only
/// detail is Bulk, which both sites of a bulk copy have.
trace::Detail detail_of(const ptx::Program& program, const ptx::Step& step) {
  const auto access = ptx::access_of(step.op);
  const bool may_have_one =
      access && (access->kind != trace::Kind::Load || access->shape == ptx::AccessShape::MatrixRows ||
                 access->shape == ptx::AccessShape::Descriptors);
  if (!may_have_one) return trace::Detail::Plain;
  for (uint32_t n = 0; n < 2 && step.site + n < program.sites.size(); ++n) {
    const trace::Operation& operation = program.sites[step.site + n].operation;
    if (operation.space == trace::Space::Shared) return operation.detail;
  }
  return trace::Detail::Plain;
}

void no_op(Warps&, const Step&) {}

/// Finds for each basic block what the schedulers need: the next wait from each step on, and whether the
/// basic block polls.
void look_ahead(const ptx::Program& program, Code& code) {
  code.next_wait.resize(program.steps.size());
  for (const ptx::BasicBlock& block : program.blocks) {
    uint32_t next = block.end;
    bool polls = false;
    for (uint32_t at = block.end; at-- > block.first;) {
      const ptx::Step& step = program.steps[at];
      if (ptx::waits_for_members(step.op)) next = at;
      code.next_wait[at] = next;
      polls = polls || ptx::may_poll(program.modifiers[step.modifiers], step.op);
    }
    code.polls.push_back(polls);
  }
}

}  // namespace

Result<Code> decode(const ptx::Program& program, Dim3 grid, Dim3 block, uint32_t dynamic_shared_bytes,
                    const Options& options, uint32_t batch) {
  Code code;
  code.program = &program;
  code.grid = grid;
  code.block = block;
  code.batch = batch;
  code.warps = static_cast<uint32_t>((volume(block) + kLanes - 1) / kLanes) * batch;
  code.shared_bytes = program.static_shared_bytes + dynamic_shared_bytes;
  code.dynamic_shared_bytes = dynamic_shared_bytes;
  const Layout layout(code);
  const Executor& executor = executor_of(options.vectors);
  code.fill_lanes = executor.fill_lanes;

  code.lists.reserve(program.lists.size());  // steps point into it
  for (uint32_t index = 0; index < program.steps.size(); ++index) {
    const ptx::Step& from = program.steps[index];
    const ptx::Origin& origin = program.origins[index];
    Step step;
    const Handler handler = is_control(from.op) ? Handler(no_op, true) : executor.find_handler(program, from);
    step.handler = handler.knows_forms ? handler.execute : executor.with_lanes;
    step.in_lanes = handler.execute;
    if (!handler) {
      const bool has_source = origin.source.line != 0;
      return fail(
          ErrorKind::Unsupported,
          fmt::format(
              "the emulator does not execute `{}` (PTX line {}) yet; rewrite the line, or trace on a GPU",
              origin.ptx_text, origin.ptx_line),
          has_source ? std::optional(origin.source) : std::nullopt);
    }
    for (size_t n = 0; n < step.destination.size(); ++n)
      step.destination[n] = layout.destination(from.destination[n]);
    for (size_t n = 0; n < step.source.size(); ++n) step.source[n] = layout.source(from.source[n]);
    step.guarded = from.guard != ptx::kNoSlot;
    step.guard = layout.source(from.guard);
    step.guard_negated = from.flags & ptx::Step::kGuardNegated;
    step.negated = static_cast<uint8_t>(from.flags / ptx::Step::kFirstSourceNegated);
    step.keeps_constant = ptx::traits_of(from.op).effect == ptx::Effect::Computes && !ptx::reads_clock(from);
    step.type = from.type;
    step.second_type = from.second_type;
    step.combination = program.modifiers[from.modifiers].combination;
    step.flush_to_zero = program.modifiers[from.modifiers].flush_to_zero;
    step.saturate = program.modifiers[from.modifiers].saturate;
    step.relu = program.modifiers[from.modifiers].relu;
    step.rounding = program.modifiers[from.modifiers].rounding;
    step.kind = kind_of(from.op);
    step.detail = detail_of(program, from);
    step.space = program.modifiers[from.modifiers].space;
    step.address_is_word =
        from.source[0] != ptx::kNoSlot && program.slots[from.source[0]].width == ptx::SlotWidth::Word;
    std::tie(step.shared_first, step.shared_end) = shared_reach(code, from);
    step.site = from.site;
    step.immediate = from.immediate;
    step.index = index;
    step.list_size = from.list_size;
    step.list_written = from.list_written;
    step.list = code.lists.data() + code.lists.size();
    for (uint32_t n = 0; n < from.list_size; ++n) {
      const auto slot = static_cast<ptx::Slot>(program.lists[from.list + n]);
      code.lists.push_back(n < from.list_written ? layout.destination(slot) : layout.source(slot));
    }
    code.steps.push_back(step);
  }
  for (const ptx::ProgramFunction& function : program.functions) {
    CodeFunction known{.frame = layout.source(function.frame),
                       .has_frame = function.frame != ptx::kNoSlot && &function != &program.functions.front(),
                       .registers = {}};
    for (const ptx::Slot slot : function.slots) known.registers.push_back(layout[slot]);
    code.functions.push_back(std::move(known));
  }
  look_ahead(program, code);
  code.barriers = options.barriers;
  code.detours = find_detours(program, code.barriers.get());
  const std::vector<bool> is_free = find_free_destinations(program, code.detours);
  for (Step& step : code.steps) step.is_free_in_detour = is_free[step.index];
  return code;
}

}  // namespace lanescope::emulator
