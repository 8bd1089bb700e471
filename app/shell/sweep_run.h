// Runs one combination of a sweep after the other, as a worker of it does. Tests: tests/cli/sweep_test.cpp

#pragma once

#include "shell/run_arguments.h"
#include "sweep/definition.h"
#include "sweep/workers.h"

namespace lanescope::shell {

/// What a worker does with the number of a combination: the row as a line. What goes wrong is in the row.
/// `arguments` and `definition` must outlive it.
sweep::Work combination_work(const RunArguments& arguments, const sweep::Definition& definition,
                             const Paths& paths);

/// Number of cores that this process may use.
unsigned usable_cores();

}  // namespace lanescope::shell
