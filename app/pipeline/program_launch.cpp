#include "pipeline/program_launch.h"

#include "launch/buffer_spec.h"
#include "pipeline/launch_guess.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

namespace lanescope::pipeline {
namespace {

/// "f32[256x256]" of "in=f32[256x256]:iota"; empty where the argument is no buffer with a count.
std::string_view head_of(std::string_view argument) {
  const size_t end = argument.find("]:");
  const size_t equals = argument.find('=');
  if (end == std::string_view::npos || equals == std::string_view::npos || equals > end) return {};
  return argument.substr(equals + 1, end - equals);
}

/// The program knows how many elements a buffer has, and the text how many rows and columns.
void take_rows_and_columns(std::string& argument, std::string_view guess) {
  const std::string_view own = head_of(argument), guessed = head_of(guess);
  if (own.empty() || guessed.empty()) return;
  const auto flat = launch::parse_buffer_head(own), shaped = launch::parse_buffer_head(guessed);
  const auto elements = [](const launch::Buffer& buffer) {
    return std::accumulate(buffer.shape.begin(), buffer.shape.end(), uint64_t{1}, std::multiplies<>());
  };
  if (!flat || !shaped || flat->type != shaped->type || elements(*flat) != elements(*shaped)) return;
  argument.replace(argument.find(own), own.size(), guessed);
}

}  // namespace

Result<LaunchFile> launches_of_program(const std::filesystem::path& source, const ListedKernel& kernel,
                                       const ProgramLaunch& launch) {
  TRY(LaunchFile kept, read_launch_file(launch.inputs));
  for (LaunchText& one : kept.launches) {
    one.file = source.string();
    one.kernel = kernel.name;
    LaunchText shape;
    shape.file = one.file;
    shape.kernel = one.kernel;
    shape.grid = one.grid;
    shape.block = one.block;
    const auto guess = complete_launch(kernel, shape);
    for (size_t n = 0; guess && n < std::min(one.arguments.size(), guess->arguments.size()); ++n)
      take_rows_and_columns(one.arguments[n], guess->arguments[n]);
  }
  return kept;
}

}  // namespace lanescope::pipeline
