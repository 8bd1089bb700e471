#include "session/errors.h"

#include <new>

#include <fmt/format.h>

namespace lanescope::session {

Error error_of(const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr)
    return {ErrorKind::Limit, "there is not enough memory for this; try a smaller matrix"};
  return {ErrorKind::Internal,
          fmt::format("internal error of Lanescope ({}); please report it", exception.what())};
}

Error run_was_stopped() {
  return {.kind = ErrorKind::Cancelled,
          .message =
              "the run was stopped before it ended; an edit, another launch or another setting runs the "
              "kernel again"};
}

}  // namespace lanescope::session
