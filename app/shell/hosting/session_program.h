// The program that a person's source is, for the window: compiled and run by `lanescope run` in a process of
// its own, which ends when the person cancels it or closes the window. Tests:
// tests/unit/shell/session_program_test.cpp

#pragma once

#include "pipeline/options.h"
#include "shell/paths.h"

namespace lanescope::shell {

/// Lets the session run programs that the person allows, and keeps the answers.
void offer_programs(pipeline::Options& options, const Paths& paths);

}  // namespace lanescope::shell
