// Accesses whose data are not moved directly to or from a register: rows of matrices, parts of fragments,
// copies. Method: an Access with a buffer; access.h checks and records as for any access.

#pragma once

#include "emulator/exec/access.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {

constexpr uint32_t kMostPieceBytes = 16;

/// A piece of memory per lane.
struct Pieces {
  alignas(16) std::byte bytes[kLanes][kMostPieceBytes] = {};
};

/// Loads a piece per lane, as an Access (access_handler.h).
struct LoadPieces {
  Pieces& pieces;
  uint32_t size;  // bytes of a piece

  void collect(const Warps&, const Step&, const Addresses& addresses, const Target& target, uint32_t,
               std::byte* values) const {
    for_each_pointer(addresses, target, [&](int, uintptr_t from) {
      std::memcpy(values, reinterpret_cast<const void*>(from), size);
      values += size;
    });
  }
  void move(const Warps&, const Step&, const Addresses& addresses, const Target& target, uint32_t) const {
    for_each_pointer(addresses, target, [&](int lane, uintptr_t from) {
      std::memcpy(pieces.bytes[lane], reinterpret_cast<const void*>(from), size);
    });
  }
};

/// Stores a piece per lane, as an Access.
struct StorePieces {
  const Pieces& pieces;
  uint32_t size;  // bytes of a piece

  void collect(const Warps&, const Step&, const Addresses& addresses, const Target&, uint32_t,
               std::byte* values) const {
    for_each_lane({addresses.mask}, [&](int lane) {
      std::memcpy(values, pieces.bytes[lane], size);
      values += size;
    });
  }
  void move(const Warps&, const Step&, const Addresses& addresses, const Target& target, uint32_t) const {
    for_each_pointer(addresses, target, [&](int lane, uintptr_t to) {
      std::memcpy(reinterpret_cast<void*>(to), pieces.bytes[lane], size);
    });
  }
};

/// Addresses of an operand, whose register may have 32 or 64 bits.
inline void read_operand(const Warps& warps, const Operand& operand, bool is_word, uint32_t n,
                         uint64_t* addresses) {
  for (int lane = 0; lane < kLanes; ++lane)
    addresses[lane] = is_word ? uint64_t{cells<const uint32_t>(warps, operand, n)[lane]}
                              : cells<const uint64_t>(warps, operand, n)[lane];
}

/// The access of the lanes in `mask` at the addresses of the instruction's own operand.
template <class Access>
void access_rows(Warps& warps, const Step& step, const Access& access, uint32_t mask, uint32_t n) {
  access_some_lanes(warps, step, mask, n, data_of(access, access.size));
}

/// The access of the lanes in `mask` at these addresses; nothing if there is none.
inline void access_addresses(Warps& warps, const Step& step, const uint64_t* addresses, uint32_t mask,
                             uint32_t n, const AccessData& data) {
  if (mask == 0 || warps.block.stopped) return;
  Addresses all;
  read_addresses(addresses, 0, mask, all);
  access_at(warps, step, all, n, data);
}

/// The access of the lanes in `mask` to a piece of memory each, at these addresses; nothing if there is none.
template <class Access>
void access_pieces(Warps& warps, const Step& step, const Access& access, const uint64_t* addresses,
                   uint32_t mask, uint32_t n) {
  access_addresses(warps, step, addresses, mask, n, data_of(access, access.size));
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
