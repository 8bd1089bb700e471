#include "driver/server/machine_codes.h"

#include "base/source_name.h"
#include "compile/assemble.h"
#include "pipeline/machine_code.h"

namespace lanescope::driver {

void MachineCodes::add(uint64_t module, std::string ptx) {
  const std::lock_guard lock(mutex_);
  ptx_.emplace(module, std::move(ptx));
}

MachineCodes::Level MachineCodes::make(uint64_t module, const ptx::Program& program) const {
  const std::string name = source_name_of(program.kernel);
  const auto text = ptx_.find(module);
  if (text == ptx_.end()) return fail(ErrorKind::Unsupported, name + ": the PTX of its module was not kept");
  TRY(const std::string cubin,
      pipeline::machine_code_of({.program = program, .text = text->second, .name = name, .arch = arch_},
                                toolkit_, cache_));
  return pipeline::machine_level_of(cubin, program, compile::architecture_for(text->second, arch_));
}

MachineCodes::Level MachineCodes::of(uint64_t module, const ptx::Program& program) {
  const std::lock_guard lock(mutex_);
  const std::pair key{module, program.kernel};
  if (const auto known = levels_.find(key); known != levels_.end()) return known->second;
  return levels_.emplace(key, make(module, program)).first->second;
}

}  // namespace lanescope::driver
