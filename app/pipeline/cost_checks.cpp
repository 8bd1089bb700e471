#include "pipeline/cost_checks.h"

#include "base/number.h"
#include "lesson/launch_plan.h"
#include "pipeline/count_places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

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
constexpr Unit kRequests{trace::Space::Global,    Text::check_requests,     Text::check_no_global,
                         Text::check_requests_of, &trace::Totals::requests, &trace::Totals::requests};
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

using SiteLines = std::map<std::tuple<std::string, int, trace::Kind>, Line>;

SiteLines site_lines_of(const Run& run, const Unit& unit) {
  SiteLines lines;
  for (const trace::Site& site : run.trace->sites) {
    if (site.operation.space != unit.space) continue;
    const int number = site.source.line != 0 ? site.source.line : site.ptx_line;
    const auto [found, is_new] =
        lines.try_emplace({site.source.file, number, site.operation.kind}, Line{site, {}});
    found->second.totals += run.trace->totals[site.id.value];
  }
  return lines;
}

/// The line that takes most beyond its ideal; absent where none does.
std::optional<Line> worst_line(const Run& run, const Unit& unit) {
  const SiteLines lines = site_lines_of(run, unit);
  const auto waste = [&](const Line& line) { return line.totals.*unit.count - line.totals.*unit.ideal; };
  std::optional<Line> worst;
  for (const auto& [key, line] : lines)
    if (waste(line) > (worst ? waste(*worst) : 0)) worst = line;
  return worst;
}

/// The busiest line of those of the kind (load, store, ...) that takes most beyond the solution's. Of equal
/// ones that with more bytes, then the last, which is likely to ask again for what another has.
std::optional<Line> line_beyond(const Run& run, const Run& solution, const Unit& unit) {
  const SiteLines lines = site_lines_of(run, unit);
  std::map<trace::Kind, int64_t> excess;
  for (const auto& [key, line] : lines)
    excess[line.site.operation.kind] += static_cast<int64_t>(line.totals.*unit.count);
  for (const auto& [key, line] : site_lines_of(solution, unit))
    excess[line.site.operation.kind] -= static_cast<int64_t>(line.totals.*unit.count);
  const auto most = std::ranges::max_element(excess, {}, [](const auto& kind) { return kind.second; });
  const auto size_of = [&](const Line& line) {
    return std::pair(line.totals.*unit.count, line.totals.bytes);
  };
  std::optional<Line> busiest;
  for (const auto& [key, line] : lines)
    if (line.site.operation.kind == most->first && (!busiest || size_of(line) >= size_of(*busiest)))
      busiest = line;
  return busiest;
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

Result<uint64_t> allowed_by(const lesson::Exercise& exercise, const lesson::Expression& most) {
  TRY(const int64_t allowed,
      lesson::value_of(exercise.lesson, exercise.lesson.kernels.front(), exercise.cases.front(), most));
  return static_cast<uint64_t>(std::max<int64_t>(allowed, 0));
}

Result<Check> budget_check(const lesson::Exercise& exercise, const lesson::Expression& most, const Run& run,
                           const Run& solution, std::string name, const Unit& unit, Language language) {
  TRY(const uint64_t allowed, allowed_by(exercise, most));
  const uint64_t count = total_of(run, unit).*unit.count;
  std::string sentence = phrase(language, unit.budget, number(language, count), number(language, allowed));
  if (count <= allowed) return checked(std::move(name), true, std::move(sentence));
  const auto line = line_beyond(run, solution, unit);
  if (!line || line->site.source.line == 0 || line->site.source.file != run.source_name)
    return checked(std::move(name), false, std::move(sentence));
  sentence =
      phrase(language, Text::check_of_line, sentence, say(language, action_of(line->site.operation.kind)),
             line->site.source.line, number(language, line->totals.*unit.count));
  return checked(std::move(name), false, std::move(sentence), line->site.source.line);
}

/// The line of the source that misses the L1 most.
const LineCost* line_of_most_misses(const Run& run) {
  const auto misses = [](const LineCost& line) { return line.caches.from_l2 + line.caches.from_dram; };
  const auto most = std::ranges::max_element(run.lines, {}, misses);
  return most != run.lines.end() && misses(*most) != 0 ? &*most : nullptr;
}

Result<Check> l1_check(const lesson::Exercise& exercise, const lesson::Expression& most, const Run& run,
                       Language language) {
  TRY(const uint64_t allowed, allowed_by(exercise, most));
  const caches::Sectors& loads = run.caches->global_loads;
  const uint64_t misses = loads.sectors - loads.hits;
  std::string sentence =
      phrase(language, Text::check_l1_misses_of, number(language, misses), number(language, allowed));
  const LineCost* const line = line_of_most_misses(run);
  if (misses <= allowed || line == nullptr)
    return checked("l1_misses", misses <= allowed, std::move(sentence));
  const auto place = static_cast<int>(line - run.lines.data()) + 1;
  sentence = phrase(language, Text::check_l1_misses_of_line, sentence, place,
                    number(language, line->caches.from_l2 + line->caches.from_dram));
  return checked("l1_misses", false, std::move(sentence), place);
}

Result<Check> barriers_check(const lesson::Exercise& exercise, const lesson::Expression& most,
                             const trace::History& first_warp, std::string_view file, Language language) {
  TRY(const uint64_t allowed, allowed_by(exercise, most));
  const uint64_t count = barriers_of(first_warp);
  std::string sentence =
      phrase(language, Text::check_barriers_of, number(language, count), number(language, allowed));
  const auto line = line_of_most_barriers(first_warp, file);
  if (count <= allowed || !line) return checked("barriers", count <= allowed, std::move(sentence));
  sentence =
      phrase(language, Text::check_barriers_of_line, sentence, number(language, line->count), line->line);
  return checked("barriers", false, std::move(sentence), line->line);
}

Check active_check(const Run& run, double least, const trace::History& first_warp, Language language) {
  const auto warp = static_cast<double>(std::max<uint64_t>(run.trace->warp_instructions, 1));
  const double share = static_cast<double>(run.trace->lane_instructions) / (warp * kLanes);
  std::string sentence =
      phrase(language, Text::check_says_active, with_mark(language, fmt::format("{:.1f}", share * 100)),
             with_mark(language, fmt::format("{:.4g}", least * 100)));
  const auto line = line_of_most_idle_lanes(first_warp, run.source_name);
  if (share >= least || !line) return checked("active_share", share >= least, std::move(sentence));
  sentence = phrase(language, Text::check_idle_line, sentence, line->line);
  return checked("active_share", false, std::move(sentence), line->line);
}

Check instructions_check(const Run& run, const Run& solution, double most, const trace::History& first_warp,
                         Language language) {
  const double times = static_cast<double>(run.trace->warp_instructions) /
                       static_cast<double>(std::max<uint64_t>(solution.trace->warp_instructions, 1));
  std::string sentence =
      phrase(language, Text::check_says_instructions, number(language, run.trace->warp_instructions),
             short_number(language, times), number(language, solution.trace->warp_instructions),
             with_mark(language, fmt::format("{:g}", most)));
  const auto line = line_of_most_instructions(first_warp, run.source_name);
  if (times <= most || !line) return checked("instructions", times <= most, std::move(sentence));
  sentence = phrase(language, Text::check_busy_line, sentence, line->line, number(language, line->count),
                    number(language, first_warp.entries.size()));
  return checked("instructions", false, std::move(sentence), line->line);
}

}  // namespace

std::vector<std::string> cost_names(const lesson::Requirements& asked) {
  std::vector<std::string> names;
  const auto add = [&](bool is_asked, const char* name) {
    if (is_asked) names.emplace_back(name);
  };
  add(asked.coalesced, "coalesced");
  add(asked.sectors.has_value(), "sectors");
  add(asked.requests.has_value(), "requests");
  add(asked.conflict_free, "conflict_free");
  add(asked.wavefronts.has_value(), "wavefronts");
  add(asked.l1_misses.has_value(), "l1_misses");
  add(asked.barriers.has_value(), "barriers");
  add(asked.active_share.has_value(), "active_share");
  add(asked.instructions_of_solution.has_value(), "instructions");
  add(asked.microseconds.has_value(), "microseconds");
  add(asked.copy_share.has_value(), "copy_share");
  return names;
}

bool needs_first_warp(const lesson::Requirements& asked) {
  return asked.barriers || asked.active_share || asked.instructions_of_solution;
}

Result<std::vector<Check>> cost_checks(const lesson::Exercise& exercise, const Run& submission,
                                       const Run& solution, const trace::History* first_warp,
                                       Language language) {
  const lesson::Requirements& asked = exercise.requirements;
  std::vector<Check> checks;
  // What an access takes beyond its ideal is reported once, and not as too large a sum as well.
  const auto add_budget = [&](const std::optional<lesson::Expression>& most, const char* name,
                              const Unit& unit, std::string_view ideal, Text first) -> Result<void> {
    if (!most) return {};
    const auto before = std::ranges::find(checks, ideal, &Check::name);
    if (before != checks.end() && before->status == Status::Failed) {
      checks.push_back({name, Status::NotRun, phrase(language, first)});
      return {};
    }
    TRY(checks.emplace_back(), budget_check(exercise, *most, submission, solution, name, unit, language));
    return {};
  };
  if (asked.coalesced) checks.push_back(ideal_check("coalesced", submission, kSectors, language));
  TRY_VOID(add_budget(asked.sectors, "sectors", kSectors, "coalesced", Text::check_first_coalesced));
  TRY_VOID(add_budget(asked.requests, "requests", kRequests, "coalesced", Text::check_first_coalesced));
  if (asked.conflict_free) checks.push_back(ideal_check("conflict_free", submission, kWavefronts, language));
  TRY_VOID(add_budget(asked.wavefronts, "wavefronts", kWavefronts, "conflict_free",
                      Text::check_first_conflict_free));
  if (asked.l1_misses && submission.caches) {
    TRY(checks.emplace_back(), l1_check(exercise, *asked.l1_misses, submission, language));
  }
  if (first_warp == nullptr) return checks;
  if (asked.barriers) {
    TRY(checks.emplace_back(),
        barriers_check(exercise, *asked.barriers, *first_warp, submission.source_name, language));
  }
  if (asked.active_share)
    checks.push_back(active_check(submission, *asked.active_share, *first_warp, language));
  if (asked.instructions_of_solution)
    checks.push_back(
        instructions_check(submission, solution, *asked.instructions_of_solution, *first_warp, language));
  return checks;
}

}  // namespace lanescope::pipeline
