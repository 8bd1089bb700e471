#include "session/session_choices.h"

namespace lanescope::session {

std::vector<Command> commands_that_restore(const SessionChoices& choices) {
  std::vector<Command> commands;
  if (choices.pinned)
    commands = {Restore{choices.pinned}, Pin{}};
  else
    commands = {Unpin{}};
  commands.push_back(Restore{choices.present, choices.place, Restore::Role::AfterPin});
  return commands;
}

}  // namespace lanescope::session
