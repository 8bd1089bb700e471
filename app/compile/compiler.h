// The CUDA compiler NVRTC, opened at run time, and CUDA's headers. Method: the library is searched in
// LANESCOPE_NVRTC, the project's fetched packages, a CUDA toolkit, and the loader's path; the headers are
// those next to it. Tests: tests/unit/compile/compile_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <memory>
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

}  // namespace lanescope::compile
