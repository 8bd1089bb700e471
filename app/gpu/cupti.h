// NVIDIA's profiling library CUPTI, opened at run time. It reads the hardware counters.
// Method: libcupti.so is looked for in the folders given, in a toolkit's and in the loader's path; its types
// come from cupti*.h, which only this folder includes, through cupti_functions.h. Without those
// headers at build time no_cupti.cpp replaces it. Source: CUPTI documentation, Range Profiling API,
// SASS Metrics API. Tests: tests/unit/gpu/counters_test.cpp

#pragma once

#include "base/error.h"
#include "gpu/driver.h"

#include <filesystem>
#include <memory>
#include <span>

namespace lanescope::gpu {

struct CuptiFunctions;

/// libcupti, opened; it stays so until the program ends. Copies share it.
class Cupti {
 public:
  /// Looks in `folders` first. Error (Unsupported): not found, or a library too old; says what to do.
  static Result<Cupti> open(std::span<const std::filesystem::path> folders);

  const std::filesystem::path& library() const { return library_; }
  const std::shared_ptr<const CuptiFunctions>& functions() const { return functions_; }

 private:
  Cupti(std::shared_ptr<const CuptiFunctions> functions, std::filesystem::path library);
  std::shared_ptr<const CuptiFunctions> functions_;
  std::filesystem::path library_;
};

}  // namespace lanescope::gpu
