// What a session shows before its first command. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/snapshot.h"

#include <string>

namespace lanescope::session {

/// The error says why there is no device: then the window has none until one is chosen.
struct FirstSnapshot {
  Snapshot snapshot;
  std::optional<Error> error;
};
FirstSnapshot first_snapshot(const pipeline::Options& options, bool has_gpu);

/// Adds a device to the choices: a name, or a file of the user's.
void list_device(Snapshot& snapshot, const pipeline::Options& options, const std::string& name);

}  // namespace lanescope::session
