#include "compile/assemble.h"

#include "base/file.h"
#include "base/limited_process.h"
#include "base/lines.h"
#include "base/temporary_folder.h"
#include "compile/ptx_cache.h"

#include <charconv>

#include <fmt/format.h>
#include <xxhash.h>

namespace lanescope::compile {
namespace {

constexpr std::string_view kPrefix = "sm_";

/// 90 of "sm_90a"; 0 for another word.
int number_of(std::string_view arch) {
  int number = 0;
  if (arch.starts_with(kPrefix))
    std::from_chars(arch.data() + kPrefix.size(), arch.data() + arch.size(), number);
  return number;
}

/// "sm_90a" of the directive ".target sm_90a, debug"; empty where there is none.
std::string_view target_of(std::string_view ptx) {
  constexpr std::string_view kDirective = ".target";
  for (const std::string_view line : lines_of(ptx)) {
    const std::string_view words = trimmed(line);
    if (!words.starts_with(kDirective)) continue;
    const std::string_view target = trimmed(words.substr(kDirective.size()));
    return target.substr(0, target.find_first_of(", \t/"));
  }
  return {};
}

std::string key_of_assembly(std::string_view ptx, std::string_view arch, const std::string& assembler) {
  const std::string all = fmt::format("{}:{}{}:{}{}", arch.size(), arch, assembler.size(), assembler, ptx);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// First line that ptxas says.
std::string complaint_of(std::string_view error) {
  for (const std::string_view line : lines_of(error))
    if (const std::string_view words = trimmed(line); !words.empty()) return std::string(words);
  return "it gives no reason";
}

}  // namespace

std::string architecture_for(std::string_view ptx, std::string_view arch) {
  const std::string_view target = target_of(ptx);
  const bool is_of_one = target.ends_with('a') || target.ends_with('f');
  return std::string(number_of(target) > number_of(arch) || is_of_one ? target : arch);
}

Result<std::string> assemble(const Toolkit& toolkit, std::string_view ptx, const std::string& name,
                             std::string_view arch, const std::filesystem::path& cache) {
  const std::filesystem::path assembler = toolkit.folder / "bin/ptxas";
  const std::string its_arch = architecture_for(ptx, arch);
  const std::string key = key_of_assembly(ptx, its_arch, identity_of_program(assembler));
  if (!cache.empty())
    if (auto known = read_cached(cache, key, kMachineCodeExtension)) return *std::move(known);
  TRY(const TemporaryFolder folder, TemporaryFolder::make("assemble"));
  const std::filesystem::path text = folder / "kernel.ptx";
  const std::filesystem::path cubin = folder / "kernel.cubin";
  TRY_VOID(write_file(text, ptx));
  TRY(const Ended ended,
      run_limited({assembler.string(), "-arch=" + its_arch, "-lineinfo", "-o", cubin.string(), text.string()},
                  {.seconds = 120, .memory_mib = 0}));
  if (ended.how != Ended::How::Exited || ended.number != 0)
    return fail(ErrorKind::Compile, fmt::format("{}: ptxas makes no machine code for {} of it: {}", name,
                                                its_arch, complaint_of(ended.error + ended.output)));
  TRY(std::string code, read_text(cubin));
  if (!cache.empty()) write_cached(cache, key, kMachineCodeExtension, code);
  return code;
}

}  // namespace lanescope::compile
