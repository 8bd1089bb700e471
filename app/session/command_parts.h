// Commands that consist of others: what they are carried out as. Tests:
// tests/unit/session/view_link_test.cpp, tests/unit/session/kept_state_test.cpp,
// tests/unit/session/solution_comparison_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/command.h"
#include "session/snapshot.h"

#include <concepts>
#include <vector>

namespace lanescope::session {

template <class Type>
concept OfParts = std::same_as<Type, CompareWithSolution> || std::same_as<Type, ContinueKept> ||
                  std::same_as<Type, OpenLink>;

/// The commands in their order. Errors: those of what is read.
Result<std::vector<Command>> parts_of(const CompareWithSolution& command, const pipeline::Options& options,
                                      const Snapshot& now);
Result<std::vector<Command>> parts_of(const ContinueKept& command, const pipeline::Options& options,
                                      const Snapshot& now);
Result<std::vector<Command>> parts_of(const OpenLink& command, const pipeline::Options& options,
                                      const Snapshot& now);

}  // namespace lanescope::session
