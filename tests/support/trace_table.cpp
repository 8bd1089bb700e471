#include "support/trace_table.h"

#include "support/h200_run.h"

namespace lanescope::tests {

std::vector<TraceDifference> trace_table(const std::filesystem::path& project) {
  std::vector<TraceDifference> all;
  const auto rows = read_table(project / "tests/data/h200/trace_differences.csv");
  if (!rows) return all;
  for (const auto& row : *rows) all.push_back({row.at("kernel"), row.at("difference"), row.at("cause")});
  return all;
}

std::set<std::string> kernels_with(const std::filesystem::path& project, const std::string& difference) {
  std::set<std::string> kernels;
  for (const TraceDifference& row : trace_table(project))
    if (row.difference == difference) kernels.insert(row.kernel);
  return kernels;
}

}  // namespace lanescope::tests
