// A launch for a kernel that was given without one, so that a first run needs nothing but the file. Method:
// what the host code's text says counts: grid, block, shared memory, numbers, and how many bytes it
// allocates. Else 4 blocks of 256 threads, or 16 x 16 blocks of 16 x 16 where the kernel uses y, one block
// where it never reads which block it is. A buffer has an element for each thread, an integer is the number
// of threads in x, or in y where its name says rows or height; with several of them it is at most 128.
// LaunchText::guess says what was guessed, and guessed_run.h makes it harmless. Tests:
// tests/unit/pipeline/launch_guess_test.cpp, tests/cli/{newcomer,guess}_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "pipeline/launch_file.h"

#include <string>

namespace lanescope::pipeline {

/// `given` with what it leaves out: grid and block where they are empty, arguments where there are none.
/// Errors: Usage for a parameter whose type is not known, with how to give it.
Result<LaunchText> complete_launch(const ListedKernel& kernel, const LaunchText& given);

/// The launches of the host code, in its order, with the host's names of buffers, so that launches share what
/// the host shares. `kernels` are those of `file`. Errors: those of complete_launch(); Usage where the host
/// code launches none of them.
Result<LaunchFile> guess_launch_file(const std::string& file, const std::vector<ListedKernel>& kernels);

/// The options that mean this launch: "--grid 256 --block 256 --arg x=f32[65536]:iota".
std::string options_text(const LaunchText& launch);

}  // namespace lanescope::pipeline
