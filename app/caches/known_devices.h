// Devices whose caches can be modelled, and where their rules come from.

#pragma once

#include "base/error.h"
#include "model/device.h"

#include <string_view>

namespace lanescope::caches {

/// Errors: Unsupported if the sizes of the device's caches are not in its file.
Result<void> require_known(const model::Device& device);
/// Whether the rules were checked on such a device: of compute capability 9.0. Those of others stand on the
/// documented sizes and the rules of an H100.
bool are_rules_measured(const model::Device& device);
/// Where the rules of the device's caches come from, in English: "rules measured on an H100 and an H200".
std::string_view origin_of_rules(const model::Device& device);

}  // namespace lanescope::caches
