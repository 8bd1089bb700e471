// What the command line of a sweep means: the options with several values are its axes, and each combination
// has the arguments of one run. Tests: tests/cli/sweep_test.cpp

#pragma once

#include "base/error.h"
#include "shell/run_arguments.h"
#include "sweep/definition.h"

#include <cstdint>

namespace lanescope::shell {

/// The sweep that the arguments describe, its sources read; `shard` as in "2/4", empty: all. Errors: Usage
/// for what is no sweep or no toggle; File for sources that cannot be read.
Result<sweep::Definition> sweep_of(const RunArguments& arguments, const std::string& shard,
                                   const Paths& paths);

/// The arguments of one combination. In --arg, --constant, --then, --grid, --block and a
/// program's own arguments {NAME} is the value of -D NAME.
RunArguments arguments_of(const RunArguments& arguments, const sweep::Definition& definition,
                          uint64_t number);

}  // namespace lanescope::shell
