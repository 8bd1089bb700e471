#include "session/command_parts.h"

#include "session/kept_state.h"
#include "session/session_choices.h"
#include "session/solution_comparison.h"
#include "session/view_link.h"

namespace lanescope::session {

Result<std::vector<Command>> parts_of(const CompareWithSolution&, const pipeline::Options&,
                                      const Snapshot& now) {
  TRY(const SessionChoices both, solution_and_submission(now));
  return commands_that_restore(both);
}

Result<std::vector<Command>> parts_of(const ContinueKept& command, const pipeline::Options& options,
                                      const Snapshot& now) {
  return commands_that_continue(command.folder, options, now.choices);
}

Result<std::vector<Command>> parts_of(const OpenLink& command, const pipeline::Options& options,
                                      const Snapshot& now) {
  LinkedView view = view_of_link(command.link, options, now.choices);
  if (view.problem) view.commands.emplace_back(ReportError{*std::move(view.problem)});
  return std::move(view.commands);
}

}  // namespace lanescope::session
