#include "pipeline/machine_code.h"

#include "base/source_name.h"
#include "compile/assemble.h"
#include "sass/cubin.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// Line of the PTX with two memory instructions, which the assembler's table of lines cannot tell apart; 0:
/// there is none.
int crowded_line(const ptx::Program& program) {
  std::map<int, std::string_view> known;
  for (const ptx::MemorySite& site : program.sites)
    if (const auto [at, is_new] = known.emplace(site.ptx_line, site.ptx_text);
        !is_new && at->second != site.ptx_text)
      return site.ptx_line;
  return 0;
}

}  // namespace

Error no_assembler(const std::string& name) {
  return {ErrorKind::File,
          fmt::format("{}: machine code of PTX is made by ptxas, which was not found; install a CUDA "
                      "toolkit, set CUDA_HOME to one, or leave out --level sass",
                      name)};
}

Result<std::string> machine_code_of(const AssembledPtx& ptx, const compile::Toolkit& toolkit,
                                    const std::filesystem::path& cache) {
  if (const int line = crowded_line(ptx.program))
    return fail(
        ErrorKind::Unsupported,
        fmt::format("the line has several memory instructions, which the assembler's table does not tell "
                    "apart; write one a line, or leave out --level sass"),
        Location{ptx.name, line});
  return compile::assemble(toolkit, ptx.text, ptx.name, ptx.arch, cache);
}

Result<std::shared_ptr<sass::MachineLevel>> machine_level_of(std::string_view cubin,
                                                             const ptx::Program& program, std::string arch) {
  TRY(const sass::Cubin read, sass::read_cubin(std::as_bytes(std::span(cubin))));
  const sass::MachineFunction* const function = read.find(program.kernel);
  if (function == nullptr)
    return fail(ErrorKind::Unsupported,
                fmt::format("the machine code has no kernel {}", source_name_of(program.kernel)));
  std::vector<MemoryOperation> operations;
  for (const ptx::MemorySite& site : program.sites) operations.push_back(site.operation);
  sass::Match match = sass::match(program, *function);
  sass::LocalMemory local = sass::local_memory_of(program, match);
  return std::make_shared<sass::MachineLevel>(
      sass::MachineLevel{.arch = std::move(arch),
                         .registers = function->registers,
                         .stack_bytes = function->stack_bytes,
                         .match = std::move(match),
                         .convergence = sass::convergence_of(*function, program),
                         .reconvergence = sass::reconvergence_of(*function, program),
                         .local = std::move(local),
                         .operations = std::move(operations),
                         .merged = {},
                         .ptx_totals = {}});
}

}  // namespace lanescope::pipeline
