#include "sweep/selection.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::sweep {
namespace {

using Numbers = std::map<std::string, double, std::less<>>;

double real(uint64_t value) { return static_cast<double>(value); }

/// All numbers of a row, by name.
Numbers numbers_of(const Row& row) {
  Numbers numbers{{"launches", real(row.launches)},
                  {"shared_bytes", real(row.shared_bytes)},
                  {"warp_instructions", real(row.warp_instructions)},
                  {"lane_instructions", real(row.lane_instructions)},
                  {"findings", real(row.finding_count())}};
  const trace::Totals sum = row.sum();
  for (const auto& [name, member] : kCounts) {
    numbers[std::string(name)] = real(sum.*member);
    for (const auto& [kind, totals] : row.totals)
      numbers[fmt::format("{}_{}", kind, name)] = real(totals.*member);
  }
  for (const auto& [kind, count] : row.findings) numbers[kind] = real(count);
  if (row.caches)
    for (const auto& [name, member] : kCacheCounts) numbers[name] = real((*row.caches).*member);
  return numbers;
}

/// The names that any row has: what a row lacks is 0.
std::set<std::string> names_of(std::span<const Row> rows) {
  std::set<std::string> names;
  for (const Row& row : rows)
    for (const auto& [name, value] : numbers_of(row)) names.insert(name);
  return names;
}

/// "A" or "A/B".
struct Ratio {
  std::string above, below;
};
Ratio ratio_of(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return {text, {}};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

/// The number of a row; none without counts or where it divides by 0.
std::optional<double> value_of(const Row& row, const Ratio& ratio) {
  if (!row.problem.empty()) return {};
  const Numbers numbers = numbers_of(row);
  const auto look_up = [&](const std::string& name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0.0 : found->second;
  };
  if (ratio.below.empty()) return look_up(ratio.above);
  const double below = look_up(ratio.below);
  return below == 0 ? std::nullopt : std::optional(look_up(ratio.above) / below);
}

Result<size_t> axis_of(const Definition& definition, std::string_view option, const std::string& name) {
  const auto axis = std::ranges::find(definition.axes, name, &Axis::name);
  if (axis != definition.axes.end()) return static_cast<size_t>(axis - definition.axes.begin());
  std::vector<std::string> names;
  for (const Axis& one : definition.axes) names.push_back(one.name);
  return fail(ErrorKind::Usage, fmt::format("{}: the sweep has no axis '{}'; it has: {}", option, name,
                                            fmt::join(names, ", ")));
}

Result<Ratio> checked_ratio(std::span<const Row> rows, const std::string& text) {
  Ratio ratio = ratio_of(text);
  const std::set<std::string> names = names_of(rows);
  for (const std::string& name : {ratio.above, ratio.below})
    if (!name.empty() && !names.contains(name))
      return fail(ErrorKind::Usage,
                  fmt::format("--y: there is no number '{}'; choose one of these, or A/B: {}", name,
                              fmt::join(names, ", ")));
  return ratio;
}

/// [axis] the value that --where gives it; none: all values.
Result<std::vector<std::optional<std::string>>> chosen_values(const Definition& definition,
                                                              const Question& question) {
  std::vector<std::optional<std::string>> chosen(definition.axes.size());
  for (const auto& [name, value] : question.where) {
    TRY(const size_t axis, axis_of(definition, "--where", name));
    if (std::ranges::find(definition.axes[axis].values, value) == definition.axes[axis].values.end())
      return fail(ErrorKind::Usage, fmt::format("--where: '{}' has no value '{}'; it has: {}", name, value,
                                                fmt::join(definition.axes[axis].values, ", ")));
    chosen[axis] = value;
  }
  return chosen;
}

bool fits(const std::vector<std::string>& values, const std::vector<std::optional<std::string>>& chosen) {
  for (size_t n = 0; n < values.size(); ++n)
    if (chosen[n] && *chosen[n] != values[n]) return false;
  return true;
}

/// The values of an axis that are shown.
std::vector<std::string> shown_values(const Axis& axis, const std::optional<std::string>& chosen) {
  return chosen ? std::vector{*chosen} : axis.values;
}

size_t position_of(const std::vector<std::string>& values, const std::string& value) {
  return static_cast<size_t>(std::ranges::find(values, value) - values.begin());
}

}  // namespace

Provenance provenance_of(std::span<const Row> rows, const std::string& name) {
  const Ratio ratio = ratio_of(name);
  for (const auto& [cached, member] : kCacheCounts)
    if (ratio.above == cached || ratio.below == cached) return Provenance::Modelled;
  const bool is_traced =
      std::ranges::any_of(rows, [](const Row& row) { return row.provenance == name_of(Provenance::Traced); });
  return is_traced ? Provenance::Traced : Provenance::Emulated;
}

Result<Selection> select(const Definition& definition, std::span<const Row> rows, const Question& question) {
  TRY(const size_t x, axis_of(definition, "--x", question.x));
  std::optional<size_t> by;
  if (!question.by.empty()) {
    TRY(by, axis_of(definition, "--by", question.by));
    if (*by == x)
      return fail(ErrorKind::Usage, fmt::format("--x and --by are two axes; both are '{}'", question.x));
  }
  TRY(const Ratio ratio, checked_ratio(rows, question.y));
  TRY(const auto chosen, chosen_values(definition, question));
  for (size_t n = 0; n < definition.axes.size(); ++n)
    if (const Axis& axis = definition.axes[n]; n != x && n != by && !chosen[n] && axis.values.size() > 1)
      return fail(ErrorKind::Usage,
                  fmt::format("'{0}' has {1} values, and a figure shows one: give --where {0}={2}{3}",
                              axis.name, axis.values.size(), axis.values.front(),
                              by ? "" : fmt::format(", or --by {}", axis.name)));
  Selection selection;
  selection.x = shown_values(definition.axes[x], chosen[x]);
  selection.by = by ? shown_values(definition.axes[*by], chosen[*by]) : std::vector<std::string>{""};
  selection.cells.assign(selection.by.size(), std::vector<std::optional<Cell>>(selection.x.size()));
  selection.missing = selection.by.size() * selection.x.size();
  selection.provenance = provenance_of(rows, question.y);
  for (const Row& row : rows) {
    const std::vector<std::string> values = values_of(definition.axes, row.number);
    const auto value = value_of(row, ratio);
    if (!value || !fits(values, chosen)) continue;
    const size_t line = by ? position_of(selection.by, values[*by]) : 0;
    selection.cells[line][position_of(selection.x, values[x])] = Cell{*value, row.number};
    --selection.missing;
  }
  return selection;
}

Result<std::vector<Best>> best(const Definition& definition, std::span<const Row> rows,
                               const Question& question, Order order) {
  std::optional<size_t> x;
  if (!question.x.empty()) {
    TRY(x, axis_of(definition, "--x", question.x));
  }
  TRY(const Ratio ratio, checked_ratio(rows, question.y));
  TRY(const auto chosen, chosen_values(definition, question));
  const std::vector<std::string> groups =
      x ? shown_values(definition.axes[*x], chosen[*x]) : std::vector<std::string>{""};
  std::vector<Best> found(groups.size());
  for (size_t n = 0; n < groups.size(); ++n) found[n].x = groups[n];
  for (const Row& row : rows) {
    const std::vector<std::string> values = values_of(definition.axes, row.number);
    const auto value = value_of(row, ratio);
    if (!value || !fits(values, chosen)) continue;
    Best& group = found[x ? position_of(groups, values[*x]) : 0];
    ++group.compared;
    const bool is_better = order == Order::Least ? *value < group.value : *value > group.value;
    if (group.numbers.empty() || is_better) {
      group.value = *value;
      group.numbers.clear();
    }
    if (*value == group.value) group.numbers.push_back(row.number);
  }
  std::erase_if(found, [](const Best& group) { return group.numbers.empty(); });
  return found;
}

}  // namespace lanescope::sweep
