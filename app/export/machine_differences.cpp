#include "export/machine_differences.h"

#include "base/counted_phrase.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/text.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::exporting {
namespace {

using sass::Fate;
using trace::Totals;

/// "k.cu:7", "k.cu:7, 8".
std::string place_of(const MachineDifference& difference) {
  if (difference.where.line == 0) return "(several lines)";
  return fmt::format("{}:{}", difference.where.file, fmt::join(difference.lines, ", "));
}

/// "8 loads of 4 bytes".
std::string accesses_of(const MachineDifference& difference) {
  std::string kind(name_of(difference.operation.kind));
  std::ranges::replace(kind, '_', ' ');
  const bool is_one = difference.sites == 1;
  const bool ends_in_y = kind.ends_with('y');
  const std::string plural = ends_in_y ? kind.substr(0, kind.size() - 1) + "ies" : kind + "s";
  return counted_phrase(Language::English, "{} {} {} of {} byte[|s]", difference.sites,
                        name_of(difference.operation.space), is_one ? kind : plural,
                        difference.operation.bytes_per_lane);
}

std::string sentence_of(const MachineDifference& difference) {
  std::string accesses = accesses_of(difference);
  const std::string_view are = difference.sites == 1 ? "is" : "are";
  const std::string names = fmt::format("{}", fmt::join(difference.names, ", "));
  switch (difference.fate) {
    case Fate::Merged:
      return fmt::format("{} of the PTX {} {} in the machine code", accesses, are, names);
    case Fate::Removed:
      return fmt::format("{} of the PTX {} no instruction: the {}", accesses, are,
                         difference.operation.space == MemorySpace::Local
                             ? "array stays in registers, which costs nothing"
                             : "data stay in registers, or are an operand");
    case Fate::Narrower:
      return fmt::format("{} of the PTX: {} moves a part of the bytes{}", accesses, names,
                         difference.is_counted ? "" : "; which is not known, so it counts as in the PTX");
    case Fate::Replaced:
      return fmt::format("{} of the PTX {} a loop or other instructions ({}); counted as in the PTX",
                         accesses, are, names);
    case Fate::Same:
      if (difference.has_absent && difference.election > sass::Election::None)
        return fmt::format("{} of the PTX: one lane acts for the warp ({})", accesses, names);
      if (difference.has_absent)
        return fmt::format(
            "{} of the PTX: the counters have no wavefronts in the shared memory of other blocks of the "
            "cluster, but one of an atomic that goes there alone ({})",
            accesses, names);
      if (difference.is_apart)
        return fmt::format("{} of the PTX: diverged lanes reconverge later in the machine code ({})",
                           accesses, names);
      return fmt::format("{} of the PTX: lanes that repeat an address move its sector again ({})", accesses,
                         names);
  }
  return accesses;
}

/// "requests 64 -> 16, wavefronts 64 -> 32": what differs.
std::string counts_of(const MachineDifference& difference) {
  std::vector<std::string> counts;
  const auto add = [&](std::string_view name, uint64_t Totals::* count) {
    const uint64_t before = difference.ptx.*count;
    const uint64_t after = difference.machine.*count;
    if (before != 0 || after != 0)
      counts.push_back(fmt::format("{} {} -> {}", name, number(Language::English, before),
                                   number(Language::English, after)));
  };
  add("requests", &Totals::requests);
  add("sectors", &Totals::sectors);
  add("wavefronts", &Totals::wavefronts);
  return fmt::format("{}", fmt::join(counts, ", "));
}

}  // namespace

std::vector<MachineDifference> machine_differences(const trace::Trace& trace,
                                                   const sass::MachineLevel& level) {
  const std::vector<Totals> machine = sass::machine_totals(level);
  std::vector<MachineDifference> differences;
  std::map<std::tuple<std::string, int, int, int, int>, size_t> known;
  for (const trace::Site& site : trace.sites) {
    const uint32_t n = site.id.value;
    const sass::SiteMatch& match = level.match.sites[n];
    const bool repeats = !level.repeated_sectors.empty() && level.repeated_sectors[n] != 0;
    const bool is_apart = level.totals()[n] != level.ptx_totals[n];
    const bool has_absent = !level.absent.empty() && level.absent[n] != Totals{};
    if ((match.fate == Fate::Same && !repeats && !is_apart && !has_absent) ||
        level.ptx_totals[n].requests == 0)
      continue;
    const bool is_merged = match.merged != sass::SiteMatch::kNone;
    const Location& where =
        is_merged ? trace.sites[level.match.merged[match.merged].sites.front()].source : site.source;
    const std::tuple key{where.file, where.line, static_cast<int>(site.operation.space),
                         static_cast<int>(site.operation.kind), static_cast<int>(match.fate)};
    const auto [at, is_new] = known.emplace(key, differences.size());
    if (is_new)
      differences.push_back(
          {.where = where, .operation = site.operation, .fate = match.fate, .ptx = {}, .machine = {}});
    MachineDifference& difference = differences[at->second];
    ++difference.sites;
    difference.is_counted = is_merged || repeats || is_apart || has_absent || match.fate == Fate::Removed;
    difference.is_apart = difference.is_apart || is_apart;
    difference.has_absent = difference.has_absent || has_absent;
    difference.election = match.election;
    difference.lines.insert(site.source.line);
    difference.ptx += level.ptx_totals[n];
    difference.machine += machine[n];
    if (is_merged && level.match.merged[match.merged].sites.front() == n)
      difference.uneven += level.merged[match.merged].uneven;
    for (const uint32_t instruction :
         is_merged ? level.match.merged[match.merged].instructions : match.instructions)
      if (std::ranges::find(difference.instructions, instruction) == difference.instructions.end())
        difference.instructions.push_back(instruction);
  }
  for (MachineDifference& difference : differences) {
    for (const uint32_t instruction : difference.instructions) {
      std::string name = sass::name_of(level.match.accesses[instruction]);
      if (std::ranges::find(difference.names, name) == difference.names.end())
        difference.names.push_back(std::move(name));
    }
  }
  return differences;
}

std::string_view word_of(Fate fate) {
  switch (fate) {
    case Fate::Same:
      return "same";
    case Fate::Merged:
      return "merged";
    case Fate::Removed:
      return "removed";
    case Fate::Narrower:
      return "narrower";
    case Fate::Replaced:
      return "replaced";
  }
  return "unknown";
}

std::string text_of(const MachineDifference& difference) {
  std::string text =
      fmt::format("{}: {}", without_control_characters(place_of(difference)), sentence_of(difference));
  if (difference.is_counted) text += fmt::format(": {}", counts_of(difference));
  if (difference.uneven != 0)
    text += fmt::format("; {} accesses do not fit its windows, so this count is a guess", difference.uneven);
  return text;
}

}  // namespace lanescope::exporting
