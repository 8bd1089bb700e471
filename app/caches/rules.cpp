#include "caches/rules.h"

#include <string>

#include <fmt/format.h>

namespace lanescope::caches {

Result<void> leave_out(Rules& rules, std::string_view name) {
  std::string names;
  for (const RuleName& each : kRuleNames) {
    if (each.name == name) {
      rules.*each.rule = false;
      return {};
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  }
  return fail(ErrorKind::Usage,
              fmt::format("no rule of the caches is named '{}'; there are {}", name, names));
}

}  // namespace lanescope::caches
