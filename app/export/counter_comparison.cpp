#include "export/counter_comparison.h"

#include "base/escape.h"
#include "base/number.h"
#include "base/text.h"
#include "export/ncu_table.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::exporting {
namespace {

using sass::Fate;
using trace::Totals;

const trace::HardwareCountRow& row_of(trace::HardwareCount count) {
  return trace::hardware_count_rows()[static_cast<size_t>(count)];
}

ExplainedBy explained_by(uint64_t counter, uint64_t ptx, std::optional<uint64_t> machine) {
  const bool by_ptx = counter == ptx;
  if (machine == counter) return by_ptx ? ExplainedBy::Both : ExplainedBy::MachineCode;
  return by_ptx ? ExplainedBy::Ptx : ExplainedBy::Neither;
}

/// "PTX", and so on, for a table.
std::string_view level_of(ExplainedBy level) {
  switch (level) {
    case ExplainedBy::Both:
      return "both";
    case ExplainedBy::Ptx:
      return "PTX";
    case ExplainedBy::MachineCode:
      return "machine code";
    case ExplainedBy::Neither:
      break;
  }
  return "neither";
}

std::string_view key_of(ExplainedBy level) {
  switch (level) {
    case ExplainedBy::Both:
      return "both";
    case ExplainedBy::Ptx:
      return "ptx";
    case ExplainedBy::MachineCode:
      return "sass";
    case ExplainedBy::Neither:
      break;
  }
  return "neither";
}

/// The lines of the sites that `has` chooses, "k.cu:7, k.cu:9".
template <class F>
std::string lines_of_sites(const trace::Trace& trace, F&& has) {
  std::set<std::string> lines;
  for (const trace::Site& site : trace.sites)
    if (has(site)) lines.insert(fmt::format("{}:{}", site.source.file, site.source.line));
  return without_control_characters(fmt::format("{}", fmt::join(lines, ", ")));
}

/// What is known of a count that neither level explains.
std::vector<std::string> causes_of(const CountedTraffic& traffic, const trace::Trace& trace,
                                   const std::vector<Totals>& ptx, const sass::MachineLevel* machine) {
  std::vector<std::string> causes;
  const auto is_of = [&](const trace::Site& site) {
    return traffic.has(site.operation) && ptx[site.id.value].requests != 0;
  };
  const auto add = [&](const std::string& lines, std::string_view cause) {
    if (!lines.empty()) causes.push_back(fmt::format("{}: {}", lines, cause));
  };
  add(lines_of_sites(trace,
                     [&](const trace::Site& site) {
                       return is_of(site) && (site.depends_on_order || site.depends_on_warp_order);
                     }),
      "the count depends on the order of blocks or warps, which differs from run to run");
  if (machine != nullptr)
    add(lines_of_sites(trace,
                       [&](const trace::Site& site) {
                         return is_of(site) && machine->match.sites[site.id.value].fate == Fate::Replaced;
                       }),
        "the assembler makes a loop of it, whose rounds depend on what the warps meet");
  if (machine != nullptr && traffic.space == trace::Space::Local && !machine->match.spills.empty())
    causes.emplace_back("registers are spilled to local memory, and those accesses are not counted here");
  if (traffic.total == &Totals::wavefronts && traffic.space == trace::Space::Shared)
    causes.emplace_back("the memory pipe may make a wavefront twice, which does not follow from addresses");
  return causes;
}

std::vector<std::string> reasons_of(const ComparedCount& compared, const CountedTraffic& traffic,
                                    const trace::Trace& trace, const std::vector<Totals>& ptx,
                                    const sass::MachineLevel* machine,
                                    const std::vector<MachineDifference>& differences) {
  std::vector<std::string> reasons;
  if (compared.machine && compared.machine != compared.ptx)
    for (const MachineDifference& difference : differences)
      if (traffic.has(difference.operation) &&
          difference.ptx.*traffic.total != difference.machine.*traffic.total)
        reasons.push_back(text_of(difference));
  if (compared.explained_by != ExplainedBy::Neither) return reasons;
  const std::vector<std::string> causes = causes_of(traffic, trace, ptx, machine);
  reasons.insert(reasons.end(), causes.begin(), causes.end());
  if (causes.empty())
    reasons.emplace_back("no cause is known here: other data, another compiler, or other options of it");
  return reasons;
}

std::vector<std::string> notes_of(const ProfiledLaunch& launch, const sass::MachineLevel* machine,
                                  const std::string& arch) {
  std::vector<std::string> notes;
  if (launch.compute_capability && !arch.starts_with(fmt::format("sm_{}", *launch.compute_capability)))
    notes.push_back(fmt::format(
        "the counters are of compute capability {}.{}, and the kernel was compiled for {} here; "
        "--arch sm_{} makes that machine's code",
        *launch.compute_capability / 10, *launch.compute_capability % 10, arch, *launch.compute_capability));
  if (machine != nullptr && launch.registers && *launch.registers != machine->registers)
    notes.push_back(
        fmt::format("{} registers per thread there, {} here: another compiler or other options made that "
                    "machine code",
                    *launch.registers, machine->registers));
  return notes;
}

}  // namespace

CounterComparison compare_counters(const ProfiledLaunch& launch, const trace::Trace& trace,
                                   const std::vector<Totals>& ptx, const sass::MachineLevel* machine,
                                   const std::string& arch) {
  CounterComparison comparison;
  const trace::HardwareCounts of_ptx = counts_of(trace, ptx);
  trace::HardwareCounts of_machine;
  std::vector<MachineDifference> differences;
  if (machine != nullptr) {
    of_machine = counts_of(trace, sass::machine_totals(*machine));
    differences = machine_differences(trace, *machine);
  }
  for (const CountedTraffic& traffic : counted_traffic()) {
    const std::optional<uint64_t> counter = launch.counts[traffic.count];
    if (!counter) continue;
    ComparedCount compared{.count = traffic.count,
                           .counter = *counter,
                           .ptx = of_ptx[traffic.count].value_or(0),
                           .machine = of_machine[traffic.count]};
    compared.explained_by = explained_by(compared.counter, compared.ptx, compared.machine);
    compared.reasons = reasons_of(compared, traffic, trace, ptx, machine, differences);
    comparison.counts.push_back(std::move(compared));
  }
  comparison.notes = notes_of(launch, machine, arch);
  return comparison;
}

std::string comparison_text(const CounterComparison& comparison) {
  std::string text =
      fmt::format("counters of {}, launch {} of {} of this kernel\n",
                  without_control_characters(comparison.file), comparison.number, comparison.launches);
  for (const std::string& note : comparison.notes) text += fmt::format("  {}\n", note);
  size_t width = 0;
  for (const ComparedCount& count : comparison.counts)
    width = std::max(width, row_of(count.count).metric.size());
  text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:>14}  explained by\n", "metric", width, "counter", "PTX",
                      "machine code");
  size_t explained = 0;
  for (const ComparedCount& count : comparison.counts) {
    explained += count.explained_by == ExplainedBy::Neither ? 0 : 1;
    text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:>14}  {}\n", row_of(count.count).metric, width,
                        number(Language::English, count.counter), number(Language::English, count.ptx),
                        count.machine ? number(Language::English, *count.machine) : "not known",
                        level_of(count.explained_by));
    for (const std::string& reason : count.reasons) text += fmt::format("    {}\n", reason);
  }
  text += fmt::format("{} of {} counters are explained", explained, comparison.counts.size());
  if (comparison.other_metrics != 0)
    text += fmt::format("; other metrics of the file, which do not follow from addresses: {}",
                        comparison.other_metrics);
  return text + '\n';
}

Json comparison_json(const CounterComparison& comparison) {
  Json counts = Json::array();
  for (const ComparedCount& count : comparison.counts)
    counts.push_back({{"metric", row_of(count.count).metric},
                      {"counter", count.counter},
                      {"ptx", count.ptx},
                      {"sass", count.machine ? Json(*count.machine) : Json()},
                      {"explained_by", key_of(count.explained_by)},
                      {"reasons", count.reasons}});
  return {{"file", comparison.file},         {"launch", comparison.number},
          {"launches", comparison.launches}, {"notes", comparison.notes},
          {"counts", std::move(counts)},     {"other_metrics", comparison.other_metrics}};
}

}  // namespace lanescope::exporting
