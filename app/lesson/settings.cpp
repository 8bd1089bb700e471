// Toggles: which values they have, how one changes, which macros they define.

#include "lesson/lesson.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

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

std::optional<uint32_t> parse_side(std::string_view text) {
  const auto side = parse_integer(text);
  if (!side || *side < 1 || *side > UINT32_MAX) return {};
  return static_cast<uint32_t>(*side);
}

/// What is wrong with a free value; empty: nothing.
std::string problem_of(const Toggle& toggle, std::string_view value) {
  const FreeValues& free = *toggle.free;
  const auto fits = [&](int64_t number) { return number >= free.minimum && number <= free.maximum; };
  if (free.kind == FreeValues::Kind::Matrix) {
    const auto size = parse_matrix_size(value);
    if (size && fits(size->width) && fits(size->height)) return {};
    return fmt::format(
        "a matrix size is COLUMNS or COLUMNSxROWS, each from {} to {}; '{}' is not; "
        "try 1024 or 1024x512",
        free.minimum, free.maximum, value);
  }
  if (const auto number = parse_integer(value); number && fits(*number)) return {};
  return fmt::format("toggle '{}' takes a whole number from {} to {}, not '{}'", toggle.name, free.minimum,
                     free.maximum, value);
}

bool has_presets(const Settings& settings, const Kernel& kernel) {
  return std::ranges::all_of(kernel.presets, [&](const auto& preset) {
    const auto found = settings.values.find(preset.first);
    return found != settings.values.end() && found->second == preset.second;
  });
}

/// Kernels of one entry that differ in presets alone are names of settings: the settings choose the name.
void choose_name(const Lesson& lesson, Settings& settings) {
  const Kernel& now = kernel_of(lesson, settings);
  if (has_presets(settings, now)) return;
  for (const Kernel& kernel : lesson.kernels) {
    const bool is_same_code = kernel.file == now.file && kernel.entry == now.entry && !kernel.presets.empty();
    if (!is_same_code || !has_presets(settings, kernel)) continue;
    settings.kernel = kernel.name;
    return;
  }
}

void choose_kernel(Settings& settings, const Kernel& kernel) {
  settings.kernel = kernel.name;
  for (const auto& [name, value] : kernel.presets) settings.values[name] = value;
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

const Toggle* find_toggle(const Lesson& lesson, std::string_view name) {
  const auto found = std::ranges::find(lesson.toggles, name, &Toggle::name);
  return found == lesson.toggles.end() ? nullptr : &*found;
}

const Kernel& kernel_of(const Lesson& lesson, const Settings& settings) {
  const Kernel* const found = find_kernel(lesson, settings.kernel);
  return found == nullptr ? lesson.kernels.front() : *found;
}

const Kernel* find_kernel(const Lesson& lesson, std::string_view name) {
  for (const auto* kernels : {&lesson.kernels, &lesson.references})
    if (const auto found = std::ranges::find(*kernels, name, &Kernel::name); found != kernels->end())
      return &*found;
  return nullptr;
}

std::span<const std::string> hints_of(const Lesson& lesson, std::string_view panel) {
  const auto found = lesson.hints.find(panel);
  return found == lesson.hints.end() ? std::span<const std::string>() : found->second;
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
    if (std::string problem = problem_of(*toggle, value); !problem.empty())
      return fail(ErrorKind::Usage, std::move(problem));
  }
  changed.values[std::string(name)] = value;
  choose_name(lesson, changed);
  return changed;
}

Result<Settings> with_toggles(const Lesson& lesson, const Settings& settings,
                              const std::vector<std::pair<std::string, std::string>>& set) {
  Settings changed = settings;
  for (const auto& [name, value] : set) {
    TRY(changed, with_toggle(lesson, changed, name, value));
  }
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

std::optional<MatrixSize> parse_matrix_size(std::string_view text) {
  const size_t cross = text.find('x');
  const auto width = parse_side(text.substr(0, cross));
  const auto height = cross == std::string_view::npos ? width : parse_side(text.substr(cross + 1));
  if (!width || !height) return {};
  return MatrixSize{*width, *height};
}

std::optional<uint32_t> recorded_size(const Lesson& lesson, const Settings& settings) {
  if (lesson.size_toggle.empty()) return 0;
  const auto value = settings.values.find(lesson.size_toggle);
  if (value == settings.values.end()) return {};
  const auto size = parse_matrix_size(value->second);
  if (!size || size->width != size->height) return {};
  return size->width;
}

std::vector<uint32_t> sizes_to_record(const Lesson& lesson) {
  const Toggle* const toggle = find_toggle(lesson, lesson.size_toggle);
  if (toggle == nullptr) return {0};
  if (!lesson.recorded_sizes.empty()) return lesson.recorded_sizes;
  std::vector<uint32_t> sizes;
  for (const Choice& choice : toggle->choices)
    if (const auto size = parse_side(choice.value)) sizes.push_back(*size);
  std::ranges::sort(sizes);
  return sizes;
}

namespace {

/// `settings` and every choice of each toggle from `index` on that sets a macro of the chosen kernel.
void add_choices(const Lesson& lesson, const Settings& settings, size_t index, std::vector<Settings>& all) {
  while (index < lesson.toggles.size() &&
         (lesson.toggles[index].define.empty() || !applies(lesson, settings, lesson.toggles[index])))
    ++index;
  if (index == lesson.toggles.size()) {
    all.push_back(settings);
    return;
  }
  const Toggle& toggle = lesson.toggles[index];
  for (const Choice& choice : toggle.choices) {
    Settings chosen = settings;
    chosen.values[toggle.name] = choice.value;
    add_choices(lesson, chosen, index + 1, all);
  }
}

}  // namespace

std::vector<Settings> all_macros(const Lesson& lesson, const Settings& settings) {
  std::vector<Settings> all;
  add_choices(lesson, settings, 0, all);
  return all;
}

std::vector<Settings> settings_to_record(const Lesson& lesson) {
  std::vector<Settings> all;
  const auto add = [&](Settings settings) {
    if (std::ranges::find(all, settings) == all.end()) all.push_back(std::move(settings));
  };
  for (const Kernel& kernel : lesson.kernels) {
    Settings start = initial_settings(lesson);
    choose_kernel(start, kernel);
    for (Settings& settings : all_macros(lesson, start)) add(std::move(settings));
    for (const Toggle& toggle : lesson.toggles) {
      if (toggle.name == lesson.size_toggle || !toggle.define.empty() || !applies(lesson, start, toggle))
        continue;
      for (const Choice& choice : toggle.choices) {
        Settings flipped = start;
        flipped.values[toggle.name] = choice.value;
        add(std::move(flipped));
      }
    }
  }
  return all;
}

std::vector<Settings> single_flips(const Lesson& lesson, const Settings& settings) {
  std::vector<Settings> flips;
  const auto add = [&](std::string_view name, std::string_view value) {
    auto flipped = with_toggle(lesson, settings, name, value);
    if (!flipped || *flipped == settings || std::ranges::find(flips, *flipped) != flips.end()) return;
    flips.push_back(*std::move(flipped));
  };
  for (const Toggle& toggle : lesson.toggles)
    if (applies(lesson, settings, toggle))
      for (const Choice& choice : toggle.choices) add(toggle.name, choice.value);
  for (const Kernel& kernel : lesson.kernels) add("kernel", kernel.name);
  return flips;
}

}  // namespace lanescope::lesson
