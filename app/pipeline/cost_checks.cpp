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

/// "1,048,576"
std::string digits(uint64_t value) { return number(Language::English, value); }

using Status = Check::Status;

Check checked(std::string name, bool passes, std::string sentence, int line = 0) {
  return {std::move(name), passes ? Status::Passed : Status::Failed, std::move(sentence), line};
}

/// How the two kinds of memory are counted.
struct Unit {
  trace::Space space;
  std::string_view name;
  uint64_t trace::Totals::* count;
  uint64_t trace::Totals::* ideal;
};
constexpr Unit kSectors{trace::Space::Global, "sectors", &trace::Totals::sectors,
                        &trace::Totals::ideal_sectors};
constexpr Unit kWavefronts{trace::Space::Shared, "wavefronts", &trace::Totals::wavefronts,
                           &trace::Totals::ideal_wavefronts};

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

std::string_view action_of(trace::Kind kind) {
  switch (kind) {
    case trace::Kind::Load:
      return "the load";
    case trace::Kind::Store:
      return "the store";
    case trace::Kind::Atomic:
    case trace::Kind::Reduction:
      return "the atomic operation";
    case trace::Kind::AsyncCopy:
      return "the asynchronous copy";
  }
  return "the access";
}

double per_request(uint64_t count, const trace::Totals& totals) {
  return static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(totals.requests, 1));
}

/// coalesced, conflict_free: no access takes more than its ideal.
Check ideal_check(std::string name, const Run& run, const Unit& unit) {
  const auto worst = worst_line(run, unit);
  if (!worst) {
    const trace::Totals total = total_of(run, unit);
    return checked(std::move(name), true,
                   total.requests == 0 ? fmt::format("no access to {} memory", trace::name_of(unit.space))
                                       : fmt::format("{:.3g} {} per request, the ideal, in {} requests",
                                                     per_request(total.*unit.count, total), unit.name,
                                                     digits(total.requests)));
  }
  const trace::Site& site = worst->site;
  const bool is_own = site.source.file == run.source_name;
  const std::string place = site.source.line == 0 ? fmt::format("line {} of the PTX", site.ptx_line)
                            : is_own              ? fmt::format("line {}", site.source.line)
                                                  : fmt::format("{}:{}", site.source.file, site.source.line);
  return checked(
      std::move(name), false,
      fmt::format("{}: {} takes {:.3g} {} per request, and {:.3g} would be enough", place,
                  action_of(site.operation.kind), per_request(worst->totals.*unit.count, worst->totals),
                  unit.name, per_request(worst->totals.*unit.ideal, worst->totals)),
      is_own ? site.source.line : 0);
}

Result<Check> budget_check(const lesson::Exercise& exercise, const lesson::Expression& most, const Run& run,
                           const Unit& unit) {
  TRY(const int64_t allowed,
      lesson::value_of(exercise.lesson, exercise.lesson.kernels.front(), exercise.cases.front(), most));
  const uint64_t count = total_of(run, unit).*unit.count;
  const bool passes = allowed >= 0 && count <= static_cast<uint64_t>(allowed);
  return checked(
      std::string(unit.name), passes,
      fmt::format("{} {} of {} memory, and at most {} are allowed", digits(count), unit.name,
                  trace::name_of(unit.space), digits(static_cast<uint64_t>(std::max<int64_t>(allowed, 0)))));
}

Check active_check(const Run& run, double least) {
  const auto warp = static_cast<double>(std::max<uint64_t>(run.trace->warp_instructions, 1));
  const double share = static_cast<double>(run.trace->lane_instructions) / (warp * kLanes);
  return checked(
      "active_share", share >= least,
      fmt::format("{:.1f} % of the lanes of executed instructions are active, and at least {:.4g} % "
                  "are asked for",
                  share * 100, least * 100));
}

Check instructions_check(const Run& run, const Run& solution, double most) {
  const double times = static_cast<double>(run.trace->warp_instructions) /
                       static_cast<double>(std::max<uint64_t>(solution.trace->warp_instructions, 1));
  return checked("instructions", times <= most,
                 fmt::format("{} warp instructions, {:.3g} times as many as the solution's {}, and at most "
                             "{:g} times are allowed",
                             digits(run.trace->warp_instructions), times,
                             digits(solution.trace->warp_instructions), most));
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
                                       const Run& solution) {
  const lesson::Requirements& asked = exercise.requirements;
  std::vector<Check> checks;
  // What an access takes beyond its ideal is reported once, and not as too large a sum as well.
  const auto add = [&](bool is_ideal_asked, std::string name, const std::optional<lesson::Expression>& most,
                       const Unit& unit) -> Result<void> {
    if (is_ideal_asked) checks.push_back(ideal_check(name, submission, unit));
    if (!most) return {};
    if (is_ideal_asked && checks.back().status == Status::Failed) {
      checks.push_back(
          {std::string(unit.name), Status::NotRun,
           fmt::format("first it must be {}", name == "coalesced" ? "coalesced" : "free of conflicts")});
      return {};
    }
    TRY(checks.emplace_back(), budget_check(exercise, *most, submission, unit));
    return {};
  };
  TRY_VOID(add(asked.coalesced, "coalesced", asked.sectors, kSectors));
  TRY_VOID(add(asked.conflict_free, "conflict_free", asked.wavefronts, kWavefronts));
  if (asked.active_share) checks.push_back(active_check(submission, *asked.active_share));
  if (asked.instructions_of_solution)
    checks.push_back(instructions_check(submission, solution, *asked.instructions_of_solution));
  return checks;
}

}  // namespace lanescope::pipeline
