// CUDA C++ -> PTX with NVRTC, opened at run time: this program builds and starts without it. Method: the
// library is searched in LANESCOPE_NVRTC, the project's fetched packages, a CUDA toolkit, and the loader's
// path; the headers are those next to it. Results are cached on disk by content: source, headers, options and
// the compiler's version. Source: NVRTC documentation, "Basic Usage". Tests: tests/unit/compile/*

#pragma once

#include "base/error.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// An NVRTC library that was found and loaded. Copies share it. Thread-safe.
class Compiler {
 public:
  const std::filesystem::path& library() const;
  int major() const;
  int minor() const;
  /// The folders of cuda_fp16.h and related headers; empty if none were found.
  const std::vector<std::filesystem::path>& include_directories() const;

  struct Library;
  explicit Compiler(std::shared_ptr<const Library> loaded);
  const Library& loaded() const { return *library_; }

 private:
  std::shared_ptr<const Library> library_;
};

/// The first NVRTC found. `fetched` is the folder into which the set-up unpacks the PyPI packages. The error
/// (File) lists the searched folders and what to install.
Result<Compiler> find_compiler(const std::filesystem::path& fetched);

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
  std::vector<std::filesystem::path> include_directories;
  std::filesystem::path cache_directory;  // empty: no cache
};

struct Compilation {
  std::optional<std::string> ptx;  // empty: the source does not compile, see log
  std::string log;                 // NVRTC's, with its lines; warnings too
  bool from_cache = false;
};

/// Errors: Usage for options that NVRTC refuses (an unknown arch), Internal for its own failures. A source
/// that does not compile is no Error but a Compilation without PTX.
Result<Compilation> compile(const Compiler& compiler, const Source& source, const Options& options);

/// A `__global__` function as the source declares it.
struct KernelDeclaration {
  struct Parameter {
    std::string type;
    std::string name;
  };
  std::string name;
  bool is_template = false;
  std::vector<Parameter> template_parameters;
  std::vector<Parameter> parameters;
  int line = 0;
};

/// The kernels of a CUDA source, found by a modest scan: only for messages and for the choice of a kernel.
std::vector<KernelDeclaration> find_kernels(std::string_view source);

/// `text` with the names of the source in place of those that the compiler made of them.
std::string with_source_names(std::string_view text);

}  // namespace lanescope::compile
