#include "sass/machine_access.h"

#include "sass/elected_lane.h"
#include "sass/instruction_bits.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::sass {
namespace {

struct Opcode {
  uint16_t bits = 0;  // 0 to 8
  std::string_view name;
  MachineSpace space = MachineSpace::Global;
  MemoryKind kind = MemoryKind::Load;
};

using enum MemoryKind;
using Space = MachineSpace;

constexpr uint16_t kLdsm = 0x03b;
constexpr uint16_t kStsm = 0x044;
constexpr uint16_t kUblkcp = 0x1ba;
constexpr uint16_t kLdgsts = 0x1ae;

constexpr std::array kOpcodes{
    Opcode{0x181, "LDG", Space::Global, Load},
    Opcode{0x186, "STG", Space::Global, Store},
    Opcode{0x184, "LDS", Space::Shared, Load},
    Opcode{0x188, "STS", Space::Shared, Store},
    Opcode{0x183, "LDL", Space::Local, Load},
    Opcode{0x187, "STL", Space::Local, Store},
    Opcode{0x180, "LD", Space::Generic, Load},
    Opcode{0x185, "ST", Space::Generic, Store},
    Opcode{0x1a8, "ATOMG", Space::Global, Atomic},
    Opcode{0x1a9, "ATOMG", Space::Global, Atomic},
    Opcode{0x1a6, "REDG", Space::Global, Reduction},
    Opcode{0x18e, "REDG", Space::Global, Reduction},
    Opcode{0x18a, "ATOM", Space::Generic, Atomic},
    Opcode{0x1a2, "ATOM", Space::Generic, Atomic},
    Opcode{0x18c, "ATOMS", Space::Shared, Atomic},
    Opcode{0x18d, "ATOMS", Space::Shared, Atomic},
    Opcode{kLdsm, "LDSM", Space::Shared, Load},
    Opcode{kStsm, "STSM", Space::Shared, Store},
    Opcode{kLdgsts, "LDGSTS", Space::Shared, AsyncCopy},
    Opcode{kUblkcp, "UBLKCP", Space::Shared, AsyncCopy},
};

const Opcode* find_opcode(uint16_t bits) {
  for (const Opcode& opcode : kOpcodes)
    if (opcode.bits == bits) return &opcode;
  return nullptr;
}

/// Bytes of a lane by the field of the width.
constexpr uint32_t bytes_of(uint32_t width) {
  constexpr std::array<uint32_t, 8> kBytes{1, 1, 2, 2, 4, 8, 16, 4};
  return kBytes[width];
}

}  // namespace

std::optional<MachineAccess> decode_access(uint64_t low, uint64_t high) {
  constexpr uint32_t kAlways = 7;  // the predicate PT
  constexpr uint32_t kNever = 15;  // !PT
  const InstructionBits bits{low, high};
  const auto code = static_cast<uint16_t>(bits.opcode());
  const Opcode* const opcode = find_opcode(code);
  if (opcode == nullptr || bits.predicate() == kNever) return std::nullopt;
  MachineAccess access{.opcode = code,
                       .space = opcode->space,
                       .kind = opcode->kind,
                       .bytes = bytes_of(bits.at(73, 3)),
                       .is_matrix = code == kLdsm || code == kStsm,
                       .is_bulk = code == kUblkcp,
                       .base_register = static_cast<uint8_t>(bits.at(24, 8)),
                       .offset = static_cast<int32_t>(bits.at(40, 24) << 8) >> 8,
                       .is_guarded = bits.predicate() != kAlways};
  if (access.is_matrix) access.bytes = 16;
  if (code == kLdgsts || access.is_bulk) access.bytes = 0;
  return access;
}

std::vector<MachineAccess> accesses_of(const MachineFunction& function) {
  std::vector<MachineAccess> accesses;
  for (uint32_t pc = 0; pc + kInstructionBytes <= function.code.size(); pc += kInstructionBytes) {
    const InstructionBits bits = bits_at(function, pc);
    auto access = decode_access(bits.low, bits.high);
    if (!access) continue;
    access->pc = pc;
    access->ptx_line = function.line_at(pc);
    access->is_of_one_lane = access->is_guarded && is_of_one_lane(function, pc);
    accesses.push_back(*access);
  }
  return accesses;
}

std::string name_of(const MachineAccess& access) {
  const Opcode* const opcode = find_opcode(access.opcode);
  std::string name(opcode == nullptr ? "?" : opcode->name);
  const bool has_width = access.kind == Load || access.kind == Store;
  if (!has_width || access.is_matrix || access.bytes == 4) return name;
  return name + (access.bytes == 1 ? ".8" : access.bytes == 2 ? ".16" : access.bytes == 8 ? ".64" : ".128");
}

std::string address_of(const MachineAccess& access) {
  constexpr uint8_t kNoRegister = 255;
  const bool is_negative = access.offset < 0;
  const int64_t size = std::abs(int64_t{access.offset});
  if (access.base_register == kNoRegister) return fmt::format("[{}0x{:x}]", is_negative ? "-" : "", size);
  const std::string offset = size == 0 ? "" : fmt::format("{}0x{:x}", is_negative ? '-' : '+', size);
  return fmt::format("[R{}{}]", access.base_register, offset);
}

}  // namespace lanescope::sass
