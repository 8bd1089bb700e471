#include "export/machine_report.h"

#include "base/escape.h"
#include "base/number.h"
#include "base/text.h"
#include "model/residency.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::exporting {
namespace {

using sass::Fate;
using trace::Totals;

/// Sites of one source line and kind, of which the assembler made the same. Sites that it merged may be of
/// several lines.
struct Difference {
  Location where;            // of the first site
  std::set<int> lines = {};  // of all sites
  trace::Operation operation;
  Fate fate = Fate::Removed;
  uint32_t sites = 0;
  std::vector<uint32_t> instructions = {};  // indices in Match::accesses
  std::vector<std::string> names = {};      // of the instructions: "LDS.128"
  Totals ptx;
  Totals machine;
  uint64_t uneven = 0;  // FoldedTotals::uneven
};

/// "k.cu:7", "k.cu:7, 8".
std::string place_of(const Difference& difference) {
  if (difference.where.line == 0) return "(several lines)";
  return fmt::format("{}:{}", difference.where.file, fmt::join(difference.lines, ", "));
}

/// Differences in the order of the sites. Sites that nothing executed are left out.
std::vector<Difference> differences_of(const trace::Trace& trace, const sass::MachineLevel& level) {
  const std::vector<Totals> machine = sass::machine_totals(level);
  std::vector<Difference> differences;
  std::map<std::tuple<std::string, int, int, int, int>, size_t> known;
  for (const trace::Site& site : trace.sites) {
    const uint32_t n = site.id.value;
    const sass::SiteMatch& match = level.match.sites[n];
    if (match.fate == Fate::Same || level.ptx_totals[n].requests == 0) continue;
    const bool is_merged = match.fate == Fate::Merged;
    const Location& where =
        is_merged ? trace.sites[level.match.merged[match.merged].sites.front()].source : site.source;
    const std::tuple key{where.file, where.line, static_cast<int>(site.operation.space),
                         static_cast<int>(site.operation.kind), static_cast<int>(match.fate)};
    const auto [at, is_new] = known.emplace(key, differences.size());
    if (is_new)
      differences.push_back(
          {.where = where, .operation = site.operation, .fate = match.fate, .ptx = {}, .machine = {}});
    Difference& difference = differences[at->second];
    ++difference.sites;
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
  for (Difference& difference : differences) {
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

std::string count_text(uint64_t count) { return number(Language::English, count); }

/// "8 loads of 4 bytes".
std::string accesses_of(const Difference& difference) {
  std::string kind(name_of(difference.operation.kind));
  std::ranges::replace(kind, '_', ' ');
  const bool is_one = difference.sites == 1;
  const bool ends_in_y = kind.ends_with('y');
  const std::string plural = ends_in_y ? kind.substr(0, kind.size() - 1) + "ies" : kind + "s";
  return fmt::format("{} {} {} of {} byte{}", difference.sites, name_of(difference.operation.space),
                     is_one ? kind : plural, difference.operation.bytes_per_lane,
                     difference.operation.bytes_per_lane == 1 ? "" : "s");
}

std::string sentence_of(const Difference& difference) {
  const std::string accesses = accesses_of(difference);
  const std::string_view are = difference.sites == 1 ? "is" : "are";
  const std::string names = fmt::format("{}", fmt::join(difference.names, ", "));
  switch (difference.fate) {
    case Fate::Merged:
      return fmt::format("{} of the PTX {} {} in the machine code", accesses, are, names);
    case Fate::Removed:
      return fmt::format("{} of the PTX {} no instruction: the data stay in registers, or are an operand",
                         accesses, are);
    case Fate::Narrower:
      return fmt::format("{} of the PTX: {} moves a part of the bytes; counted as in the PTX", accesses,
                         names);
    case Fate::Replaced:
      return fmt::format("{} of the PTX {} a loop or other instructions ({}); counted as in the PTX",
                         accesses, are, names);
    case Fate::Same:
      break;
  }
  return accesses;
}

/// "requests 64 -> 16, wavefronts 64 -> 32": what differs.
std::string counts_of(const Difference& difference) {
  std::vector<std::string> counts;
  const auto add = [&](std::string_view name, uint64_t Totals::* count) {
    const uint64_t before = difference.ptx.*count;
    const uint64_t after = difference.machine.*count;
    if (before != 0 || after != 0)
      counts.push_back(fmt::format("{} {} -> {}", name, count_text(before), count_text(after)));
  };
  add("requests", &Totals::requests);
  add("sectors", &Totals::sectors);
  add("wavefronts", &Totals::wavefronts);
  return fmt::format("{}", fmt::join(counts, ", "));
}

std::string_view word_of(model::ResidencyLimit limit) {
  switch (limit) {
    case model::ResidencyLimit::Blocks:
      return "blocks";
    case model::ResidencyLimit::Warps:
      return "warps";
    case model::ResidencyLimit::SharedMemory:
      return "shared memory";
    case model::ResidencyLimit::Registers:
      return "registers";
  }
  return "unknown";
}

/// "6 blocks of 256 threads fit on a multiprocessor of NVIDIA H200, 48 of its 64 warps; limit: registers".
std::string occupancy_text(const trace::Trace& trace, const model::Device& device) {
  const model::Residency residency = model::residency_of(trace, device);
  const uint64_t threads = volume(trace.block);
  const uint64_t warps = residency.per_multiprocessor * ((threads + kLanes - 1) / kLanes);
  const bool is_one = residency.per_multiprocessor == 1;
  return fmt::format("{} block{} of {} threads {} on a multiprocessor of {}, {} of its {} warps; limit: {}\n",
                     residency.per_multiprocessor, is_one ? "" : "s", threads, is_one ? "fits" : "fit",
                     device.title, warps, device.warps_per_multiprocessor, word_of(residency.limit));
}

}  // namespace

std::string machine_text(const trace::Trace& trace, const sass::MachineLevel& level,
                         const model::Device& device) {
  const sass::MatchedShare share = sass::matched_share(level);
  std::string text = fmt::format("machine code for {}: {} register{} per thread, ", level.arch,
                                 level.registers, level.registers == 1 ? "" : "s");
  text += level.stack_bytes == 0 ? "no local memory"
                                 : fmt::format("{} bytes of local memory per thread", level.stack_bytes);
  if (!level.match.spills.empty())
    text += fmt::format(", {} instruction{} for spilled registers, which are not counted",
                        level.match.spills.size(), level.match.spills.size() == 1 ? "" : "s");
  text += '\n' + occupancy_text(trace, device);
  text += fmt::format("{} of {} requests of the PTX are matched with it\n", count_text(share.matched),
                      count_text(share.all));
  for (const Difference& difference : differences_of(trace, level)) {
    text +=
        fmt::format("  {}: {}", without_control_characters(place_of(difference)), sentence_of(difference));
    if (difference.fate == Fate::Merged || difference.fate == Fate::Removed)
      text += fmt::format(": {}", counts_of(difference));
    if (difference.uneven != 0)
      text +=
          fmt::format("; {} accesses do not fit its windows, so this count is a guess", difference.uneven);
    text += '\n';
  }
  return text;
}

Json machine_json(const trace::Trace& trace, const sass::MachineLevel& level, const model::Device& device) {
  const sass::MatchedShare share = sass::matched_share(level);
  const auto counts = [](const Totals& totals) {
    return Json{{"requests", totals.requests},
                {"lanes", totals.lanes},
                {"sectors", totals.sectors},
                {"wavefronts", totals.wavefronts},
                {"ideal_wavefronts", totals.ideal_wavefronts}};
  };
  const model::Residency residency = model::residency_of(trace, device);
  Json differences = Json::array();
  for (const Difference& difference : differences_of(trace, level))
    differences.push_back({{"file", difference.where.file},
                           {"line", difference.where.line},
                           {"lines", difference.lines},
                           {"space", name_of(difference.operation.space)},
                           {"kind", name_of(difference.operation.kind)},
                           {"bytes_per_lane", difference.operation.bytes_per_lane},
                           {"fate", word_of(difference.fate)},
                           {"ptx_instructions", difference.sites},
                           {"machine_instructions", difference.instructions.size()},
                           {"names", difference.names},
                           {"ptx", counts(difference.ptx)},
                           {"machine", counts(difference.machine)},
                           {"uneven", difference.uneven}});
  return {{"arch", level.arch},
          {"registers", level.registers},
          {"local_bytes", level.stack_bytes},
          {"spill_instructions", level.match.spills.size()},
          {"resident_blocks", residency.per_multiprocessor},
          {"resident_blocks_limit", word_of(residency.limit)},
          {"matched_requests", share.matched},
          {"requests", share.all},
          {"differences", std::move(differences)}};
}

}  // namespace lanescope::exporting
