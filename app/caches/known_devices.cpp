#include "caches/known_devices.h"

#include <fmt/format.h>

namespace lanescope::caches {

Result<void> require_known(const model::Device& device) {
  if (device.caches) return {};
  return fail(ErrorKind::Unsupported,
              fmt::format("the caches of {} are not known: their rules were measured on an H100 and an H200, "
                          "and stand for those since Volta; --device h100 or h200 models them",
                          device.title));
}

bool are_rules_measured(const model::Device& device) {
  constexpr int kMeasured = 90;
  return device.compute_capability == kMeasured;
}

std::string_view origin_of_rules(const model::Device& device) {
  return are_rules_measured(device)
             ? "rules measured on an H100 and an H200"
             : "documented sizes with the rules of an H100, not checked on this device";
}

}  // namespace lanescope::caches
