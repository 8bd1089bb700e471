#include "support/test_kernel.h"

#include "launch/argument_spec.h"
#include "support/project.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#define XXH_INLINE_ALL  // no library to carry to a machine with a GPU
#include <xxhash.h>

namespace lanescope::tests {
namespace {

Result<std::string> text_of(const toml::table& table, const char* key, const std::string& file) {
  if (const auto value = table[key].value<std::string>()) return *value;
  return fail(ErrorKind::Syntax, fmt::format("a kernel needs {} = \"...\"", key),
              Location{file, static_cast<int>(table.source().begin.line)});
}

std::optional<Tolerance> tolerance_of(const toml::table& table) {
  Tolerance tolerance;
  if (const auto ulp = table["largest_ulp"].value<double>()) {
    tolerance.bound = *ulp;
  } else if (const auto absolute = table["largest_absolute"].value<double>()) {
    tolerance.unit = Tolerance::Unit::Absolute;
    tolerance.bound = *absolute;
  } else {
    return {};
  }
  tolerance.seen = table["seen"].value_or(0.0);
  return tolerance;
}

Result<TestKernel> kernel_of(const toml::table& table, const std::string& file) {
  TestKernel kernel;
  TRY(kernel.name, text_of(table, "name", file));
  TRY(kernel.grid, text_of(table, "grid", file));
  TRY(kernel.block, text_of(table, "block", file));
  kernel.run = table["run"].value_or(std::string());
  kernel.covers = table["covers"].value_or(std::string());
  kernel.shared_bytes = table["shared"].value_or(0u);
  kernel.tolerance = tolerance_of(table);
  if (const toml::array* arguments = table["arguments"].as_array())
    for (const toml::node& argument : *arguments)
      kernel.arguments.push_back(argument.value_or(std::string()));
  return kernel;
}

}  // namespace

Result<std::vector<TestKernel>> test_kernels(const std::filesystem::path& folder) {
  const std::string file = (folder / "kernels.toml").string();
  try {
    const toml::table table = toml::parse_file(file);
    std::vector<TestKernel> kernels;
    if (const toml::array* listed = table["kernel"].as_array())
      for (const toml::node& node : *listed) {
        TRY(TestKernel kernel, kernel_of(*node.as_table(), file));
        kernels.push_back(std::move(kernel));
      }
    return kernels;
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::Syntax, std::string(error.description()),
                Location{file, static_cast<int>(error.source().begin.line)});
  }
}

std::vector<TestKernel> kernels_of(Tier tier) {
  auto kernels = test_kernels(source_dir() / "tests/kernels");
  if (!kernels) return {};
  std::erase_if(*kernels,
                [tier](const TestKernel& kernel) { return kernel.covers.empty() != (tier == Tier::Slow); });
  return *std::move(kernels);
}

Result<launch::Launch> launch_of(const TestKernel& kernel) {
  launch::Launch launch;
  TRY(launch.grid, launch::parse_dim3(kernel.grid));
  TRY(launch.block, launch::parse_dim3(kernel.block));
  launch.dynamic_shared_bytes = kernel.shared_bytes;
  for (const std::string& argument : kernel.arguments) TRY_VOID(launch::add_argument(launch, argument));
  TRY_VOID(launch::check(launch));
  return launch;
}

std::string hash_of(const launch::Contents& contents) {
  const XXH128_hash_t hash = XXH3_128bits(contents->data(), contents->size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace lanescope::tests
