#include "recordings/peer_recording.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "recordings/json_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::recordings {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicro = 1e-6;

std::unexpected<Error> no_peers(const std::string& name, std::string_view what) {
  return fail(
      ErrorKind::Syntax,
      fmt::format("a recording of peers was expected, made by tests/benchmark/peers/measure.sh; {}", what),
      Location{name, 0});
}

using Reader = JsonReader<Json>;

Result<RecordedSeconds> seconds_of(const Reader& entry, const char* key) {
  TRY(const Json times, entry.member(key));
  const Reader reader = entry.of(times);
  RecordedSeconds seconds;
  TRY(seconds.minimum, reader.amount("minimum"));
  TRY(seconds.lower_quartile, reader.amount("lower_quartile"));
  TRY(seconds.median, reader.amount("median"));
  TRY(seconds.upper_quartile, reader.amount("upper_quartile"));
  if (seconds.median <= 0) return entry.no_recording(fmt::format("a time of '{}' is 0", key));
  for (double* time : {&seconds.minimum, &seconds.lower_quartile, &seconds.median, &seconds.upper_quartile})
    *time *= kMicro;
  return seconds;
}

Result<PeerRecording::Entry> entry_of(const Reader& reader) {
  PeerRecording::Entry entry;
  TRY(entry.lesson, reader.text("lesson"));
  TRY(entry.name, reader.text("name"));
  TRY(entry.beside, reader.text("beside"));
  TRY(entry.size, reader.count("size"));
  TRY(entry.work, reader.amount("work"));
  TRY(entry.cold, seconds_of(reader, "cold"));
  TRY(entry.warm, seconds_of(reader, "warm"));
  TRY(entry.is_peer, reader.flag("peer"));
  return entry;
}

Result<PeerRecording::Counts> counts_of(const Reader& reader) {
  PeerRecording::Counts counts;
  TRY(counts.lesson, reader.text("lesson"));
  TRY(counts.name, reader.text("name"));
  TRY(counts.size, reader.count("size"));
  TRY(const Json gpu, reader.member("gpu"));
  TRY(const Json emulator, reader.member("emulator"));
  for (const auto& item : gpu.items()) {
    TRY(const uint64_t measured, reader.of(gpu).count(item.key().c_str()));
    TRY(const uint64_t counted, reader.of(emulator).count(item.key().c_str()));
    counts.values[item.key()] = {measured, counted};
  }
  return counts;
}

Result<PeerRecording::Limit> limit_of(const Reader& reader) {
  PeerRecording::Limit limit;
  TRY(limit.name, reader.text("name"));
  TRY(limit.sm_ghz, reader.amount("sm_ghz"));
  TRY(limit.compute_percent, reader.amount("compute_percent"));
  TRY(limit.dram_percent, reader.amount("dram_percent"));
  TRY(limit.l2_percent, reader.amount("l2_percent"));
  TRY(limit.l1_percent, reader.amount("l1_percent"));
  TRY(limit.pipeline, reader.text("pipeline"));
  for (const Json& stall : reader.object.value("stalls", Json::array())) {
    if (!stall.is_string()) return reader.no_recording("'stalls' are no texts");
    limit.stalls.push_back(stall.get<std::string>());
  }
  return limit;
}

double rate_of(const PeerRecording& recording, const PeerRecording::Entry& entry,
               const RecordedSeconds& seconds) {
  return entry.work / seconds.median / recording.units.at(entry.lesson).scale;
}

/// Three digits: "45.1", "4165".
std::string digits(double value) {
  if (value >= 100) return fmt::format("{:.0f}", value);
  return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

/// A row for each kernel and peer, a column for each size.
std::string shares_table(const PeerRecording& recording, const std::string& lesson) {
  std::vector<uint64_t> sizes;
  std::vector<std::string> names;
  std::string below;
  for (const PeerRecording::Entry& entry : recording.entries) {
    if (entry.lesson != lesson) continue;
    if (entry.size == 0) {
      below += fmt::format("\n{}: {} {}.\n", entry.name, digits(rate_of(recording, entry, entry.warm)),
                           recording.units.at(lesson).name);
      continue;
    }
    if (std::ranges::count(sizes, entry.size) == 0) sizes.push_back(entry.size);
    if (std::ranges::count(names, entry.name) == 0) names.push_back(entry.name);
  }
  std::ranges::sort(sizes);
  std::string table = fmt::format("| {} |", recording.units.at(lesson).name);
  std::string rule = "|---|";
  for (const uint64_t size : sizes) {
    table += fmt::format(" {} |", size);
    rule += "---:|";
  }
  table += "\n" + rule + "\n";
  for (const std::string& name : names) {
    table += fmt::format("| {} |", name);
    for (const uint64_t size : sizes) {
      const auto entry = std::ranges::find_if(recording.entries, [&](const PeerRecording::Entry& one) {
        return one.lesson == lesson && one.name == name && one.size == size;
      });
      if (entry == recording.entries.end()) {
        table += " – |";
        continue;
      }
      table += fmt::format(" {}", digits(rate_of(recording, *entry, entry->warm)));
      const PeerRecording::Entry* peer = peer_of(recording, *entry);
      if (peer != nullptr && peer->name != name)
        table += fmt::format(" ({:.1f} %, cold {:.1f} %)", 100 * peer->warm.median / entry->warm.median,
                             100 * peer->cold.median / entry->cold.median);
      table += " |";
    }
    table += "\n";
  }
  return table + below;
}

std::string counts_table(const PeerRecording& recording, const std::string& lesson) {
  constexpr std::pair<const char*, const char*> kColumns[] = {
      {"read_requests", "read requests"},     {"read_sectors", "read sectors"},
      {"write_requests", "written requests"}, {"write_sectors", "written sectors"},
      {"load_wavefronts", "load wavefronts"}, {"store_wavefronts", "store wavefronts"},
      {"address_wavefronts", "by address"},
  };
  std::string table = "| kernel | size |";
  std::string rule = "|---|---:|";
  for (const auto& [key, title] : kColumns) {
    table += fmt::format(" {} |", title);
    rule += "---:|";
  }
  table += "\n" + rule + "\n";
  for (const PeerRecording::Counts& counts : recording.counts) {
    if (counts.lesson != lesson) continue;
    table += fmt::format("| {} | {} |", counts.name, counts.size);
    for (const auto& [key, title] : kColumns) {
      const auto value = counts.values.find(key);
      if (value == counts.values.end())
        table += " – |";
      else if (const auto& [gpu, emulator] = value->second; gpu == emulator)
        table += fmt::format(" {} |", gpu);
      else
        table += fmt::format(" {} / {} |", gpu, emulator);
    }
    table += "\n";
  }
  return table;
}

std::string limits_table(const PeerRecording& recording) {
  std::string table =
      "| kernel | GHz | compute | L1 | L2 | DRAM | busiest pipeline | stalled between two instructions |\n"
      "|---|---:|---:|---:|---:|---:|---|---|\n";
  for (const PeerRecording::Limit& limit : recording.limits)
    table += fmt::format("| {} | {:.2f} | {:.0f} % | {:.0f} % | {:.0f} % | {:.0f} % | {} | {} |\n",
                         limit.name, limit.sm_ghz, limit.compute_percent, limit.l1_percent, limit.l2_percent,
                         limit.dram_percent, limit.pipeline, fmt::join(limit.stalls, "; "));
  return table;
}

constexpr const char* kCauses = R"(
Where two counts stand, the first is the GPU's and the second the emulator's. Causes that were found in the PTX and the SASS: ptxas
joins loads of neighboring words into one of 16 bytes (`shared_tile`, `registers_1d`, `registers_2d`), and stores that the PTX
has as four of 4 bytes into one of 16 (`vectorized`, `conflict_free`, `double_buffered`). Store wavefronts beyond those of the
addresses come from the arbitration of the pipe. A `cp.async` of 4 bytes goes through the L1 and needs at least a wavefront for each
lane whose word is at the same place of a line, however its writes are spread over the banks: four for the four rows of `a` that a warp reads
(`double_buffered`, `warp_tiles`); so it was in all 40 regular patterns of a probe. The emulator counts the banks that are
written. One of 16 bytes past the L1 (`cp.async.cg`) is in no counter of the pipe, only in those by address. The 0.2 %
of `tensor_pipeline` have no cause that we know. Bulk copies (`bulk`) pass by these counters.
)";

}  // namespace

const PeerRecording::Entry* peer_of(const PeerRecording& recording, const PeerRecording::Entry& entry) {
  const auto peer = std::ranges::find_if(recording.entries, [&](const PeerRecording::Entry& one) {
    return one.lesson == entry.lesson && one.name == entry.beside && one.size == entry.size;
  });
  return peer == recording.entries.end() ? nullptr : &*peer;
}

Result<PeerRecording> parse_peers(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return no_peers(name, "this is no JSON object");
  const Reader reader{json, [&](const std::string& what) { return no_peers(name, what); }};
  PeerRecording recording;
  TRY(recording.gpu, reader.text("gpu"));
  TRY(recording.driver, reader.text("driver"));
  TRY(recording.cuda, reader.text("cuda"));
  TRY(recording.date, reader.text("date"));
  TRY(recording.repetitions, reader.count("repetitions", UINT32_MAX));
  TRY(const Json units, reader.member("units"));
  for (const auto& item : units.items()) {
    TRY(const Json unit, reader.of(units).member(item.key().c_str()));
    PeerRecording::Unit& kept = recording.units[item.key()];
    TRY(kept.name, reader.of(unit).text("name"));
    TRY(kept.scale, reader.of(unit).amount("scale"));
    if (kept.scale <= 0) return no_peers(name, fmt::format("the scale of '{}' is 0", kept.name));
  }
  TRY(const Json entries, reader.list("entries"));
  for (const Json& object : entries) {
    TRY(PeerRecording::Entry entry, entry_of(reader.of(object)));
    if (!recording.units.contains(entry.lesson))
      return no_peers(name, fmt::format("'units' has no unit for '{}'", entry.lesson));
    recording.entries.push_back(std::move(entry));
  }
  TRY(const Json counts, reader.list("counts"));
  for (const Json& object : counts) {
    TRY(PeerRecording::Counts one, counts_of(reader.of(object)));
    recording.counts.push_back(std::move(one));
  }
  TRY(const Json limits, reader.list("limits"));
  for (const Json& object : limits) {
    TRY(PeerRecording::Limit one, limit_of(reader.of(object)));
    recording.limits.push_back(std::move(one));
  }
  return recording;
}

Result<PeerRecording> read_peers(const std::filesystem::path& file) {
  TRY(const std::string text, read_text(file));
  return parse_peers(text, file.string());
}

std::string peer_tables(const PeerRecording& recording) {
  std::string text = fmt::format(
      "{}, driver {}, CUDA {}, {}; medians of {} repetitions. Rates with a warm L2; in parentheses the share "
      "of the peer's speed, warm and cold, in the same run: cuBLAS without TF32 for products of floats, "
      "`cublasHgemm` for those of halves, the copy by the driver, CUB.\n",
      recording.gpu, recording.driver, recording.cuda, recording.date, recording.repetitions);
  std::vector<std::string> lessons;
  for (const PeerRecording::Entry& entry : recording.entries)
    if (std::ranges::count(lessons, entry.lesson) == 0) lessons.push_back(entry.lesson);
  for (const std::string& lesson : lessons) {
    text += "\n" + shares_table(recording, lesson);
    if (std::ranges::count(recording.counts, lesson, &PeerRecording::Counts::lesson) != 0)
      text += "\n" + counts_table(recording, lesson);
  }
  text += kCauses;
  return text + "\nWhat Nsight Compute says of the last rungs, in shares of the peak:\n\n" +
         limits_table(recording);
}

}  // namespace lanescope::recordings
