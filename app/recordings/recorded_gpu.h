// The part of a recording's file that says which GPU it is of, read alike for every kind of recording.
// Tests: tests/unit/recordings/recording_test.cpp, tests/unit/recordings/slice_recording_test.cpp

#pragma once

#include "base/error.h"
#include "gpu/description.h"

#include <string>

#include <fmt/format.h>

namespace lanescope::recordings {

/// The text at `key` of a JSON object. `no_recording(what)` makes the error.
template <class Json, class MakeError>
Result<std::string> read_text_at(const Json& object, const char* key, const MakeError& no_recording) {
  if (!object.contains(key) || !object[key].is_string())
    return no_recording(fmt::format("the text '{}' is missing", key));
  return object[key].template get<std::string>();
}

/// The members gpu, compute_capability, driver and cuda of a JSON object.
template <class Json, class MakeError>
Result<gpu::Description> read_gpu(const Json& object, const MakeError& no_recording) {
  gpu::Description gpu;
  TRY(gpu.name, read_text_at(object, "gpu", no_recording));
  TRY(gpu.compute_capability, read_text_at(object, "compute_capability", no_recording));
  TRY(gpu.driver, read_text_at(object, "driver", no_recording));
  TRY(gpu.cuda, read_text_at(object, "cuda", no_recording));
  return gpu;
}

}  // namespace lanescope::recordings
