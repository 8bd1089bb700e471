// Arguments of a launch, as host code shows them: numbers, and the allocations that pointers lead into.
// Method: an argument is x, (float*)x, x + R, &x[R], raw_pointer_cast(x.data()) or an expression with a
// value. Tests: tests/unit/compile/host_launches_test.cpp, tests/cli/guess_test.cpp

#pragma once

#include "compile/host_buffers.h"
#include "compile/host_launch.h"
#include "compile/host_values.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// Position of a launch in host code.
struct HostPlace {
  size_t file = 0, at = 0;
  size_t function_begin = 0, function_end = 0;  // of the function around it; both `at` where there is none
};

/// Extent that a dim3 or a number gives; none if the value is no possible extent.
std::optional<Dim3> extent_of(const std::optional<HostValue>& value);

class HostArguments {
 public:
  /// `names` must outlive it.
  explicit HostArguments(const HostNames& names) : names_(names) {}

  void add(std::vector<HostBuffer> buffers);
  HostArgument value_of(const std::string& argument, const HostPlace& place,
                        const HostNumbers& numbers) const;

 private:
  std::optional<uint64_t> size_of(const std::string& expression, size_t file, size_t at,
                                  const HostNumbers& numbers) const;
  std::optional<uint64_t> bytes_of_buffer(std::string_view name, const HostPlace& place) const;
  std::vector<double> numbers_in_list(std::string_view name, const HostPlace& place) const;

  const HostNames& names_;
  std::vector<HostBuffer> buffers_;
};

}  // namespace lanescope::compile
