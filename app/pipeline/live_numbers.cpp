#include "pipeline/live_numbers.h"

#include "base/lines.h"
#include "launch/element.h"
#include "lesson/launch_plan.h"
#include "lesson/source_mark.h"
#include "model/bank_rules.h"
#include "trace/traffic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

using trace::Totals;

// ------------------------------------------------------------------------------------------- counts

struct Count {
  std::string_view name;
  uint64_t Totals::* of;
  bool per_request = false;
};
constexpr std::array kCounts{Count{"requests", &Totals::requests},
                             Count{"lanes", &Totals::lanes},
                             Count{"bytes", &Totals::bytes},
                             Count{"sectors", &Totals::sectors},
                             Count{"ideal_sectors", &Totals::ideal_sectors},
                             Count{"lines", &Totals::lines},
                             Count{"wavefronts", &Totals::wavefronts},
                             Count{"ideal_wavefronts", &Totals::ideal_wavefronts},
                             Count{"sectors_per_request", &Totals::sectors, true},
                             Count{"lines_per_request", &Totals::lines, true},
                             Count{"wavefronts_per_request", &Totals::wavefronts, true},
                             Count{"lanes_per_request", &Totals::lanes, true}};

const Count* find_count(std::string_view name) {
  const auto found = std::ranges::find(kCounts, name, &Count::name);
  return found == kCounts.end() ? nullptr : &*found;
}

Result<double> count_of(const Totals& totals, const Count& count, std::string_view name) {
  const auto value = static_cast<double>(totals.*count.of);
  if (!count.per_request) return value;
  if (totals.requests == 0)
    return fail(ErrorKind::Usage, fmt::format("'{}' has no value: there was no such request", name));
  return value / static_cast<double>(totals.requests);
}

/// What the modelled caches count of the loads of some accesses.
struct CacheCount {
  std::string_view name;
  uint64_t (*of)(const caches::SiteCaches&);
};
constexpr std::array kCacheCounts{
    CacheCount{"l1_hits", [](const caches::SiteCaches& c) { return c.l1.hits; }},
    CacheCount{"l2_hits", [](const caches::SiteCaches& c) { return c.from_l2; }},
    CacheCount{"dram_sectors", [](const caches::SiteCaches& c) { return c.from_dram; }}};

/// [site]
const std::vector<Totals>& totals_of(const Told& told) {
  // A lesson's sentences are about the PTX, whichever level the window counts.
  if (told.units == model::CostUnits::Sectors || told.units != units_of(told.run))
    return ptx_totals_of(told.run);
  return totals_of(told.run);
}

/// Totals of the sites that `f` accepts; none where there are no such sites.
template <class F>
std::optional<Totals> totals_where(const Told& told, F&& f) {
  std::optional<Totals> totals;
  for (const trace::Site& site : told.run.trace->sites) {
    if (!f(site)) continue;
    if (!totals) totals = Totals{};
    *totals += totals_of(told)[site.id.value];
  }
  return totals;
}

Totals total_of(const Told& told, trace::Space space, trace::Traffic traffic) {
  return trace::total_of(*told.run.trace, totals_of(told), space, traffic);
}

Totals totals_of_space(const Told& told, trace::Space space) {
  Totals totals;
  for (const trace::Traffic traffic : trace::kAllTraffic) totals += total_of(told, space, traffic);
  return totals;
}

/// Of "global", "shared_atomic"; zero where no instruction of the kernel makes such an access. None where
/// there is no such kind.
std::optional<Totals> totals_of_kind(const Told& told, std::string_view kind) {
  for (const trace::Space space : {trace::Space::Global, trace::Space::Shared, trace::Space::Local}) {
    if (kind == name_of(space)) return totals_of_space(told, space);
    for (const trace::Traffic traffic : trace::kAllTraffic)
      if (kind == fmt::format("{}_{}", name_of(space), name_of(traffic)))
        return total_of(told, space, traffic);
  }
  return {};
}

std::string_view line_of(std::string_view text, int line) {
  const auto lines = lines_of(text);
  const auto index = static_cast<size_t>(line) - 1;
  return line >= 1 && index < lines.size() ? lines[index] : std::string_view();
}

/// Whether a mark is on the line of the access, or on the line that calls the function with the access.
bool has_mark(const Run& run, const trace::Site& site, std::string_view mark) {
  return lesson::mark_of(site.source_text) == mark ||
         std::ranges::any_of(site.called_from, [&](const Location& call) {
           return call.file == run.source_name &&
                  lesson::mark_of(line_of(run.source_text, call.line)) == mark;
         });
}

Error no_such_group(std::string_view group) {
  return {ErrorKind::Usage,
          fmt::format("'{0}' is neither a kind of access, for example global_load, nor a mark: no line of "
                      "the kernel that accesses memory ends in // @{0}",
                      group)};
}

Result<double> qualified_count(const Told& told, std::string_view name, std::string_view group,
                               const Count& count) {
  if (const auto totals = totals_of_kind(told, group)) return count_of(*totals, count, name);
  const auto marked =
      totals_where(told, [&](const trace::Site& site) { return has_mark(told.run, site, group); });
  if (marked) return count_of(*marked, count, name);
  return std::unexpected(no_such_group(group));
}

/// A text speaks of caches whichever device is chosen, also one whose caches are not modelled.
Result<double> cache_count(const Told& told, std::string_view group, const CacheCount& count) {
  bool any = group == "global_load";
  caches::SiteCaches sum;
  for (const trace::Site& site : told.run.trace->sites) {
    const bool is_load = site.operation.space == trace::Space::Global &&
                         trace::direction_of(site.operation) == trace::Kind::Load;
    const bool is_meant = group == "global_load" ? is_load : has_mark(told.run, site, group);
    if (!is_meant) continue;
    any = true;
    if (told.run.caches) sum += told.run.caches->sites[site.id.value];
  }
  if (!any) return std::unexpected(no_such_group(group));
  if (!told.run.caches) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(count.of(sum));
}

// ------------------------------------------------------------------------------------------ buffers

std::optional<size_t> buffer_named(const Run& run, std::string_view name) {
  const auto found = std::ranges::find(run.launch->buffers, name, &launch::Buffer::name);
  if (found == run.launch->buffers.end()) return {};
  return static_cast<size_t>(found - run.launch->buffers.begin());
}

double element_of(const Run& run, size_t buffer, uint64_t index) {
  const launch::ElementType type = run.launch->buffers[buffer].type;
  const std::byte* const at = run.buffers[buffer]->data() + index * launch::size_bytes(type);
  return launch::with_type(type, [&]<class T>(T) { return launch::number_at<T>(at); });
}

uint64_t element_count(const Run& run, size_t buffer) {
  return run.buffers[buffer]->size() / launch::size_bytes(run.launch->buffers[buffer].type);
}

Result<double> element_named(const Run& run, std::string_view name) {
  const size_t bracket = name.find('[');
  const auto buffer = buffer_named(run, name.substr(0, bracket));
  uint64_t index = 0;
  std::from_chars(name.data() + bracket + 1, name.data() + name.size(), index);
  if (!buffer) return fail(ErrorKind::Usage, fmt::format("the launch has no buffer for '{}'", name));
  if (index >= element_count(run, *buffer))
    return fail(ErrorKind::Usage, fmt::format("'{}' is beyond the end: the buffer has {} elements", name,
                                              element_count(run, *buffer)));
  return element_of(run, *buffer, index);
}

Result<double> sum_of(const Run& run, std::string_view name) {
  const auto buffer = buffer_named(run, name);
  if (!buffer) return fail(ErrorKind::Usage, fmt::format("the launch has no buffer '{}'", name));
  double sum = 0;
  for (uint64_t n = 0; n < element_count(run, *buffer); ++n) sum += element_of(run, *buffer, n);
  return sum;
}

// --------------------------------------------------------------------------------------- other names

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct Quantity {
  std::string_view name;
  double (*of)(const trace::Trace&);
};
constexpr std::array kQuantities{
    Quantity{"instructions", [](const trace::Trace& t) { return static_cast<double>(t.warp_instructions); }},
    Quantity{"lane_instructions",
             [](const trace::Trace& t) { return static_cast<double>(t.lane_instructions); }},
    Quantity{"active_lanes",
             [](const trace::Trace& t) { return share(t.lane_instructions, t.warp_instructions); }},
    Quantity{"hazards", [](const trace::Trace& t) { return static_cast<double>(t.hazards.size()); }},
    Quantity{"blocks", [](const trace::Trace& t) { return static_cast<double>(volume(t.grid)); }},
    Quantity{"threads",
             [](const trace::Trace& t) { return static_cast<double>(volume(t.grid) * volume(t.block)); }}};

Result<double> partition_number(const Run& run, std::string_view name) {
  // A text speaks of partitions whichever device is chosen, also one whose map is not known.
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const model::PartitionReport* const known = run.partitions.get();
  if (name == "count") return known ? known->partitions : unknown;
  if (name == "read_effective") return known ? known->read_effective : unknown;
  if (name == "written_effective") return known ? known->written_effective : unknown;
  return fail(ErrorKind::Usage,
              fmt::format("there is no 'partitions.{}'; choose one of: count, read_effective, "
                          "written_effective",
                          name));
}

}  // namespace

model::CostUnits units_of_text(const lesson::Lesson& lesson, const model::Device& device) {
  return lesson.device == device.name ? model::units_of(device.compute_capability)
                                      : model::CostUnits::Sectors;
}

Told told_of(const lesson::Lesson& lesson, const lesson::Settings& settings, const Run& run,
             const model::Device& device) {
  Told told{lesson, settings, run};
  const model::CostUnits units = units_of_text(lesson, device);
  if (units == units_of(run)) {
    told.units = units;
    if (units == model::CostUnits::Transactions) told.banks = model::bank_count(device.compute_capability);
  }
  return told;
}

Result<double> live_number(const Told& told, std::string_view name) {
  const trace::Trace& trace = *told.run.trace;
  if (name.ends_with(']')) return element_named(told.run, name);
  const size_t dot = name.find('.');
  const std::string_view group = name.substr(0, dot);
  if (lesson::find_toggle(told.lesson, group) != nullptr) {
    const Location nowhere;
    TRY(const auto expression, lesson::Expression::parse(name, nowhere));
    TRY_VOID(lesson::check_names(told.lesson, expression));
    TRY(const int64_t value, lesson::value_of(told.lesson, lesson::kernel_of(told.lesson, told.settings),
                                              told.settings, expression));
    return static_cast<double>(value);
  }
  if (dot != std::string_view::npos) {
    const std::string_view part = name.substr(dot + 1);
    if (group == "partitions") return partition_number(told.run, part);
    if (group == "sum") return sum_of(told.run, part);
    if (const Count* const count = find_count(part)) return qualified_count(told, name, group, *count);
    const auto of_caches = std::ranges::find(kCacheCounts, part, &CacheCount::name);
    if (of_caches != kCacheCounts.end()) return cache_count(told, group, *of_caches);
  } else if (const Count* const count = find_count(name)) {
    const bool is_shared = name.find("wavefronts") != std::string_view::npos;
    const bool is_global = name.find("sectors") != std::string_view::npos || name.starts_with("lines");
    Totals totals = totals_of_space(told, is_shared ? trace::Space::Shared : trace::Space::Global);
    if (!is_shared && !is_global) totals += totals_of_space(told, trace::Space::Shared);
    return count_of(totals, *count, name);
  }
  if (name == "banks") return told.banks;
  const auto quantity = std::ranges::find(kQuantities, name, &Quantity::name);
  if (quantity != kQuantities.end()) return quantity->of(trace);
  return fail(
      ErrorKind::Usage,
      fmt::format("there is no live number '{}'; known are the lesson's toggles, KIND.COUNT and "
                  "MARK.COUNT, NAME[INDEX] and sum.NAME of a buffer, instructions, active_lanes, banks, "
                  "hazards, blocks, threads and partitions; counts are {}",
                  name, fmt::join(kCounts | std::views::transform(&Count::name), ", ")));
}

}  // namespace lanescope::pipeline
