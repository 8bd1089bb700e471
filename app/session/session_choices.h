// What is to be shown at once: the choices of a run, the place in it, and those of a run that it is compared
// with. A saved session and an exercise beside its solution are such.

#pragma once

#include "session/command.h"
#include "session/snapshot.h"

#include <memory>
#include <vector>

namespace lanescope::session {

struct SessionChoices {
  std::shared_ptr<const Choices> present;  // not null
  pipeline::SelectionRequest place;
  std::shared_ptr<const Choices> pinned;  // A; null: nothing is compared
};

/// What makes them the present ones.
std::vector<Command> commands_that_restore(const SessionChoices& choices);

}  // namespace lanescope::session
