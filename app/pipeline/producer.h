// What executes a kernel and produces its trace. Tests: tests/unit/session/producer_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::pipeline {

enum class Producer : uint8_t { Emulator, Gpu };

}  // namespace lanescope::pipeline
