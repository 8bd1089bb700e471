// Toggles: which values they have, how one flips, what the compiler is told.

#include "lesson/lesson.h"
#include "lesson/matrix_launch.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lesson {
namespace {

std::vector<std::string> names_of(const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) names.push_back(kernel.name);
  return names;
}

std::vector<std::string> values_of(const Toggle& toggle) {
  std::vector<std::string> values;
  for (const Choice& choice : toggle.choices) values.push_back(choice.value);
  return values;
}

const Choice* find_choice(const Toggle& toggle, std::string_view value) {
  const auto found = std::ranges::find(toggle.choices, value, &Choice::value);
  return found == toggle.choices.end() ? nullptr : &*found;
}

void choose_kernel(Settings& settings, const Kernel& kernel) {
  settings.kernel = kernel.name;
  for (const auto& [name, value] : kernel.presets) settings.values[name] = value;
}

}  // namespace

const Toggle* find_toggle(const Lesson& lesson, std::string_view name) {
  const auto found = std::ranges::find(lesson.toggles, name, &Toggle::name);
  return found == lesson.toggles.end() ? nullptr : &*found;
}

const Kernel& kernel_of(const Lesson& lesson, const Settings& settings) {
  const auto found = std::ranges::find(lesson.kernels, settings.kernel, &Kernel::name);
  return found == lesson.kernels.end() ? lesson.kernels.front() : *found;
}

bool applies(const Lesson& lesson, const Settings& settings, const Toggle& toggle) {
  return std::ranges::count(kernel_of(lesson, settings).toggles, toggle.name) != 0;
}

Settings initial_settings(const Lesson& lesson) {
  Settings settings;
  for (const Toggle& toggle : lesson.toggles) settings.values[toggle.name] = toggle.initial;
  settings.kernel = lesson.initial_kernel;
  choose_kernel(settings, kernel_of(lesson, settings));
  return settings;
}

Result<Settings> with_toggle(const Lesson& lesson, const Settings& settings, std::string_view name,
                             std::string_view value) {
  Settings changed = settings;
  if (name == "kernel") {
    const auto found = std::ranges::find(lesson.kernels, value, &Kernel::name);
    if (found == lesson.kernels.end())
      return fail(ErrorKind::Usage,
                  fmt::format("the lesson '{}' has no kernel '{}'; choose one of: {}", lesson.name, value,
                              fmt::join(names_of(lesson.kernels), ", ")));
    choose_kernel(changed, *found);
    return changed;
  }
  const Toggle* toggle = find_toggle(lesson, name);
  if (toggle == nullptr) {
    std::vector<std::string> names{"kernel"};
    for (const Toggle& known : lesson.toggles) names.push_back(known.name);
    return fail(ErrorKind::Usage, fmt::format("the lesson '{}' has no toggle '{}'; choose one of: {}",
                                              lesson.name, name, fmt::join(names, ", ")));
  }
  if (find_choice(*toggle, value) == nullptr) {
    if (!toggle->free)
      return fail(ErrorKind::Usage, fmt::format("toggle '{}' has no value '{}'; choose one of: {}", name,
                                                value, fmt::join(values_of(*toggle), ", ")));
    if (auto size = parse_matrix_size(value); !size) return std::unexpected(size.error());
  }
  changed.values[std::string(name)] = value;
  return changed;
}

std::vector<std::string> defines(const Lesson& lesson, const Settings& settings) {
  std::vector<std::string> out;
  for (const Toggle& toggle : lesson.toggles) {
    if (toggle.define.empty() || !applies(lesson, settings, toggle)) continue;
    const std::string& value = settings.values.at(toggle.name);
    const Choice* choice = find_choice(toggle, value);
    out.push_back(fmt::format("{}={}", toggle.define, choice ? choice->define : value));
  }
  std::ranges::sort(out);
  return out;
}

std::vector<Settings> single_flips(const Lesson& lesson, const Settings& settings) {
  std::vector<Settings> flips;
  const auto add = [&](std::string_view name, std::string_view value) {
    auto flipped = with_toggle(lesson, settings, name, value);
    if (flipped && *flipped != settings) flips.push_back(*std::move(flipped));
  };
  for (const Toggle& toggle : lesson.toggles)
    if (applies(lesson, settings, toggle))
      for (const Choice& choice : toggle.choices) add(toggle.name, choice.value);
  for (const Kernel& kernel : lesson.kernels) add("kernel", kernel.name);
  return flips;
}

}  // namespace lanescope::lesson
