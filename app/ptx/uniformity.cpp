// Which values are the same for all threads of a block: parameters, block indices, constants, and what is
// computed from them alone where control flow is the same for all threads too. A producer computes them once
// per block. Method: all registers count as uniform until a definition says otherwise; repeated until nothing
// changes. A definition is uniform if its operation and sources are, and if every branch that decides whether
// it runs in this round of its loops is. Called functions may run for some threads only, so nothing in them
// is uniform. Tests: tests/unit/ptx/lower_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

bool is_uniform_special(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::tid_x:
    case SpecialRegister::tid_y:
    case SpecialRegister::tid_z:
    case SpecialRegister::laneid:
    case SpecialRegister::warpid:
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_gt:
    case SpecialRegister::lanemask_ge:
      return false;
    default:
      return true;
  }
}

/// The blocks of a program without the edges to a loop's next round: these lead to an added node, the end of
/// the round, where lanes reconverge (BlockOrder), and from there to where the loop is left.
struct Rounds {
  Successors successors;        // of the blocks, then of the ends of rounds
  std::vector<uint32_t> loops;  // [block] node of the end of the innermost loop around it; kExit: in none
  std::vector<uint32_t> outer;  // [end of a round] the same for the loop around this one
};

Rounds rounds_of(const Program& program) {
  const auto blocks = static_cast<uint32_t>(program.blocks.size());
  std::vector<uint32_t> by_position(blocks);
  for (uint32_t block = 0; block < blocks; ++block) by_position[block] = block;
  std::ranges::sort(by_position, {}, [&](uint32_t block) { return program.blocks[block].position; });

  Rounds rounds{successors_of(program), std::vector<uint32_t>(blocks, kExit), {}};
  std::vector<uint32_t> headers;  // [end of a round]
  uint32_t loop = kExit;
  const auto contains = [&](uint32_t end, uint32_t position) {
    const BasicBlock& header = program.blocks[headers[end - blocks]];
    return header.position <= position && position < header.round_end;
  };
  std::vector<uint32_t> end_of(blocks);  // [header]
  for (const uint32_t block : by_position) {
    while (loop != kExit && !contains(loop, program.blocks[block].position))
      loop = rounds.outer[loop - blocks];
    if (program.blocks[block].round_end != 0) {
      rounds.outer.push_back(loop);
      headers.push_back(block);
      loop = end_of[block] = blocks + static_cast<uint32_t>(headers.size() - 1);
    }
    rounds.loops[block] = loop;
  }

  rounds.successors.resize(blocks + headers.size());
  for (uint32_t block = 0; block < blocks; ++block) {
    for (uint32_t& next : rounds.successors[block]) {
      const BasicBlock& to = program.blocks[next];
      if (to.round_end != 0 && to.position <= program.blocks[block].position) next = end_of[next];
      for (uint32_t left = rounds.loops[block]; left != kExit && !contains(left, to.position);
           left = rounds.outer[left - blocks]) {
        std::vector<uint32_t>& ways = rounds.successors[left];
        if (std::ranges::find(ways, next) == ways.end()) ways.push_back(next);
      }
    }
  }
  return rounds;
}

}  // namespace

void find_uniform_slots(Program& program) {
  const Rounds rounds = rounds_of(program);
  const auto dependences =
      control_dependences(rounds.successors, immediate_post_dominators(rounds.successors));

  std::vector<bool> uniform(program.slots.size(), true);
  for (size_t n = 0; n < program.slots.size(); ++n) {
    const SlotInfo& slot = program.slots[n];
    uniform[n] = slot.content != SlotContent::Special || is_uniform_special(slot.special);
  }
  // [basic block, end of a round] whether threads may have diverged before it and execute it one group after
  // the other.
  std::vector<bool> parted(rounds.successors.size());
  for (uint32_t n = 0; n < program.blocks.size(); ++n)
    parted[n] = program.blocks[n].first >= program.functions.front().end_step;
  const auto parts = [&](uint32_t block) {
    if (block >= program.blocks.size()) return false;
    bool same = true;
    for_each_source(program, program.steps[program.blocks[block].end - 1],
                    [&](Slot slot) { same = same && uniform[slot]; });
    return !same;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < parted.size(); ++n) {
      const bool is_block = n < program.blocks.size();
      const uint32_t loop = is_block ? rounds.loops[n] : rounds.outer[n - program.blocks.size()];
      const bool now =
          parted[n] || (loop != kExit && parted[loop]) ||
          std::ranges::any_of(dependences[n], [&](uint32_t at) { return parted[at] || parts(at); });
      changed |= now != parted[n];
      parted[n] = now;
      if (!is_block) continue;
      for (uint32_t at = program.blocks[n].first; at < program.blocks[n].end; ++at) {
        const Step& step = program.steps[at];
        bool same = !now && !gives_lanes_different_results(step, program.modifiers[step.modifiers]);
        for_each_source(program, step, [&](Slot slot) { same = same && uniform[slot]; });
        if (same) continue;
        for_each_destination(program, step, [&](Slot slot) {
          changed |= uniform[slot];
          uniform[slot] = false;
        });
      }
    }
  }
  // The caller writes the start of the frame.
  for (const ProgramFunction& function : program.functions) uniform[function.frame] = false;
  for (size_t n = 0; n < program.slots.size(); ++n) {
    if (program.slots[n].content == SlotContent::PerLane && uniform[n])
      program.slots[n].content = SlotContent::PerBlock;
  }
}

void find_written_parameters(Program& program) {
  // [slot] parameters whose value may have flowed into it, a bit each; the last bit is for all others.
  std::vector<uint64_t> from(program.slots.size());
  uint64_t in_memory = 0;  // flowed into memory, and back out of it with any load
  uint64_t written = 0;
  const auto bit_of = [](size_t parameter) { return uint64_t{1} << std::min<size_t>(parameter, 63); };
  // [slot] the address of a variable may have flowed into it.
  std::vector<bool> is_named(program.slots.size());
  for (size_t n = 0; n < program.slots.size(); ++n)
    is_named[n] = program.slots[n].content == SlotContent::Symbol;
  // A store to an address that no parameter, load or variable gave, as a number in the PTX, may hit any
  // buffer.
  const auto is_anywhere = [&](const Step& step) {
    const Space space = program.modifiers[step.modifiers].space;
    return (space == Space::Global || space == Space::Generic) && from[step.source[0]] == 0 &&
           !is_named[step.source[0]];
  };
  const auto loaded = [&](const Step& step) -> uint64_t {
    if (program.modifiers[step.modifiers].space != Space::Parameter) return in_memory;
    const SlotInfo& base = program.slots[step.source[0]];
    uint64_t parameters = 0;
    const uint64_t begin = base.value + static_cast<uint64_t>(step.immediate);
    const uint64_t end = begin + 8 * std::max<uint64_t>(step.list_size, 1);
    for (size_t n = 0; n < program.parameters.size(); ++n) {
      const KernelParameter& parameter = program.parameters[n];
      if (base.content != SlotContent::Constant ||
          (parameter.offset < end && begin < parameter.offset + parameter.size_bytes))
        parameters |= bit_of(n);
    }
    return parameters;
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto add = [&](uint64_t& to, uint64_t what) {
      changed |= (to | what) != to;
      to |= what;
    };
    for (const Step& step : program.steps) {
      uint64_t flow = 0;
      for_each_source(program, step, [&](Slot slot) { flow |= from[slot]; });
      if (stores(step.op)) {
        add(written, from[step.source[0]]);
        add(in_memory, flow);
      }
      if (loads(step.op)) flow = loaded(step);
      bool named = false;
      for_each_source(program, step, [&](Slot slot) { named = named || is_named[slot]; });
      for_each_destination(program, step, [&](Slot slot) {
        add(from[slot], flow);
        changed |= named && !is_named[slot];
        is_named[slot] = is_named[slot] || named;
      });
    }
  }
  for (const Step& step : program.steps)
    if (stores(step.op) && is_anywhere(step)) written = ~uint64_t{0};
  for (size_t n = 0; n < program.parameters.size(); ++n)
    program.parameters[n].may_be_written = (written & bit_of(n)) != 0;
}

}  // namespace lanescope::ptx
