// Reads the members of a recording's JSON objects, alike for every kind of recording: each has the type that
// is asked for, or there is an error that names it. Tests: tests/unit/recordings/recording_test.cpp,
// tests/unit/recordings/slice_recording_test.cpp, tests/unit/recordings/peer_recording_test.cpp

#pragma once

#include "base/error.h"
#include "gpu/description.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace lanescope::recordings {

/// `Json`: a type of nlohmann's.
template <class Json>
struct JsonReader {
  const Json& object;
  /// Makes the error: what was expected, and `what` is wrong.
  std::function<std::unexpected<Error>(const std::string& what)> no_recording;

  /// Reads another object of the same file.
  JsonReader of(const Json& inner) const { return {inner, no_recording}; }

  Result<std::string> text(const char* key) const {
    if (!object.contains(key) || !object[key].is_string())
      return no_recording(fmt::format("the text '{}' is missing", key));
    return object[key].template get<std::string>();
  }
  /// A finite number, at least 0.
  Result<double> amount(const char* key) const {
    if (!object.contains(key) || !object[key].is_number() ||
        !std::isfinite(object[key].template get<double>()) || object[key].template get<double>() < 0)
      return no_recording(fmt::format("a number '{}' is missing", key));
    return object[key].template get<double>();
  }
  Result<uint64_t> count(const char* key) const {
    if (!object.contains(key) || !object[key].is_number_unsigned())
      return no_recording(fmt::format("a whole number '{}' is missing", key));
    return object[key].template get<uint64_t>();
  }
  /// A whole number up to `most`.
  Result<uint32_t> count(const char* key, uint32_t most) const {
    if (!object.contains(key) || !object[key].is_number_unsigned() ||
        object[key].template get<uint64_t>() > most)
      return no_recording(fmt::format("a number '{}' from 0 to {} is missing", key, most));
    return object[key].template get<uint32_t>();
  }
  Result<bool> flag(const char* key) const {
    if (!object.contains(key) || !object[key].is_boolean())
      return no_recording(fmt::format("'{}', true or false, is missing", key));
    return object[key].template get<bool>();
  }
  Result<Json> list(const char* key) const {
    const bool fits = object.contains(key) && object[key].is_array() &&
                      std::ranges::all_of(object[key], [](const Json& one) { return one.is_object(); });
    if (!fits) return no_recording(fmt::format("a list of objects '{}' is missing", key));
    return object[key];
  }
  Result<Json> member(const char* key) const {
    if (!object.contains(key) || !object[key].is_object())
      return no_recording(fmt::format("an object '{}' is missing", key));
    return object[key];
  }
  /// The members gpu, compute_capability, driver and cuda.
  Result<gpu::Description> gpu() const {
    gpu::Description gpu;
    TRY(gpu.name, text("gpu"));
    TRY(gpu.compute_capability, text("compute_capability"));
    TRY(gpu.driver, text("driver"));
    TRY(gpu.cuda, text("cuda"));
    return gpu;
  }
};

}  // namespace lanescope::recordings
