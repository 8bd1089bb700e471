// Reads of textures; reads of surfaces and writes to them. Method: each lane has its own handle and
// coordinates, so lanes are executed one by one. A request is recorded without addresses, before its results
// are written. Source: PTX ISA, "Texture Instructions: tex, tld4", "Surface Instructions: suld, sust".
// Tests: tests/unit/emulator/{texture,surface}_test.cpp

#include "emulator/memory/image.h"

#include "emulator/block/image_fault.h"
#include "emulator/exec/executor.h"

#include <bit>
#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

void record(Warps& warps, const Step& step, uint32_t mask, uint32_t n) {
  BlockState& block = warps.block;
  block.sink->on_access({.site = {step.site},
                         .cta = block.cta,
                         .warp = {warps.first + n},
                         .step = block.next_access[warps.first + n],
                         .active = {mask},
                         .operation = block.code.program->sites[step.site].operation,
                         .addresses = {}});
}

/// The coordinates of one lane as they are in registers, the layer apart.
struct Coordinates {
  uint32_t layer = 0;
  std::array<uint32_t, 3> at{};
};

Coordinates coordinates_of(const Warps& warps, const Step& step, ptx::Geometry geometry, uint32_t first,
                           uint32_t n, int lane) {
  Coordinates all;
  if (ptx::has_layers(geometry)) all.layer = cells<uint32_t>(warps, step.list[first++], n)[lane];
  for (uint32_t i = 0; i < static_cast<uint32_t>(ptx::dimensions(geometry)); ++i)
    all.at[i] = cells<uint32_t>(warps, step.list[first + i], n)[lane];
  return all;
}

Texel texel_of(const Image& image, const Step& step, const ptx::Modifiers& modifiers,
               const Coordinates& coordinates) {
  if (step.second_type == ptx::Type::s32)
    return fetch_texel(image, std::bit_cast<std::array<int32_t, 3>>(coordinates.at), coordinates.layer);
  const TextureCoordinates where{std::bit_cast<std::array<float, 3>>(coordinates.at), coordinates.layer};
  if (modifiers.channel != ptx::Channel::None)
    return gather_texels(image, where,
                         static_cast<uint32_t>(modifiers.channel) - static_cast<uint32_t>(ptx::Channel::Red));
  return read_texture(image, where);
}

void read_textures(Warps& warps, const Step& step) {
  BlockState& block = warps.block;
  const ptx::Modifiers& modifiers = modifiers_of(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    if (mask == 0 || block.stopped) return;
    record(warps, step, mask, n);
    const auto* handles = cells<const uint64_t>(warps, step.source[0], n);
    std::array<Texel, kLanes> texels;
    for_each_lane({mask}, [&](int lane) {
      const Image* const image = find_texture(block, step, modifiers.geometry, handles[lane],
                                              (warps.first + n) * kLanes + static_cast<uint32_t>(lane));
      if (image == nullptr) return;
      texels[static_cast<size_t>(lane)] =
          texel_of(*image, step, modifiers,
                   coordinates_of(warps, step, modifiers.geometry, step.list_written, n, lane));
    });
    if (block.stopped) return;
    for (uint32_t element = 0; element < step.list_written; ++element) {
      auto* to = cells<uint32_t>(warps, step.list[element], n);
      for_each_lane({mask}, [&](int lane) { to[lane] = texels[static_cast<size_t>(lane)][element]; });
    }
  });
}

/// The texel that a lane accesses: null where there is none and nothing is to be accessed.
std::byte* surface_texel(Warps& warps, const Step& step, const ptx::Modifiers& modifiers, uint32_t first,
                         uint32_t bytes, uint32_t n, int lane) {
  const uint64_t handle = cells<const uint64_t>(warps, step.source[0], n)[lane];
  const Coordinates coordinates = coordinates_of(warps, step, modifiers.geometry, first, n, lane);
  return find_surface_bytes(warps.block, step, modifiers,
                            {.handle = handle,
                             .thread = (warps.first + n) * kLanes + static_cast<uint32_t>(lane),
                             .bytes = bytes,
                             .at = std::bit_cast<std::array<int32_t, 3>>(coordinates.at),
                             .layer = coordinates.layer});
}

/// True if the register that holds an element has 64 bits.
bool is_double(const ptx::Program& program, const Step& step, uint32_t element) {
  const auto slot = static_cast<ptx::Slot>(program.lists[program.steps[step.index].list + element]);
  return slot != ptx::kNoSlot && program.slots[slot].width == ptx::SlotWidth::Double;
}

/// Moves `bytes` between the low bytes of a cell and memory; where `memory` is null, a read gives zero and a
/// write is dropped.
template <class C>
void move_element(trace::Kind kind, C& cell, std::byte* memory, uint32_t bytes) {
  if (kind == trace::Kind::Load) {
    cell = 0;
    if (memory != nullptr) std::memcpy(&cell, memory, bytes);
  } else if (memory != nullptr) {
    std::memcpy(memory, &cell, bytes);
  }
}

void access_surfaces(Warps& warps, const Step& step) {
  BlockState& block = warps.block;
  const ptx::Modifiers& modifiers = modifiers_of(warps, step);
  const bool loads = step.kind == trace::Kind::Load;
  const uint32_t elements = modifiers.vector_width;
  const uint32_t first_element = loads ? 0 : step.list_size - elements;
  const uint32_t first_coordinate = loads ? elements : 0;
  const auto bytes = static_cast<uint32_t>(ptx::size_bytes(step.type));
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    if (mask == 0 || block.stopped) return;
    record(warps, step, mask, n);
    std::array<std::byte*, kLanes> texels{};
    for_each_lane({mask}, [&](int lane) {
      texels[static_cast<size_t>(lane)] =
          surface_texel(warps, step, modifiers, first_coordinate, elements * bytes, n, lane);
    });
    if (block.stopped) return;
    for (uint32_t element = 0; element < elements; ++element) {
      const Operand& operand = step.list[first_element + element];
      const bool wide = is_double(*block.code.program, step, first_element + element);
      for_each_lane({mask}, [&](int lane) {
        std::byte* const texel = texels[static_cast<size_t>(lane)];
        std::byte* const memory = texel == nullptr ? nullptr : texel + size_t{element} * bytes;
        if (wide) {
          move_element(step.kind, cells<uint64_t>(warps, operand, n)[lane], memory, bytes);
        } else {
          move_element(step.kind, cells<uint32_t>(warps, operand, n)[lane], memory, bytes);
        }
      });
    }
  });
}

}  // namespace

Handler image_handler(const ptx::Program&, const ptx::Step& step) {
  switch (step.op) {
    case ptx::Op::tex:
    case ptx::Op::tex_level:
    case ptx::Op::tld4:
      return read_textures;
    case ptx::Op::suld_b:
    case ptx::Op::sust_b:
      return access_surfaces;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
