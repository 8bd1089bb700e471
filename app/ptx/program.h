// A kernel of a module, ready to be executed: the output of ptx::lower and the input of a producer.
// Method: a flat vector of trivial steps whose operands are numbered slots. Constants and special registers
// are slots too, filled before the first step, so that a step only ever reads and writes slots. Basic blocks
// have an order that says where diverged lanes reconverge. Nothing here depends on a launch.
// Tests: tests/unit/ptx/lower_test.cpp

#pragma once

#include "base/array_shape.h"
#include "base/dim3.h"
#include "base/error.h"
#include "base/load_wait.h"
#include "base/memory_operation.h"
#include "ptx/block_order.h"
#include "ptx/instruction.h"
#include "ptx/modifier.h"
#include "ptx/opcode_traits.h"
#include "ptx/type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ptx {

/// Index in Program::slots.
using Slot = uint16_t;
inline constexpr Slot kNoSlot = 0xffff;

enum class SlotWidth : uint8_t {
  Predicate,  // a bit per lane
  Word,       // 32 bits per lane; types of 8 and 16 bits fill the low bits, the others are zero
  Double,     // 64 bits per lane
};

enum class SlotContent : uint8_t {
  PerLane,   // written by steps
  Constant,  // `value` in all lanes
  Special,   // a special register that does not change while a block runs
  Symbol,    // address of Program::variables[value >> 32] plus the signed low half of `value`
};

struct SlotInfo {
  static constexpr uint32_t kNoVariable = 0xffffffff;
  SlotWidth width = SlotWidth::Word;
  SlotContent content = SlotContent::PerLane;
  SpecialRegister special = SpecialRegister::tid_x;
  uint64_t value = 0;
  uint32_t shared_variable = kNoVariable;  // Constant: index of the variable whose address it is
  bool operator==(const SlotInfo&) const = default;
};

/// One instruction. Its operands are in the order of its row of opcode.def: destinations (d, p, q), and
/// sources (a, b, c, e, r, [a]); an omitted one is kNoSlot.
struct Step {
  static constexpr uint8_t kGuardNegated = 1;
  static constexpr uint8_t kTimed = 2;               // what it computes comes from a clock
  static constexpr uint8_t kFirstSourceNegated = 4;  // `!` before source 0; 8 is source 1, and so on

  Op op = Op::ret;
  Type type = Type::b32;         // where the instruction has none: of its operands, or meaningless
  Type second_type = Type::b32;  // the same
  uint8_t flags = 0;
  uint16_t modifiers = 0;    // index in Program::modifiers
  uint8_t list_size = 0;     // elements of the vector operands, 0 where there is none
  uint8_t list_written = 0;  // of them those that are destinations; they come first
  Slot guard = kNoSlot;
  std::array<Slot, 2> destination{kNoSlot, kNoSlot};
  std::array<Slot, 4> source{kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  uint16_t site = 0;  // memory: index in Program::sites of the first of its sites
  // Index in Program::lists: slots of the vector operands; blocks of a branch table; offsets in bytes of the
  // addresses after the first, then an integer constant.
  uint32_t list = 0;
  int32_t immediate = 0;  // memory: offset in bytes; branch: index in Program::blocks; else the constant

  constexpr bool negates(int n) const { return flags & (kFirstSourceNegated << n); }
  bool operator==(const Step&) const = default;
};
static_assert(sizeof(Step) == 32);

/// Steps of which only the last may be a branch, a call or a barrier. Basic blocks are in program order, and
/// one whose last step may fall through is followed by the next.
struct BasicBlock {
  static constexpr uint32_t kNever = 0xffffffff;
  uint32_t first = 0;  // index in Program::steps
  uint32_t end = 0;
  bool reaches_barrier = false;  // a barrier can follow, in this block or after it
  // In the order in which diverged lanes run, as BlockOrder has them.
  uint32_t position = 0;
  uint32_t round_end = 0;
  std::vector<PositionRange> pending = {};
  std::vector<PositionRange> round_pending = {};
  std::vector<bool> live = {};  // [slot] may be read from the first step on before it is written
};

/// Where a step was written.
struct Origin {
  Location source;  // line 0 when the PTX carries no .loc
  // Where the inlined function that has `source` was called, innermost first; null: in none.
  std::shared_ptr<const std::vector<Location>> called_from = nullptr;
  int ptx_line = 0;
  std::string ptx_text;
  std::vector<std::string> written = {};  // registers of the PTX that it writes, as for_each_destination()
};

/// A parameter of the kernel in parameter space.
struct KernelParameter {
  std::string name;
  uint32_t offset = 0;
  uint32_t size_bytes = 0;
  bool may_be_written = true;  // false: nothing is written through an address from here
  bool may_be_read = true;     // false: nothing is read through an address from here
  Type type = Type::b8;        // of one element, as in ptx::Parameter
  std::string declared = {};   // its type in the source, "const float*"; empty where that is not known
};

/// What an address is computed from, by sums alone, wherever control came from.
struct AddressBase {
  enum class Kind : uint8_t { Unknown, Variable, Parameter };
  Kind kind = Kind::Unknown;
  uint32_t number = 0;  // index in Program::variables; offset in bytes of 64 bits in parameter space
  bool operator==(const AddressBase&) const = default;
};

/// An address as a sum of registers, each times a constant, and a constant.
struct SymbolicAddress {
  static constexpr uint32_t kMostAlignment = 256;
  uint32_t terms = 0;      // number of the sum without the constant, the same for all sites that have it
  uint32_t alignment = 1;  // power of two of which that sum is a multiple; pointers of the launch are
                           // taken for multiples of kMostAlignment
  int64_t offset = 0;      // the constant, in bytes; of shared memory: from its start
  bool operator==(const SymbolicAddress&) const = default;
};

/// A memory instruction, once for each state space that it can address: a trace::Site to be.
struct MemorySite {
  MemoryOperation operation;
  CacheUse cache_use = {};
  LoadWait wait = {};
  Location source;  // line 0 when the PTX carries no .loc
  std::vector<Location> called_from;
  int ptx_line = 0;
  std::string ptx_text;
  AddressBase base = {};  // of the instruction's first address
  SymbolicAddress address = {};
};

/// Bytes of a variable's initial value that are the address of another.
struct VariableAddress {
  uint64_t offset = 0;    // within the variable
  uint32_t variable = 0;  // index in Program::variables
  int64_t addend = 0;
  bool generic = false;
  bool is_function = false;  // `variable` is a ProgramFunction::number
};

/// A function of the program. The first is the kernel; the others are what it calls.
struct ProgramFunction {
  std::string name;
  uint32_t number = 0;  // index in Module::functions: pointers to it are the same in all kernels of the file
  uint32_t first_step = 0;  // its steps follow one another
  uint32_t end_step = 0;
  uint32_t entry = 0;           // index in Program::blocks
  bool address_taken = false;   // a pointer may lead to it
  uint32_t first_variable = 0;  // index in Program::variables
  uint32_t frame_bytes = 0;     // results, parameters, local variables, in local memory
  Slot frame = kNoSlot;         // holds where the frame begins; of the kernel the constant 0
  std::vector<Slot> slots;      // that its steps write, `frame` too: no other function's do
};

/// What a step `call` calls, and where the callee's frame begins after the caller's. Results and arguments
/// are at its start: the caller writes and reads them there.
struct Call {
  enum class Kind : uint8_t { Function, Pointer, Print, Assert, Allocate, Free };
  Kind kind = Kind::Function;
  uint32_t function = 0;            // index in Program::functions, for Kind::Function
  uint32_t frame_offset = 0;        // bytes from the start of the caller's frame
  uint32_t size_bytes = 0;          // of results and arguments
  bool may_recur = false;           // the callee may be running already, so what its slots hold must be kept
  std::vector<uint32_t> results;    // [result] offset in the callee's frame
  std::vector<uint32_t> arguments;  // [argument] the same
};

/// The value of a pointer to the function of this number, ProgramFunction::number.
inline constexpr uint64_t kFunctionWindow = 5;  // after those of the state spaces: emulator/memory/memory.h
constexpr uint64_t function_address(uint32_t number) { return kFunctionWindow << 32 | number; }

/// The offset of a .param variable that is no argument of a call.
inline constexpr uint64_t kNotPassed = ~uint64_t{0};

/// The space of a shared variable that the kernel does not name: it belongs to other kernels of the file.
inline constexpr Space kNoSpace = Space::Generic;

/// A variable in memory. A global one is a buffer after those of the launch.
struct ProgramVariable {
  std::string name;
  Space space = Space::Global;
  uint64_t offset = 0;  // in its space; of a global variable: its number among them; of a local one: in its
                        // function's frame
  uint64_t size_bytes = 0;
  std::vector<std::byte> initial;  // from the start; the rest is zero
  std::vector<VariableAddress> addresses;
  ArrayShape shape = {};  // as the source declares it, where that is known: PTX has bytes alone
};

struct Program {
  std::string kernel;  // entry name as written in the PTX
  std::vector<KernelParameter> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t static_shared_bytes = 0;  // dynamic shared memory starts here
  // Of them, at the start, those of the system that %reserved_smem_offset names: cooperative groups of
  // several warps communicate there. 0 where no instruction reads such a register.
  uint32_t reserved_shared_bytes = 0;
  uint32_t local_bytes = 0;  // per thread: frames, then what alloca allocates
  uint32_t frame_bytes = 0;  // the frames of all functions that run at a time
  bool recursive = false;    // then frame_bytes is as much as a thread may use
  Slot stack = kNoSlot;      // of 64 bits: where the next alloca begins; kNoSlot: there is none
  uint32_t constant_bytes = 0;
  Dim3 cluster;  // blocks that the kernel demands in a cluster; 1 x 1 x 1 where it demands none
  std::optional<Dim3> max_threads;       // .maxntid: a block has no more than their product
  std::optional<Dim3> required_threads;  // .reqntid: a block has these
  std::vector<Step> steps;
  std::vector<Origin> origins;  // [step]
  std::vector<BasicBlock> blocks;
  std::vector<SlotInfo> slots;
  std::vector<Modifiers> modifiers;
  std::vector<uint32_t> lists;
  std::vector<MemorySite> sites;
  std::vector<ProgramVariable> variables;
  std::vector<ProgramFunction> functions;
  std::vector<Call> calls;
};

/// Local memory of a thread for the frames of recursive functions, and as much for alloca. The default of a
/// GPU is as little as 1 KiB.
inline constexpr uint32_t kStackBytes = 64 << 10;

/// Sites of a memory step: one, or for a generic address one each for global, shared, local, constant.
constexpr uint32_t site_count(Space space) { return space == Space::Generic ? 4 : 1; }

/// Whether the kernel asks where the workspace of its grid is, as grid.sync() does: only a cooperative launch
/// has one. Source: cooperative_groups/details/driver_abi.h
constexpr bool uses_workspace(const Program& program) {
  for (const SlotInfo& slot : program.slots)
    if (slot.content == SlotContent::Special &&
        (slot.special == SpecialRegister::envreg1 || slot.special == SpecialRegister::envreg2))
      return true;
  return false;
}

/// Calls f(slot) for each slot that the step reads, and for each that it writes.
template <class F>
void for_each_source(const Program& program, const Step& step, F&& f) {
  if (step.guard != kNoSlot) f(step.guard);
  for (const Slot slot : step.source)
    if (slot != kNoSlot) f(slot);
  const bool updates = traits_of(step.op).has(Trait::UpdatesResult);
  for (uint32_t n = updates ? 0 : step.list_written; n < step.list_size; ++n)
    if (program.lists[step.list + n] != kNoSlot) f(static_cast<Slot>(program.lists[step.list + n]));
}
template <class F>
void for_each_destination(const Program& program, const Step& step, F&& f) {
  for (const Slot slot : step.destination)
    if (slot != kNoSlot) f(slot);
  for (uint32_t n = 0; n < step.list_written; ++n)
    if (program.lists[step.list + n] != kNoSlot) f(static_cast<Slot>(program.lists[step.list + n]));
}

}  // namespace lanescope::ptx
