// Names, types and shapes of the buffers that a launch's parameters lead to, as far as the kernel's name and
// source tell them. Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "driver/server/source_texts.h"
#include "launch/launch.h"
#include "ptx/program.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lanescope::driver {

/// Fills in names, types and shapes. `buffers`: [buffer] bytes of one dimension, at the emulator's address of
/// the buffer's number.
void describe_buffers(const ptx::Program& program, std::span<const std::byte> parameters,
                      SourceTexts& sources, std::vector<launch::Buffer>& buffers);

}  // namespace lanescope::driver
