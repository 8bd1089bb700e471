// A module that a program loaded: parsed PTX, its variables as allocations that live as long as the module,
// and its kernels as programs of the emulator, lowered when they are first asked for. Tests:
// tests/unit/driver/driver_process_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/device_memory.h"
#include "driver/server/source_texts.h"
#include "ptx/module.h"
#include "ptx/program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// A variable of a module in device memory. The emulator has a separate space for constants: a launch copies
/// their bytes there from this allocation.
struct ModuleVariable {
  std::string name;         // in the PTX
  uint32_t allocation = 0;  // number
  bool is_constant = false;
};

class LoadedModule {
 public:
  /// Parses a module and allocates its variables in `memory`. `name`: for messages. Errors: those of
  /// ptx::parse(); Limit if there is no room for the variables.
  static Result<std::unique_ptr<LoadedModule>> load(std::string_view ptx, const std::string& name,
                                                    DeviceMemory& memory);
  /// Frees its variables.
  void unload(DeviceMemory& memory) const;

  const ptx::Module& ptx() const { return module_; }
  /// Number of the PTX text: equal texts have equal numbers, never 0.
  uint64_t contents() const { return contents_; }
  const std::vector<ModuleVariable>& variables() const { return variables_; }
  /// Variable of this name in the PTX or in the source; null if there is none.
  const ModuleVariable* find_variable(std::string_view name) const;
  std::vector<std::string> kernels() const;
  /// Lowered program of a kernel, with names and shapes of its shared arrays from the sources. Errors: Usage
  /// if there is no such kernel; those of ptx::lower().
  Result<const ptx::Program*> program(const std::string& kernel, SourceTexts& sources);

 private:
  explicit LoadedModule(ptx::Module module) : module_(std::move(module)) {}
  Result<void> place_variables(DeviceMemory& memory);
  void initialize(const DeviceMemory& memory) const;

  ptx::Module module_;
  uint64_t contents_ = 0;
  std::vector<ModuleVariable> variables_;
  std::map<std::string, std::unique_ptr<const ptx::Program>> programs_;  // [kernel]
};

}  // namespace lanescope::driver
