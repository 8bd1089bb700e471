#include "pipeline/cost_checks.h"

#include "base/number.h"
#include "lesson/launch_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// With three significant digits.
std::string short_number(Language language, double value) {
  return with_mark(language, fmt::format("{:.3g}", value));
}

using Status = Check::Status;

Check checked(std::string name, bool passes, std::string sentence, int line = 0) {
  return {std::move(name), passes ? Status::Passed : Status::Failed, std::move(sentence), line};
}

/// How the two kinds of memory are counted.
struct Unit {
  trace::Space space;
  Text name, none, budget;
  uint64_t trace::Totals::* count;
  uint64_t trace::Totals::* ideal;
};
constexpr Unit kSectors{trace::Space::Global,   Text::check_sectors,     Text::check_no_global,
                        Text::check_sectors_of, &trace::Totals::sectors, &trace::Totals::ideal_sectors};
constexpr Unit kWavefronts{trace::Space::Shared,       Text::check_wavefronts,
                           Text::check_no_shared,      Text::check_wavefronts_of,
                           &trace::Totals::wavefronts, &trace::Totals::ideal_wavefronts};

trace::Totals total_of(const Run& run, const Unit& unit) {
  trace::Totals total;
  for (const trace::Site& site : run.trace->sites)
    if (site.operation.space == unit.space) total += run.trace->totals[site.id.value];
  return total;
}

/// The accesses of one kind in one line.
struct Line {
  trace::Site site;  // the first of them
  trace::Totals totals;
};

/// The line that takes most beyond its ideal; absent where none does.
std::optional<Line> worst_line(const Run& run, const Unit& unit) {
  std::map<std::tuple<std::string, int, trace::Kind>, Line> lines;
  for (const trace::Site& site : run.trace->sites) {
    if (site.operation.space != unit.space) continue;
    const int number = site.source.line != 0 ? site.source.line : site.ptx_line;
    const auto [found, is_new] =
        lines.try_emplace({site.source.file, number, site.operation.kind}, Line{site, {}});
    found->second.totals += run.trace->totals[site.id.value];
  }
  const auto waste = [&](const Line& line) { return line.totals.*unit.count - line.totals.*unit.ideal; };
  std::optional<Line> worst;
  for (const auto& [key, line] : lines)
    if (waste(line) > (worst ? waste(*worst) : 0)) worst = line;
  return worst;
}

Text action_of(trace::Kind kind) {
  switch (kind) {
    case trace::Kind::Load:
      return Text::check_the_load;
    case trace::Kind::Store:
      return Text::check_the_store;
    case trace::Kind::Atomic:
    case trace::Kind::Reduction:
      break;
    case trace::Kind::AsyncCopy:
      return Text::check_the_copy;
  }
  return Text::check_the_atomic;
}

double per_request(uint64_t count, const trace::Totals& totals) {
  return static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(totals.requests, 1));
}

/// coalesced, conflict_free: no access takes more than its ideal.
Check ideal_check(std::string name, const Run& run, const Unit& unit, Language language) {
  const auto worst = worst_line(run, unit);
  if (!worst) {
    const trace::Totals total = total_of(run, unit);
    return checked(std::move(name), true,
                   total.requests == 0 ? phrase(language, unit.none)
                                       : phrase(language, Text::check_ideal,
                                                short_number(language, per_request(total.*unit.count, total)),
                                                say(language, unit.name), number(language, total.requests)));
  }
  const trace::Site& site = worst->site;
  const bool is_own = site.source.file == run.source_name;
  const std::string place = site.source.line == 0 ? phrase(language, Text::check_at_ptx_line, site.ptx_line)
                            : is_own              ? phrase(language, Text::check_at_line, site.source.line)
                                                  : fmt::format("{}:{}:", site.source.file, site.source.line);
  return checked(std::move(name), false,
                 phrase(language, Text::check_excess, place, say(language, action_of(site.operation.kind)),
                        short_number(language, per_request(worst->totals.*unit.count, worst->totals)),
                        say(language, unit.name),
                        short_number(language, per_request(worst->totals.*unit.ideal, worst->totals))),
                 is_own ? site.source.line : 0);
}

Result<Check> budget_check(const lesson::Exercise& exercise, const lesson::Expression& most, const Run& run,
                           std::string name, const Unit& unit, Language language) {
  TRY(const int64_t allowed,
      lesson::value_of(exercise.lesson, exercise.lesson.kernels.front(), exercise.cases.front(), most));
  const uint64_t count = total_of(run, unit).*unit.count;
  const bool passes = allowed >= 0 && count <= static_cast<uint64_t>(allowed);
  return checked(std::move(name), passes,
                 phrase(language, unit.budget, number(language, count),
                        number(language, static_cast<uint64_t>(std::max<int64_t>(allowed, 0)))));
}

Check active_check(const Run& run, double least, Language language) {
  const auto warp = static_cast<double>(std::max<uint64_t>(run.trace->warp_instructions, 1));
  const double share = static_cast<double>(run.trace->lane_instructions) / (warp * kLanes);
  return checked(
      "active_share", share >= least,
      phrase(language, Text::check_says_active, with_mark(language, fmt::format("{:.1f}", share * 100)),
             with_mark(language, fmt::format("{:.4g}", least * 100))));
}

Check instructions_check(const Run& run, const Run& solution, double most, Language language) {
  const double times = static_cast<double>(run.trace->warp_instructions) /
                       static_cast<double>(std::max<uint64_t>(solution.trace->warp_instructions, 1));
  return checked(
      "instructions", times <= most,
      phrase(language, Text::check_says_instructions, number(language, run.trace->warp_instructions),
             short_number(language, times), number(language, solution.trace->warp_instructions),
             with_mark(language, fmt::format("{:g}", most))));
}

}  // namespace

std::vector<std::string> cost_names(const lesson::Requirements& asked) {
  std::vector<std::string> names;
  const auto add = [&](bool is_asked, const char* name) {
    if (is_asked) names.emplace_back(name);
  };
  add(asked.coalesced, "coalesced");
  add(asked.sectors.has_value(), "sectors");
  add(asked.conflict_free, "conflict_free");
  add(asked.wavefronts.has_value(), "wavefronts");
  add(asked.active_share.has_value(), "active_share");
  add(asked.instructions_of_solution.has_value(), "instructions");
  add(asked.microseconds.has_value(), "microseconds");
  add(asked.copy_share.has_value(), "copy_share");
  return names;
}

Result<std::vector<Check>> cost_checks(const lesson::Exercise& exercise, const Run& submission,
                                       const Run& solution, Language language) {
  const lesson::Requirements& asked = exercise.requirements;
  std::vector<Check> checks;
  // What an access takes beyond its ideal is reported once, and not as too large a sum as well.
  const auto add_budget = [&](const std::optional<lesson::Expression>& most, const char* name,
                              const Unit& unit, bool is_ideal_asked, Text first) -> Result<void> {
    if (!most) return {};
    if (is_ideal_asked && checks.back().status == Status::Failed) {
      checks.push_back({name, Status::NotRun, phrase(language, first)});
      return {};
    }
    TRY(checks.emplace_back(), budget_check(exercise, *most, submission, name, unit, language));
    return {};
  };
  if (asked.coalesced) checks.push_back(ideal_check("coalesced", submission, kSectors, language));
  TRY_VOID(add_budget(asked.sectors, "sectors", kSectors, asked.coalesced, Text::check_first_coalesced));
  if (asked.conflict_free) checks.push_back(ideal_check("conflict_free", submission, kWavefronts, language));
  TRY_VOID(add_budget(asked.wavefronts, "wavefronts", kWavefronts, asked.conflict_free,
                      Text::check_first_conflict_free));
  if (asked.active_share) checks.push_back(active_check(submission, *asked.active_share, language));
  if (asked.instructions_of_solution)
    checks.push_back(instructions_check(submission, solution, *asked.instructions_of_solution, language));
  return checks;
}

}  // namespace lanescope::pipeline
