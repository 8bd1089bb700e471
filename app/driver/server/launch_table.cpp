#include "driver/server/launch_table.h"

#include "base/counted_phrase.h"
#include "base/dim3_text.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "driver/server/program_findings.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::driver {
namespace {

struct KernelSum {
  std::string kernel, entry;
  uint64_t module = 0;
  uint32_t first = 0;  // the number of its first launch
  uint64_t launches = 0, emulated = 0, measured = 0, failed = 0, findings = 0;
  std::vector<std::string> shapes = {};  // different ones
  trace::LaunchCost cost = {};
  double seconds = 0, measured_seconds = 0;
  std::map<uint32_t, uint64_t> repeats = {};  // [number of a launch] launches that would repeat it
  uint64_t sampled = 0;                       // launches of which some blocks ran
  uint64_t sampled_blocks = 0, blocks = 0;    // that ran of them, and that they have
  uint64_t incomplete = 0;                    // launches with incomplete inputs
  uint64_t machine_launches = 0;              // that count the machine code
  CountedMachineCode machine = {};            // of its launches; of the first the differences
  uint64_t cached = 0;                        // launches whose caches were modelled
  LaunchCaches caches = {};                   // of them
};

std::string shape_of(const LaunchRecord& record) {
  return extent_text(record.grid, "x") + ", " + extent_text(record.block, "x");
}

void add(KernelSum& sum, const LaunchRecord& record) {
  ++sum.launches;
  sum.emulated += record.was_emulated ? 1 : 0;
  sum.measured += record.measured_seconds ? 1 : 0;
  sum.failed += record.error.empty() ? 0 : 1;
  sum.findings += record.findings.size();
  sum.seconds += record.seconds;
  if (record.repeats) ++sum.repeats[*record.repeats];
  if (record.sampled_blocks != 0) {
    ++sum.sampled;
    sum.sampled_blocks += record.sampled_blocks;
    sum.blocks += volume(record.grid);
  }
  sum.incomplete += record.has_incomplete_inputs ? 1 : 0;
  if (record.machine) {
    if (sum.machine_launches++ == 0) sum.machine.differences = record.machine->differences;
    sum.machine.arch = record.machine->arch;
    sum.machine.matched += record.machine->matched;
    sum.machine.all += record.machine->all;
  }
  if (record.caches) {
    ++sum.cached;
    add(sum.caches, *record.caches);
  }
  sum.measured_seconds += record.measured_seconds.value_or(0);
  sum.cost.sectors += record.cost.sectors;
  sum.cost.ideal_sectors += record.cost.ideal_sectors;
  sum.cost.wavefronts += record.cost.wavefronts;
  sum.cost.ideal_wavefronts += record.cost.ideal_wavefronts;
  if (std::ranges::find(sum.shapes, shape_of(record)) == sum.shapes.end())
    sum.shapes.push_back(shape_of(record));
}

std::vector<KernelSum> sums_of(const LaunchRecords& records) {
  std::vector<KernelSum> sums;
  std::map<std::tuple<std::string, std::string, uint64_t>, size_t> known;  // [program, entry, module]
  const bool has_several = has_several_programs(records);
  std::map<std::string, int> of_name;  // [kernel] rows
  for (const LaunchRecord& record : records) {
    const auto [found, is_new] =
        known.try_emplace({has_several ? record.program : "",
                           record.entry.empty() ? record.kernel : record.entry, record.module},
                          sums.size());
    if (is_new) {
      const std::string name = (has_several ? record.program + ": " : "") + record.kernel;
      const int same = ++of_name[name];
      sums.push_back({.kernel = name + (same == 1 ? "" : fmt::format(" ({})", same)),
                      .entry = record.entry,
                      .module = record.module,
                      .first = record.number});
    }
    add(sums[found->second], record);
  }
  return sums;
}

/// "524288 (8.0x ideal)"
std::string against_ideal(uint64_t actual, uint64_t ideal) {
  if (actual == 0) return "-";
  if (actual <= ideal) return fmt::format("{} (ideal)", actual);
  return fmt::format("{} ({:.1f}x ideal)", actual, static_cast<double>(actual) / static_cast<double>(ideal));
}

std::string findings_text(const KernelSum& sum) {
  std::string text = sum.findings == 0 ? "" : fmt::format("{} found", sum.findings);
  if (sum.failed > 0) text += fmt::format("{}{} failed", text.empty() ? "" : ", ", sum.failed);
  return text.empty() ? "none" : text;
}

/// Shortens a name in its middle: template instances have long names, which often differ near their ends.
std::string shortened(const std::string& name) {
  constexpr size_t kMost = 60, kFirst = 36, kLast = 21;
  if (name.size() <= kMost) return name;
  return valid_utf8(name.substr(0, kFirst)) + "..." + valid_utf8(name.substr(name.size() - kLast));
}

using Row = std::array<std::string, 9>;

Row row_of(const KernelSum& sum, bool is_of_gpu) {
  const size_t others = sum.shapes.size() - 1;
  Row row{fmt::format("{}", sum.first + 1), shortened(without_control_characters(sum.kernel)),
          fmt::format("{}", sum.launches),
          sum.shapes.front() + (others == 0 ? "" : fmt::format(" and {} more", others))};
  const auto emulated = [&](const std::string& text) { return sum.emulated == 0 ? "-" : text; };
  // Counts cover the emulated launches only.
  const std::string part =
      sum.emulated == 0 || sum.emulated == sum.launches ? "" : fmt::format(" of {}", sum.emulated);
  const auto count = [&](uint64_t actual, uint64_t ideal) {
    return emulated(against_ideal(actual, ideal)) + (sum.sampled > 0 && actual > 0 ? " of a part" : "");
  };
  row[4] = count(sum.cost.sectors, sum.cost.ideal_sectors);
  row[5] = count(sum.cost.wavefronts, sum.cost.ideal_wavefronts);
  row[6] = sum.emulated == 0 && sum.failed == 0 ? "-" : findings_text(sum);
  row[7] = emulated(time_text(sum.seconds)) + part;
  if (is_of_gpu && sum.measured > 0)
    row[8] = time_text(sum.measured_seconds) +
             (sum.measured == sum.launches ? "" : fmt::format(" of {}", sum.measured));
  else if (is_of_gpu)
    row[8] = "-";
  return row;
}

/// "most of 12.31 s: mm 91 %, add 6 %": the kernels that took the time, where that was long.
std::string slowest_text(const std::vector<KernelSum>& sums) {
  constexpr double kLong = 5, kLeast = 0.05;  // seconds, share
  constexpr size_t kMost = 3;
  double total = 0;
  for (const KernelSum& sum : sums) total += sum.seconds;
  if (total < kLong || sums.size() < 2) return {};
  std::vector<const KernelSum*> slowest;
  for (const KernelSum& sum : sums)
    if (sum.seconds >= kLeast * total) slowest.push_back(&sum);
  std::ranges::stable_sort(slowest, std::ranges::greater(), &KernelSum::seconds);
  std::vector<std::string> shares;
  for (const KernelSum* sum : slowest)
    if (shares.size() < kMost)
      shares.push_back(fmt::format("{} {:.0f} %", shortened(without_control_characters(sum->kernel)),
                                   100 * sum->seconds / total));
  return fmt::format("most of {}: {}\n", time_text(total), fmt::join(shares, ", "));
}

/// "998 repeats of launch 2, not run again"
std::string repeats_text(const std::map<uint32_t, uint64_t>& repeats) {
  uint64_t count = 0;
  for (const auto& [number, times] : repeats) count += times;
  const std::string of = repeats.size() == 1 ? fmt::format("launch {}", repeats.begin()->first + 1)
                                             : fmt::format("{} launches", repeats.size());
  return fmt::format("{} repeat{} of {}, not run again", count, count == 1 ? "" : "s", of);
}

/// "64 of 65536 blocks ran, and have the counts (--sample-blocks)"
std::string sample_text(const KernelSum& sum) {
  std::string text =
      fmt::format("{} of {} blocks{} ran, and have the counts (--sample-blocks)", sum.sampled_blocks,
                  sum.blocks, sum.sampled == 1 ? "" : fmt::format(" in {} launches", sum.sampled));
  if (sum.sampled < sum.launches) text += "; the other launches ran whole";
  return text;
}

/// Level that the table counts, and what the machine code changes; empty where no launch counts it.
std::string level_text(const std::vector<KernelSum>& sums) {
  constexpr size_t kMostLines = 3;
  CountedMachineCode all;
  uint64_t of_ptx = 0;
  std::string text;
  for (const KernelSum& sum : sums) {
    of_ptx += sum.emulated - std::min(sum.emulated, sum.machine_launches);
    if (sum.machine_launches == 0) continue;
    all.arch = sum.machine.arch;
    all.matched += sum.machine.matched;
    all.all += sum.machine.all;
    const std::vector<std::string>& lines = sum.machine.differences;
    for (size_t n = 0; n < std::min(lines.size(), kMostLines); ++n)
      text += fmt::format("  {}: {}\n", shortened(without_control_characters(sum.kernel)), lines[n]);
    if (lines.size() > kMostLines)
      text += fmt::format("  {}: and {} more, in --json\n", shortened(without_control_characters(sum.kernel)),
                          lines.size() - kMostLines);
  }
  if (all.arch.empty()) return {};
  return fmt::format(
             "counts of the machine code for {}: {} of {} requests of the PTX are matched with it{}\n",
             all.arch, number(Language::English, all.matched), number(Language::English, all.all),
             of_ptx == 0 ? ""
                         : counted_phrase(Language::English,
                                          "; {} launch[|es] count[s|] the PTX, see the notes", of_ptx)) +
         text;
}

/// Table of the modelled caches by kernel.
std::string caches_text(const std::vector<KernelSum>& sums) {
  std::vector<KernelCaches> kernels;
  for (const KernelSum& sum : sums)
    if (sum.cached != 0)
      kernels.push_back({shortened(without_control_characters(sum.kernel)), sum.cached, sum.caches});
  return cache_table_of(kernels);
}

}  // namespace

std::string table_of(const LaunchRecords& records, const std::vector<LibraryCalls>& library_calls) {
  std::vector<Row> rows{
      {"launch", "kernel", "launches", "grid, block", "sectors", "wavefronts", "hazards", "emulated", ""}};
  const bool is_of_gpu = std::ranges::any_of(
      records, [](const LaunchRecord& one) { return !one.was_emulated || one.measured_seconds; });
  if (is_of_gpu) rows.front().back() = "measured";
  const std::vector<KernelSum> sums = sums_of(records);
  for (const KernelSum& sum : sums) rows.push_back(row_of(sum, is_of_gpu));
  for (const LibraryCalls& calls : library_calls)
    rows.push_back({"library", shortened(without_control_characters(calls.function)),
                    fmt::format("{}", calls.calls), "", "", "",
                    calls.failed == 0 ? "" : fmt::format("{} failed", calls.failed), time_text(calls.seconds),
                    ""});
  std::array<size_t, std::tuple_size_v<Row>> widths{};
  for (const auto& row : rows)
    for (size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t n = 0; n < row.size(); ++n) line += fmt::format("{:<{}}  ", row[n], widths[n]);
    text += std::string_view(line).substr(0, line.find_last_not_of(' ') + 1);
    text += '\n';
  }
  text += level_text(sums);
  text += slowest_text(sums);
  for (const KernelSum& sum : sums)
    if (!sum.repeats.empty())
      text += fmt::format("{}: {}\n", shortened(without_control_characters(sum.kernel)),
                          repeats_text(sum.repeats));
  for (const KernelSum& sum : sums) {
    const std::string name = shortened(without_control_characters(sum.kernel));
    if (sum.sampled > 0) text += fmt::format("{}: {}\n", name, sample_text(sum));
    if (sum.incomplete > 0)
      text += fmt::format("{}: {} launch{} read what a sampled launch left incomplete (--sample-all)\n", name,
                          sum.incomplete, sum.incomplete == 1 ? "" : "es");
  }
  return text + caches_text(sums);
}

}  // namespace lanescope::driver
