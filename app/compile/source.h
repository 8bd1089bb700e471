// Input of a compilation: a CUDA source with its headers, and the compiler's options.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// A text that the source includes by this name.
struct Header {
  std::string name;
  std::string text;
};

struct Source {
  std::string file_name;  // used in messages, .file and source locations: "transpose_tiled.cu"
  std::string text;
  std::vector<Header> headers;
};

struct Options {
  std::string arch = "sm_90";
  std::string standard = "c++17";           // or another that NVRTC knows: c++03, c++11, c++14, c++20
  std::vector<std::string> defines;         // "NAME" or "NAME=VALUE"
  std::vector<std::string> more = {};       // options of NVRTC as its documentation spells them
  std::vector<std::string> instances = {};  // of templates, to be in the PTX: "scale<3>"
  /// Name of the kernel whose instances that host code launches are to be in the PTX, if `instances` is
  /// empty; an empty name: those of all kernels.
  std::optional<std::string> launched_instances_of = {};
  bool with_machine_code = false;  // also what the assembler makes of the PTX, for `arch`
  std::vector<std::filesystem::path> include_directories;
  std::filesystem::path cache_directory;  // empty: no cache
};

}  // namespace lanescope::compile
