// Memory instructions of machine code (SASS), found by their bits. Method: an instruction has 128 bits; bits
// 0 to 8 are its opcode, 12 to 15 its predicate, 24 to 31 the register of its address, 73 to 75 its width.
// NVIDIA documents none of this: the bits were compared with the text of nvdisasm 13.5 for the 46,000 memory
// instructions of 100 files of kernels on sm_75, 80, 86, 89, 90, 100 and 120. Equal were all opcodes, widths,
// registers and offsets, but for offsets of LD and ST on sm_75 and the width of LDGSTS, whose field has
// moved: neither is used. Tests: tests/unit/sass/{cubin,match}_test.cpp

#pragma once

#include "base/memory_operation.h"
#include "sass/cubin.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::sass {

/// State space of a machine instruction. Generic: the address says which.
enum class MachineSpace : uint8_t { Global, Shared, Local, Generic };

struct MachineAccess {
  uint32_t pc = 0;        // offset in the function's code, in bytes
  uint32_t ptx_line = 0;  // that it was made of; 0: not known
  uint16_t opcode = 0;    // bits 0 to 8
  MachineSpace space = MachineSpace::Global;
  MemoryKind kind = MemoryKind::Load;
  uint32_t bytes = 4;           // of a lane
  bool is_matrix = false;       // LDSM, STSM: the lanes supply rows of 16 bytes
  bool is_bulk = false;         // UBLKCP: a copy of the copy engine
  uint8_t base_register = 0;    // number of the register of the address; 255: none
  int32_t offset = 0;           // bytes after it
  bool is_guarded = false;      // by a predicate, which may be false in some lanes
  bool is_of_one_lane = false;  // the predicate is true in one lane of a warp, whose number it compares
  bool operator==(const MachineAccess&) const = default;
};

/// Register of the stack pointer: local arrays and spilled registers are addressed by it.
inline constexpr uint8_t kStackRegister = 1;

/// The access that an instruction makes; no value if it makes none, or never does (its predicate is false).
/// `low` and `high`: its halves.
std::optional<MachineAccess> decode_access(uint64_t low, uint64_t high);

/// The accesses of a function in the order of its code.
std::vector<MachineAccess> accesses_of(const MachineFunction& function);

/// Mnemonic and width, "LDS.128".
std::string name_of(const MachineAccess& access);

/// The registers of its address, "[R4+0x10]", "[0x400]".
std::string address_of(const MachineAccess& access);

}  // namespace lanescope::sass
