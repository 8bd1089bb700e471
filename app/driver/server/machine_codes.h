// The machine code of a program's kernels, for runs that count it: made by ptxas of the PTX of their module
// when a kernel is first launched, and matched with it. Tests: tests/cli/run_level_test.cpp

#pragma once

#include "base/error.h"
#include "compile/toolkit.h"
#include "ptx/program.h"
#include "sass/machine_level.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace lanescope::driver {

/// Used by the threads of all processes of a run.
class MachineCodes {
 public:
  using Level = Result<std::shared_ptr<const sass::MachineLevel>>;

  /// `arch`: of the device, "sm_80". `cache`: a folder; empty: none.
  MachineCodes(compile::Toolkit toolkit, std::string arch, std::filesystem::path cache)
      : toolkit_(std::move(toolkit)), arch_(std::move(arch)), cache_(std::move(cache)) {}

  /// Keeps the PTX of a module, by LoadedModule::contents(). `ptx`: as it was parsed.
  void add(uint64_t module, std::string ptx);
  /// The machine code of one of the module's kernels, without totals. Errors: those of machine_code_of() and
  /// machine_level_of().
  Level of(uint64_t module, const ptx::Program& program);

 private:
  Level make(uint64_t module, const ptx::Program& program) const;

  const compile::Toolkit toolkit_;
  const std::string arch_;
  const std::filesystem::path cache_;
  std::mutex mutex_;
  std::map<uint64_t, std::string> ptx_;                       // [module]
  std::map<std::pair<uint64_t, std::string>, Level> levels_;  // [module, kernel]
};

}  // namespace lanescope::driver
