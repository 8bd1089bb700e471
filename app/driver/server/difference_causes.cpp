#include "driver/server/difference_causes.h"

#include "ptx/instruction.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::driver {
namespace {

/// The order of float additions changes their rounding; `atom` returns the previous value, whatever the type.
bool depends_on_order(const ptx::Step& step) {
  return step.op == ptx::Op::atom || (step.op == ptx::Op::red && ptx::is_float(step.type));
}

}  // namespace

std::vector<std::string> causes_of_difference(const ptx::Program& program) {
  std::set<std::string> approximations, unordered;
  for (const ptx::Step& step : program.steps) {
    const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
    if (modifiers.approximate || modifiers.full_range)
      approximations.insert(
          fmt::format("{}.{}", ptx::name_of(step.op), modifiers.full_range ? "full" : "approx"));
    if (depends_on_order(step)) unordered.emplace(ptx::name_of(step.op));
  }
  std::vector<std::string> causes;
  if (!approximations.empty())
    causes.push_back(
        fmt::format("the kernel has {}, which a GPU approximates and the emulator computes to full precision",
                    fmt::join(approximations, ", ")));
  if (!unordered.empty())
    causes.push_back(fmt::format("the kernel has {}, whose results may depend on the order of the threads",
                                 fmt::join(unordered, ", ")));
  return causes;
}

}  // namespace lanescope::driver
