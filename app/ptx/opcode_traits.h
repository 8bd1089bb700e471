// What an opcode does, apart from its arithmetic: does it access memory and how, wait for other lanes, end a
// basic block, may a loop around it be a busy wait. Everything that has to know looks it up here.
// Method: the column `traits` of opcode.def and the operand column say it; a row that says nothing or that
// contradicts itself does not compile (opcode_row.h). Source: PTX ISA.
// Tests: tests/unit/ptx/opcode_traits_test.cpp

#pragma once

#include "base/memory_operation.h"

#include <cstdint>
#include <optional>

namespace lanescope::ptx {

enum class Op : uint8_t;
struct Modifiers;
struct Step;

/// What an instruction is for. Each has exactly one effect.
enum class Effect : uint8_t {
  Computes,      // a result from its operands alone, lane by lane
  Advises,       // a hint to the caches, or a policy for one: lanes see no difference
  Accesses,      // memory: OpcodeTraits::access
  ReadsLanes,    // a result from other lanes of the warp
  MovesStack,    // the thread's stack in local memory
  Jumps,         // lanes that execute it do not continue with the next instruction
  Calls,         // a function
  Barrier,       // of the block: arrives, waits, or both
  Synchronizes,  // orders, waits, signals: what lanes see or which of them are active may differ afterwards
};

/// How an access is made by the lanes of a warp, which also decides how many bytes each lane accesses.
enum class AccessShape : uint8_t {
  PerLane,       // each lane at its address, as many bytes as type and vector width say
  MatrixRows,    // lanes supply the addresses of rows of 16 bytes
  Fragment,      // one address; the hardware chooses which lane accesses what
  SizedCopy,     // each lane copies from global to shared memory as many bytes as an operand says
  BulkToShared,  // a copy made by no lane, from global to shared memory
  BulkToGlobal,  // the same from shared to global memory
  Texture,       // each lane reads texels of an image by coordinates, there is no address
  Surface,       // the same, without a filter; also writes
  Descriptors,   // the tensor cores read matrices in shared memory that descriptors name, no lane does
};

struct AccessTraits {
  MemoryKind kind = MemoryKind::Load;
  AccessShape shape = AccessShape::PerLane;
};

/// What else is true of an opcode.
enum class Trait : uint16_t {
  WholeWarp = 1,           // waits for all lanes of the warp that are alive
  Polls = 2,               // reads what other threads write: a loop around it may be a busy wait
  PollsIfOrdered = 4,      // the same, where its memory order is stronger than weak
  ReadsClock = 8,          // with a clock as its source its result is the time
  InScheduler = 16,        // executed by the emulator's scheduler, not by a handler in emulator/exec
  Arithmetic = 32,         // compilers move it ahead of a condition together with the load that it uses
  Takes128Bits = 64,       // lowering takes values of 128 bits apart
  OnlyArrives = 128,       // a barrier that does not wait
  ReducesPredicate = 256,  // a barrier with a result from the predicates of all threads
  UpdatesResult = 512,     // reads the registers that it writes
  Operation = 1024,        // one operation of each lane, where arithmetic is counted
  TwoOperations = 2048,    // a multiply-add
  MatrixProduct = 4096     // as many multiply-adds of the warp or warpgroup as its shape says
};

/// There are none without an effect.
struct OpcodeTraits {
  constexpr explicit OpcodeTraits(Effect what) : effect(what) {}

  Effect effect;
  std::optional<AccessTraits> access = {};  // with Effect::Accesses
  uint16_t bits = 0;                        // of Trait
  // From the operand column:
  std::optional<uint8_t> address = {};  // operand that is the address; of a copy the one written to
  std::optional<uint8_t> members = {};  // source that is the mask of the lanes to wait for

  constexpr bool has(Trait trait) const { return (bits & static_cast<uint16_t>(trait)) != 0; }
  constexpr OpcodeTraits operator|(Trait trait) const {
    OpcodeTraits more = *this;
    more.bits |= static_cast<uint16_t>(trait);
    return more;
  }
};

const OpcodeTraits& traits_of(Op op);

bool is_memory(Op op);
/// Absent where no memory is accessed.
std::optional<AccessTraits> access_of(Op op);
/// Whether a register gets what memory held: loads and atomics.
bool loads(Op op);
/// Whether memory is written: everything but loads.
bool stores(Op op);
/// Whether memory is read, changed and written as one: atomics and reductions.
bool updates_memory(Op op);

bool reads_clock(const Step& step);

/// Whether it is executed once for all lanes of its member mask, or of the warp, that are alive.
bool waits_for_members(Op op);
/// The source of the step that is the member mask; absent where it waits for the whole warp or for none.
std::optional<uint8_t> members_source(Op op);

/// Whether a basic block ends after it.
bool ends_block(Op op);
bool is_barrier(Op op);
bool only_arrives(Op op);
bool reduces_predicate(Op op);
/// Whether all threads leave the straight line here: a jump or an end, without a guard.
bool never_falls_through(const Step& step);
/// Whether a loop that only waits for others is likely to hold such a step: it reads what others write.
bool may_poll(const Modifiers& modifiers, Op op);

}  // namespace lanescope::ptx
