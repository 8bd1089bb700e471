#include "sweep/definition.h"

#include "sweep/columns.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::sweep {
namespace {

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// Adds the numbers of FIRST..LAST[:STEP]; false where the text is none.
Result<bool> add_range(std::string_view what, std::string_view text, std::vector<std::string>& values) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  const size_t colon = std::min(text.find(':', dots), text.size());
  const auto first = whole_number(text.substr(0, dots));
  const auto last = whole_number(text.substr(dots + 2, colon - dots - 2));
  const auto step = colon == text.size() ? std::optional<int64_t>(1) : whole_number(text.substr(colon + 1));
  if (!first || !last || !step)
    return fail(ErrorKind::Usage,
                fmt::format("{}: a range is FIRST..LAST or FIRST..LAST:STEP, whole numbers, for example "
                            "1024..4096:256; found '{}'",
                            what, text));
  if (*first > *last || *step < 1)
    return fail(
        ErrorKind::Usage,
        fmt::format("{}: the range {} has no value; FIRST is at most LAST, and STEP at least 1", what, text));
  const auto width = static_cast<uint64_t>(*last) - static_cast<uint64_t>(*first);
  const uint64_t steps = width / static_cast<uint64_t>(*step);
  if (steps >= kMostCombinations)
    return fail(ErrorKind::Usage, fmt::format("{}: the range {} has more than {} values; give a larger STEP",
                                              what, text, kMostCombinations));
  for (uint64_t n = 0; n <= steps; ++n)
    values.push_back(fmt::to_string(*first + static_cast<int64_t>(n) * *step));
  return true;
}

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// Place of a combination in the order in which all of them run.
uint64_t place_of(uint64_t number) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  return number * kGolden;
}

std::string axis_words(const Axis& axis) {
  const std::string values = fmt::to_string(fmt::join(axis.values, ","));
  return axis.option.starts_with("--set") || axis.option == "-D"
             ? fmt::format("{} {}={}", axis.option, axis.name, values)
             : fmt::format("{} {}", axis.option, values);
}

}  // namespace

std::string name_of(Shard shard) {
  return shard.count == 1 ? "the whole sweep" : fmt::format("shard {}/{}", shard.index, shard.count);
}

Result<std::vector<std::string>> parse_values(std::string_view what, std::string_view text) {
  std::vector<std::string> values;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    TRY(const bool is_range, add_range(what, part, values));
    if (!is_range) values.emplace_back(part);
    at = end + 1;
  }
  std::set<std::string> seen;
  for (const std::string& value : values) {
    if (value.empty())
      return fail(ErrorKind::Usage,
                  fmt::format("{} takes values with commas between them, for example 16,32; one of '{}' is "
                              "empty",
                              what, text));
    if (!seen.insert(value).second)
      return fail(ErrorKind::Usage, fmt::format("{} has the value '{}' twice", what, value));
  }
  return values;
}

Result<Axis> parse_axis(const std::string& option, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(
        ErrorKind::Usage,
        fmt::format("{} takes NAME=VALUES, for example size=1024..4096:256 or order=row-major,diagonal; "
                    "found '{}'",
                    option, text));
  Axis axis{.option = option, .name = std::string(text.substr(0, equals)), .values = {}};
  if (option == "-D" && !is_identifier(axis.name))
    return fail(ErrorKind::Usage,
                fmt::format("-D takes the name of a macro, letters, digits and _; found '{}'", axis.name));
  TRY(axis.values, parse_values(fmt::format("{} {}", option, axis.name), text.substr(equals + 1)));
  return axis;
}

Result<Shard> parse_shard(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = whole_number(text.substr(0, slash));
    const auto count = whole_number(text.substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count && *count <= int64_t{kMostCombinations})
      return Shard{static_cast<uint32_t>(*index), static_cast<uint32_t>(*count)};
  }
  return fail(
      ErrorKind::Usage,
      fmt::format("--shard takes I/N, part I of N with I from 1 to N, for example 2/4; found '{}'", text));
}

Result<void> check_axes(const std::vector<Axis>& axes) {
  uint64_t count = 1;
  for (size_t n = 0; n < axes.size(); ++n) {
    const Axis& axis = axes[n];
    if (std::ranges::count(axes, axis.name, &Axis::name) > 1)
      return fail(ErrorKind::Usage,
                  fmt::format("'{}' is given twice; give all its values at once, with commas between them",
                              axis.name));
    if (is_column(axis.name))
      return fail(ErrorKind::Usage,
                  fmt::format("'{}' is what a sweep calls one of its results; give the macro another name",
                              axis.name));
    count *= axis.values.size();
    if (count > kMostCombinations)
      return fail(ErrorKind::Usage, fmt::format("the sweep has more than {} combinations; leave out values",
                                                kMostCombinations));
  }
  return {};
}

uint64_t combinations(const std::vector<Axis>& axes) {
  uint64_t count = 1;
  for (const Axis& axis : axes) count *= axis.values.size();
  return count;
}

std::vector<std::string> values_of(const std::vector<Axis>& axes, uint64_t number) {
  std::vector<std::string> values(axes.size());
  for (size_t n = axes.size(); n-- > 0;) {
    values[n] = axes[n].values[number % axes[n].values.size()];
    number /= axes[n].values.size();
  }
  return values;
}

std::string name_of(const std::vector<Axis>& axes, uint64_t number) {
  if (axes.empty()) return "the only one";
  const std::vector<std::string> values = values_of(axes, number);
  std::vector<std::string> parts;
  for (size_t n = 0; n < axes.size(); ++n) parts.push_back(fmt::format("{}={}", axes[n].name, values[n]));
  return fmt::to_string(fmt::join(parts, ", "));
}

std::vector<uint64_t> numbers_of(Shard shard, uint64_t combinations) {
  std::vector<uint64_t> all(combinations);
  for (uint64_t n = 0; n < combinations; ++n) all[n] = n;
  std::ranges::sort(all, {}, place_of);
  const auto begin = static_cast<std::ptrdiff_t>(combinations * (shard.index - 1) / shard.count);
  const auto end = static_cast<std::ptrdiff_t>(combinations * shard.index / shard.count);
  return {all.begin() + begin, all.begin() + end};
}

std::string words_of(const Definition& definition) {
  std::string words = definition.subject;
  for (const std::string& option : definition.options) words += " " + option;
  for (const Axis& axis : definition.axes) words += " " + axis_words(axis);
  return words;
}

std::string difference(const Definition& own, const Definition& other, std::string_view name_of_own,
                       std::string_view name_of_other) {
  if (own.version != other.version)
    return fmt::format("{} is of version {} of the program, and {} of version {}", name_of_own, own.version,
                       name_of_other, other.version);
  if (own.subject != other.subject || own.options != other.options || own.axes != other.axes)
    return fmt::format("{} has another sweep ({}) than {} ({})", name_of_own, words_of(own), name_of_other,
                       words_of(other));
  if (own.sources != other.sources)
    return fmt::format("{} is of other sources than {}: a file of {} changed", name_of_own, name_of_other,
                       own.subject);
  return {};
}

}  // namespace lanescope::sweep
