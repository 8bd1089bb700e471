// The CUDA compiler NVRTC, opened at run time, and CUDA's headers. Method: the library is searched in
// LANESCOPE_NVRTC, the packages beside a wheel, those that were fetched, a CUDA toolkit, and the loader's
// path; the headers are those next to it. Tests: tests/unit/compile/compile_test.cpp, toolkit_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// Files and identity of a compiler: enough to find PTX that it compiled before.
struct CompilerFiles {
  std::filesystem::path library;
  std::vector<std::filesystem::path> include_directories;
  std::string identity;
};

/// An NVRTC library that was found and loaded. Copies share it. Thread-safe.
class Compiler {
 public:
  const std::filesystem::path& library() const;
  int major() const;
  int minor() const;
  /// The folders of cuda_fp16.h and related headers; empty if none were found.
  const std::vector<std::filesystem::path>& include_directories() const;

  CompilerFiles files() const;

  struct Library;
  explicit Compiler(std::shared_ptr<const Library> loaded);
  const Library& loaded() const { return *library_; }

 private:
  std::shared_ptr<const Library> library_;
};

/// The first NVRTC found. `fetched` is the folder into which third_party/fetch.py unpacks packages of PyPI,
/// `installed` the folder into which pip installed them with a wheel; each may be empty. The error (File)
/// lists the searched folders and what to install.
Result<Compiler> find_compiler(const std::filesystem::path& fetched,
                               const std::filesystem::path& installed = {});

/// The files of the compiler that find_compiler() tries first, without the hundredth of a second that loading
/// it takes. Empty where there is none, or where only the loader knows its place.
std::optional<CompilerFiles> find_compiler_files(const std::filesystem::path& fetched,
                                                 const std::filesystem::path& installed = {});

}  // namespace lanescope::compile
