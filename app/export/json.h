// Types and functions that the JSON reports share.

#pragma once

#include "base/dim3.h"

#include <nlohmann/json.hpp>

namespace lanescope::exporting {

/// Keys keep the order in which the contract lists them.
using Json = nlohmann::ordered_json;

inline Json extent(Dim3 value) { return {value.x, value.y, value.z}; }

}  // namespace lanescope::exporting
