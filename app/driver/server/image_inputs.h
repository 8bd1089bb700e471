// Textures and surfaces that a launch was given, in the form of --arg
// and in files: a part of launch_inputs.h. Tests:
// tests/cli/texture_program_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/device_memory.h"
#include "ptx/program.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace lanescope::driver {

/// True if the kernel accesses textures or surfaces.
bool accesses_images(const ptx::Program& program);

/// The live object that these 8 bytes of a parameter are the handle of; none if
/// they are no such handle.
std::optional<emulator::Image> image_of(std::span<const std::byte> parameter, const DeviceMemory& memory);

/// Bytes of the object's texels without the gaps between rows.
uint64_t texel_bytes(const emulator::Image& image);
/// Writes the texels to a file, without the gaps between rows. Errors: File.
Result<void> write_texels(const emulator::Image& image, const std::filesystem::path& place);

/// "texture(u8x4[4x8]:file(PATH), linear, wrap, wrap, clamp, normalized)": an
/// object with texels of its own.
std::string image_text(const emulator::Image& image, const std::filesystem::path& place);
/// "texture(NAME, ...)": over the texels of an earlier object, or over a
/// buffer.
std::string image_over(const emulator::Image& image, const std::string& name);

}  // namespace lanescope::driver
