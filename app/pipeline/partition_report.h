// The partitions of a run on a device. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "model/device.h"
#include "pipeline/run.h"

namespace lanescope::pipeline {

/// Fills what the run says of the device's partitions, or why it says nothing.
void add_partitions(Run& run, const model::Device& device);

}  // namespace lanescope::pipeline
