#include "driver/server/loaded_module.h"

#include "base/source_name.h"
#include "compile/harmless_names.h"
#include "driver/server/shared_array_names.h"
#include "ptx/device_runtime.h"
#include "ptx/lower.h"
#include "trace/access.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

bool is_placed(const ptx::Variable& variable) {
  const bool is_in_memory = variable.space == ptx::Space::Global || variable.space == ptx::Space::Constant;
  return is_in_memory && variable.size_bytes > 0 && !variable.is_extern;
}

}  // namespace

Result<std::unique_ptr<LoadedModule>> LoadedModule::load(std::string_view ptx, const std::string& name,
                                                         DeviceMemory& memory) {
  TRY(ptx::Module module, ptx::parse(ptx::with_device_runtime(ptx), name));
  for (ptx::SourceFile& file : module.files) file.path = compile::with_own_names(std::move(file.path));
  std::unique_ptr<LoadedModule> loaded(new LoadedModule(std::move(module)));
  loaded->contents_ = std::hash<std::string_view>()(ptx) | 1;
  if (auto placed = loaded->place_variables(memory); !placed) {
    loaded->unload(memory);
    return std::unexpected(std::move(placed).error());
  }
  loaded->initialize(memory);
  return loaded;
}

Result<void> LoadedModule::place_variables(DeviceMemory& memory) {
  for (const ptx::Variable& variable : module_.globals) {
    if (!is_placed(variable)) continue;
    TRY(const uint32_t number, memory.allocate(variable.size_bytes, Visibility::Variable));
    variables_.push_back({variable.name, number, variable.space == ptx::Space::Constant});
  }
  return {};
}

void LoadedModule::initialize(const DeviceMemory& memory) const {
  for (const ptx::Variable& variable : module_.globals) {
    if (!is_placed(variable)) continue;
    std::byte* bytes = memory.allocation(find_variable(variable.name)->allocation).region.data;
    std::ranges::copy(variable.initial, bytes);
    for (const ptx::AddressInitializer& address : variable.addresses) {
      uint64_t value = ptx::function_address(address.index);
      if (address.kind != ptx::SymbolKind::Function) {
        const ModuleVariable* target = address.kind == ptx::SymbolKind::Global
                                           ? find_variable(module_.globals[address.index].name)
                                           : nullptr;
        if (target == nullptr) continue;
        value = trace::global_address(target->allocation, 0) + static_cast<uint64_t>(address.addend);
      }
      std::memcpy(bytes + address.offset, &value, sizeof value);
    }
  }
}

void LoadedModule::unload(DeviceMemory& memory) const {
  for (const ModuleVariable& variable : variables_)
    (void)memory.free(trace::global_address(variable.allocation, 0));
}

const ModuleVariable* LoadedModule::find_variable(std::string_view name) const {
  const auto found = std::ranges::find_if(variables_, [&](const ModuleVariable& one) {
    return one.name == name || variable_name_of(one.name) == name;
  });
  return found == variables_.end() ? nullptr : &*found;
}

std::vector<std::string> LoadedModule::kernels() const {
  std::vector<std::string> names;
  for (const ptx::Function& function : module_.functions)
    if (function.is_kernel) names.push_back(function.name);
  return names;
}

Result<const ptx::Program*> LoadedModule::program(const std::string& kernel, SourceTexts& sources) {
  std::unique_ptr<const ptx::Program>& known = programs_[kernel];
  if (!known) {
    TRY(ptx::Program lowered, ptx::lower(module_, kernel));
    name_shared_arrays(lowered, sources);
    shape_shared_arrays(lowered, sources);
    known = std::make_unique<const ptx::Program>(std::move(lowered));
  }
  return known.get();
}

}  // namespace lanescope::driver
