#include "driver/launch_record.h"

#include "base/escape.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

struct KernelSum {
  std::string kernel;
  uint64_t launches = 0, failed = 0, findings = 0;
  std::vector<std::string> shapes;  // different ones
  LaunchCost cost;
  double seconds = 0;
};

std::string shape_of(const LaunchRecord& record) {
  const auto text = [](Dim3 extent) {
    if (extent.z > 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
    return extent.y > 1 ? fmt::format("{}x{}", extent.x, extent.y) : fmt::format("{}", extent.x);
  };
  return text(record.grid) + ", " + text(record.block);
}

std::vector<KernelSum> sums_of(const std::vector<LaunchRecord>& records) {
  std::vector<KernelSum> sums;
  for (const LaunchRecord& record : records) {
    auto sum = std::ranges::find(sums, record.kernel, &KernelSum::kernel);
    if (sum == sums.end()) {
      sums.push_back({.kernel = record.kernel, .shapes = {}, .cost = {}});
      sum = sums.end() - 1;
    }
    ++sum->launches;
    sum->failed += record.error.empty() ? 0 : 1;
    sum->findings += record.findings.size();
    sum->seconds += record.seconds;
    sum->cost.sectors += record.cost.sectors;
    sum->cost.ideal_sectors += record.cost.ideal_sectors;
    sum->cost.wavefronts += record.cost.wavefronts;
    sum->cost.ideal_wavefronts += record.cost.ideal_wavefronts;
    if (std::ranges::find(sum->shapes, shape_of(record)) == sum->shapes.end())
      sum->shapes.push_back(shape_of(record));
  }
  return sums;
}

/// "524288 (8.0x ideal)"
std::string against_ideal(uint64_t actual, uint64_t ideal) {
  if (actual == 0) return "-";
  if (actual <= ideal) return fmt::format("{} (ideal)", actual);
  return fmt::format("{} ({:.1f}x ideal)", actual, static_cast<double>(actual) / static_cast<double>(ideal));
}

std::string time_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} ms", 1e3 * seconds) : fmt::format("{:.2f} s", seconds);
}

std::string findings_text(const KernelSum& sum) {
  std::string text = sum.findings == 0 ? "" : fmt::format("{} found", sum.findings);
  if (sum.failed > 0) text += fmt::format("{}{} failed", text.empty() ? "" : ", ", sum.failed);
  return text.empty() ? "none" : text;
}

nlohmann::json json_of(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

}  // namespace

LaunchCost cost_of(const trace::Trace& trace) {
  LaunchCost cost;
  for (const trace::Totals& totals : trace.totals) {
    cost.requests += totals.requests;
    cost.sectors += totals.sectors;
    cost.ideal_sectors += totals.ideal_sectors;
    cost.wavefronts += totals.wavefronts;
    cost.ideal_wavefronts += totals.ideal_wavefronts;
  }
  return cost;
}

nlohmann::json to_json(const LaunchRecord& record) {
  nlohmann::json json{{"number", record.number},
                      {"process", record.process},
                      {"kernel", record.kernel},
                      {"entry", record.entry},
                      {"grid", json_of(record.grid)},
                      {"block", json_of(record.block)},
                      {"dynamic_shared_bytes", record.dynamic_shared_bytes},
                      {"emulated_seconds", record.seconds},
                      {"requests", record.cost.requests},
                      {"sectors", record.cost.sectors},
                      {"ideal_sectors", record.cost.ideal_sectors},
                      {"wavefronts", record.cost.wavefronts},
                      {"ideal_wavefronts", record.cost.ideal_wavefronts},
                      {"warp_instructions", record.warp_instructions},
                      {"checked", record.was_checked},
                      {"findings", record.findings}};
  if (!record.error.empty()) json["error"] = record.error;
  if (!record.file.empty()) json["file"] = record.file;
  return json;
}

std::string table_of(const std::vector<LaunchRecord>& records) {
  const std::vector<KernelSum> sums = sums_of(records);
  std::vector<std::array<std::string, 7>> rows{
      {"kernel", "launches", "grid, block", "sectors", "wavefronts", "hazards", "emulated"}};
  for (const KernelSum& sum : sums) {
    const size_t others = sum.shapes.size() - 1;
    rows.push_back({without_control_characters(sum.kernel), fmt::format("{}", sum.launches),
                    sum.shapes.front() + (others == 0 ? "" : fmt::format(" and {} more", others)),
                    against_ideal(sum.cost.sectors, sum.cost.ideal_sectors),
                    against_ideal(sum.cost.wavefronts, sum.cost.ideal_wavefronts), findings_text(sum),
                    time_text(sum.seconds)});
  }
  std::array<size_t, 7> widths{};
  for (const auto& row : rows)
    for (size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t n = 0; n < row.size(); ++n) line += fmt::format("{:<{}}  ", row[n], widths[n]);
    text += std::string_view(line).substr(0, line.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace lanescope::driver
