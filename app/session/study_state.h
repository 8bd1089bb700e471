// A requested study: running, finished, failed or cancelled. Tests: tests/unit/study/study_test.cpp

#pragma once

#include "base/error.h"
#include "plot/figures.h"
#include "study/study_request.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace lanescope::session {

struct StudyState {
  study::StudyRequest request;
  uint64_t version = 0;  // rises with each figure
  size_t runs_done = 0, runs = 0;
  bool cancelled = false;
  std::optional<Error> error = std::nullopt;
  std::function<plot::Figure(const plot::Frame&)> make = nullptr;  // empty until there is something to draw
};

}  // namespace lanescope::session
