// Several launches that work on the same buffers, one after the other, as a TOML file or the command line
// describes them:
//
//     file = "scan.cu"                 # of each launch that names none; relative to this file
//     defines = ["N=1024"]
//     include = ["headers"]            # folders to search for headers; relative to this file
//     [buffers]
//     data = "i32[4096]:random(7)"     # as --arg describes a buffer
//     sums = "i32[4]:zeros"
//     [variables]
//     table = "f32[16]:iota"           # __constant__ and __device__ variables
//     [[launch]]
//     kernel = "scan"
//     grid = 4                         # or [4, 1, 1]
//     block = 256
//     shared = 1024
//     cluster = 2                      # that the launch asks for; without it the kernel's own
//     arguments = ["data", "sums", "n=i32:4096"]
//     times = 1                        # as often as the host's loop launches it
//
// Tests: tests/unit/pipeline/launch_file_test.cpp, tests/cli/launches_test.cpp

#pragma once

#include "pipeline/job.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::pipeline {

/// What of a launch is a guess: no person gave it, and the host code does not say it.
struct Guess {
  struct Buffer {
    std::string name;
    std::string contents;        // "iota", as in --arg
    bool is_of_threads = false;  // it has an element for each thread
    bool operator==(const Buffer&) const = default;
  };
  /// A whole number that is how many threads the launch has in x or y.
  struct Count {
    std::string name;
    size_t argument = 0;
    uint64_t value = 0;
    bool operator==(const Count&) const = default;
  };
  bool grid = false;
  bool block = false;
  bool shared = false;
  bool values = false;          // of an argument that is a number or a struct
  bool contents = false;        // of a buffer, whatever its size is
  std::vector<Buffer> buffers;  // whose size is one
  std::vector<Count> counts;
  bool operator==(const Guess&) const = default;

  /// Whether what a kernel does may be another thing than what it does in the program.
  bool is_of_numbers() const { return grid || block || shared || values; }
  bool is_any() const { return is_of_numbers() || contents || !buffers.empty(); }
};

/// One launch, its parts as --grid, --block, --shared and --arg have them.
struct LaunchText {
  std::string file;  // empty: the same as the launch before
  std::string kernel;
  std::string grid = "1";
  std::string block;
  uint64_t shared_bytes = 0;
  std::string cluster = {};  // empty: the kernel's own
  std::vector<std::string> arguments;
  uint64_t times = 1;
  Guess guess = {};  // of a launch that a person or a file describes: nothing
  bool operator==(const LaunchText&) const = default;
};

struct LaunchFile {
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;
  std::vector<std::string> buffers;                            // "data=i32[4096]:random(7)"
  std::vector<std::pair<std::string, std::string>> variables;  // name, contents
  std::vector<LaunchText> launches;
  bool operator==(const LaunchFile&) const = default;
};

/// Files of launches are relative to the folder of `path`. Errors: File, Syntax with a line.
Result<LaunchFile> read_launch_file(const std::filesystem::path& path);
/// The same of a text; `path` is whose it is. Errors: Syntax with a line.
Result<LaunchFile> parse_launch_file(const std::string& text, const std::filesystem::path& path);
/// The text of such a file.
std::string launch_file_text(const LaunchFile& file);

/// A launch and how often it is made.
struct Step {
  Job job;
  uint64_t times = 1;
  Guess guess = {};
};

/// The jobs of the launches, which share their buffers. `text_job(file, kernel)` makes a job without a
/// launch. Errors: those of it, and Usage or Launch for what a launch has.
using TextJob = std::function<Result<Job>(const std::string& file, const std::string& kernel)>;
Result<std::vector<Step>> steps_of(const LaunchFile& file, const TextJob& text_job);

/// "NAME=SPEC" of --constant, SPEC as in --arg. Errors: Usage.
Result<launch::Variable> parse_variable(std::string_view name, std::string_view spec);

}  // namespace lanescope::pipeline
