// A launch for a kernel that was given without one, so that a first run needs nothing but the file. Method:
// what the host code's text says counts: grid, block, shared memory, numbers, and how many bytes it
// allocates. Else 4 blocks of 256 threads, or 16 x 16 blocks of 16 x 16 where the kernel uses y, one block
// where it never reads which block it is. A buffer has an element for each thread, an integer is the number
// of threads in x, or in y where its name says rows or height; with several of them it is at most 128.
// What is given stays; a block and all arguments alone mean a grid of 1 block.
// LaunchText::guess says what was guessed, and guessed_run.h makes it harmless. Tests:
// tests/unit/pipeline/launch_guess_test.cpp, tests/cli/{newcomer,guess}_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "pipeline/launch_file.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::pipeline {

/// `given` with what it leaves out: grid and block where they are empty, arguments where there are none.
/// Errors: Usage for a parameter whose type is not known, with how to give it.
Result<LaunchText> complete_launch(const ListedKernel& kernel, const LaunchText& given);

/// A launch as far as it can be guessed.
struct GuessedLaunch {
  const ListedKernel* kernel = nullptr;
  LaunchText text;               // an argument that cannot be guessed is empty
  std::optional<Error> problem;  // why the first of them is
};

/// `given` with what it leaves out, of the kernel that it names. Where it names none: of the only kernel,
/// else of the first in in_order() that takes as many arguments as are given and whose launch can be guessed
/// whole, else of the first that takes as many. None where no kernel is meant.
std::optional<GuessedLaunch> guess_launch(std::span<const ListedKernel> kernels, const LaunchText& given);

/// The launches of the host code, in its order, with the host's names of buffers, so that launches share what
/// the host shares. `kernels` are those of `file`. Errors: those of complete_launch(); Usage where the host
/// code launches none of them.
Result<LaunchFile> guess_launch_file(const std::string& file, const std::vector<ListedKernel>& kernels);

/// The options that mean this launch: "--grid 256 --block 256 --arg x=f32[65536]:iota".
std::string options_text(const LaunchText& launch);

}  // namespace lanescope::pipeline
