#include "export/machine_report.h"

#include "base/counted_phrase.h"
#include "base/number.h"
#include "base/text.h"
#include "export/divergence_text.h"
#include "export/local_memory_text.h"
#include "export/machine_differences.h"
#include "model/residency.h"

#include <utility>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using trace::Totals;

/// "room for 6 blocks of 256 threads on a multiprocessor of NVIDIA H200, 48 of its 64 warps; limit:
/// registers".
std::string occupancy_text(const trace::Trace& trace, const model::Device& device) {
  const model::Residency residency = model::residency_of(trace, device);
  const uint64_t threads = volume(trace.block);
  const uint64_t warps = residency.per_multiprocessor * ((threads + kLanes - 1) / kLanes);
  return counted_phrase(
      Language::English,
      "room for {} block[|s] of {} thread[|s] on a multiprocessor of {}, {} of its {} warps; limit: {}\n",
      residency.per_multiprocessor, threads, device.title, warps, device.warps_per_multiprocessor,
      name_of(residency.limit));
}

}  // namespace

std::string machine_text(const trace::Trace& trace, const sass::MachineLevel& level,
                         const model::Device& device) {
  const sass::MatchedShare share = sass::matched_share(level);
  std::string text = counted_phrase(Language::English, "machine code for {}: {} register[|s] per thread, ",
                                    level.arch, level.registers);
  text += level.stack_bytes == 0 ? "no local memory"
                                 : counted_phrase(Language::English, "{} byte[|s] of local memory per thread",
                                                  level.stack_bytes);
  if (!level.match.spills.empty())
    text +=
        counted_phrase(Language::English, ", {} instruction[|s] for spilled registers, which are not counted",
                       level.match.spills.size());
  text += '\n' + local_memory_text(level.local) + occupancy_text(trace, device);
  text += fmt::format("{} of {} requests of the PTX are matched with it\n",
                      number(Language::English, share.matched), number(Language::English, share.all));
  for (const MachineDifference& difference : machine_differences(trace, level))
    text += fmt::format("  {}\n", text_of(difference));
  return text + divergence_text(trace, level);
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
  for (const MachineDifference& difference : machine_differences(trace, level))
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
          {"local_memory", local_memory_json(level.local)},
          {"spill_instructions", level.match.spills.size()},
          {"resident_blocks", residency.per_multiprocessor},
          {"resident_blocks_limit", name_of(residency.limit)},
          {"matched_requests", share.matched},
          {"requests", share.all},
          {"differences", std::move(differences)},
          {"divergence", divergence_json(trace, level)}};
}

}  // namespace lanescope::exporting
