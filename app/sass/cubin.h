// A cubin, the machine code that NVIDIA's assembler makes of PTX: an ELF file. Read are the code of each
// function, the table from an instruction to the line of PTX that it was made of, and what the assembler
// says of registers and memory. Nothing of it is executed. Source: System V ABI, "Object Files"; DWARF 2,
// section 6.2, for .nv_debug_line_sass; the names of attributes are those that cuobjdump --dump-elf prints.
// Tests: tests/unit/sass/cubin_test.cpp

#pragma once

#include "base/error.h"
#include "sass/line_program.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::sass {

inline constexpr uint32_t kInstructionBytes = 16;

/// A function of a cubin: a kernel with the functions that it calls, which follow in its code.
struct MachineFunction {
  std::string name;
  uint32_t architecture = 0;     // 90 for sm_90
  std::vector<std::byte> code;   // 16 bytes for each instruction
  std::vector<LineEntry> lines;  // in rising order; empty where the cubin has no table
  uint32_t registers = 0;        // per thread; 0: not said
  uint32_t stack_bytes = 0;      // of local memory per thread
  uint32_t shared_bytes = 0;     // static, of a block, with what the system keeps
  /// Line of PTX that the instruction at `pc` was made of; 0: not known.
  uint32_t line_at(uint32_t pc) const;
};

struct Cubin {
  std::vector<MachineFunction> functions;
  /// Function with this name; null where there is none.
  const MachineFunction* find(std::string_view name) const;
};

/// Reads a cubin of a device with instructions of 128 bits: compute capability 7.0 and later. Errors: Syntax
/// for what is no such file, or is cut.
Result<Cubin> read_cubin(std::span<const std::byte> file);

}  // namespace lanescope::sass
