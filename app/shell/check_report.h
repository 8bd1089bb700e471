// The checks of a submission as text and as JSON. Tests: tests/cli/check_test.cpp

#pragma once

#include "base/error.h"
#include "pipeline/check.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lanescope::shell {

/// A submission for one exercise.
struct CheckedFile {
  std::string exercise;  // "transpose/tiled"
  std::string file;
  std::vector<pipeline::Check> checks = {};
  std::string problem = {};  // why it could not be checked; empty: it was
  double seconds = 0;

  bool passed() const { return problem.empty() && pipeline::has_passed(checks); }
};

enum class Coloring : uint8_t { Plain, Colored };

/// "ok", "FAIL", "not run", padded to `width`.
std::string mark_of(pipeline::Check::Status status, Coloring coloring, size_t width = 7);
/// One line for each check.
std::string report_text(const CheckedFile& checked, Coloring coloring);

using Json = nlohmann::ordered_json;
Json report_json(const CheckedFile& checked);
/// What report_json() made, as another process printed it. Error (Syntax): it is something else.
Result<std::vector<pipeline::Check>> checks_in(std::string_view json);

}  // namespace lanescope::shell
