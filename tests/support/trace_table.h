// Where a GPU's trace of a test kernel may differ, and why: tests/data/h200/trace_differences.csv.
// `order`: the result depends on which thread is first. `untraced`: the recorders cannot report its
// addresses. `requests`: lanes that return from a recursion do not all reconverge. `stack`: a GPU lays out
// the stack of called functions in its own way, so that their local addresses are counted, not compared.

#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace lanescope::tests {

struct TraceDifference {
  std::string kernel, difference, cause;
};

/// Empty if the file cannot be read.
std::vector<TraceDifference> trace_table(const std::filesystem::path& project);
std::set<std::string> kernels_with(const std::filesystem::path& project, const std::string& difference);

}  // namespace lanescope::tests
