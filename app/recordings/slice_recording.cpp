#include "recordings/slice_recording.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "recordings/recorded_gpu.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::recordings {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostBytes = uint64_t{1} << 20;
constexpr uint8_t kHomeBit = 64;  // above every pair
constexpr size_t kGranules = model::kSlicePageBytes / model::kSliceGranuleBytes;

std::unexpected<Error> no_slices(const std::string& name, std::string_view what) {
  return fail(ErrorKind::Syntax,
              fmt::format("a recording of slices was expected, made by 'lanescope slices'; {}", what),
              Location{name, 0});
}

/// Two hexadecimal digits a granule: the pair, and 64 for home 1.
std::string page_text(const std::vector<model::Slice>& page) {
  std::string text;
  for (const model::Slice& slice : page)
    text += fmt::format("{:02x}", slice.pair + (slice.home != 0 ? kHomeBit : 0));
  return text;
}

int digit_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  return -1;
}

Result<std::vector<model::Slice>> page_of(const std::string& text, const std::string& name) {
  if (text.size() != 2 * kGranules)
    return no_slices(name, fmt::format("'page' has {} granules of {}", text.size() / 2, kGranules));
  std::vector<model::Slice> page;
  for (size_t n = 0; n < text.size(); n += 2) {
    const int high = digit_of(text[n]);
    const int low = digit_of(text[n + 1]);
    const int value = 16 * high + low;
    const int pair = value % kHomeBit;
    if (high < 0 || low < 0 || value >= 2 * kHomeBit || pair >= static_cast<int>(model::kSlicePairs))
      return no_slices(name, fmt::format("granule {} of 'page' is no pair below 47 and home", n / 2));
    page.push_back({static_cast<uint8_t>(pair), static_cast<uint8_t>(value / kHomeBit)});
  }
  return page;
}

/// A whole number up to `most`.
Result<uint32_t> count_of(const Json& json, const char* key, uint32_t most, const std::string& name) {
  if (!json.contains(key) || !json[key].is_number_unsigned() || json[key].get<uint64_t>() > most)
    return no_slices(name, fmt::format("a number '{}' from 0 to {} is missing", key, most));
  return json[key].get<uint32_t>();
}

Result<double> amount_of(const Json& json, const char* key, const std::string& name) {
  if (!json.contains(key) || !json[key].is_number() || !std::isfinite(json[key].get<double>()) ||
      json[key].get<double>() < 0)
    return no_slices(name, fmt::format("a number '{}' is missing", key));
  return json[key].get<double>();
}

Result<model::LearntPage> rule_of(const Json& json, const std::string& name) {
  model::LearntPage rule;
  const Json table = json.value("table", Json());
  if (!table.is_array() || table.size() != rule.table.size()) return no_slices(name, "'table' is missing");
  for (size_t home = 0; home < table.size(); ++home) {
    if (!table[home].is_array() || table[home].size() != model::kSlicePairs)
      return no_slices(name, "a row of 'table' has not 47 pairs");
    for (size_t n = 0; n < model::kSlicePairs; ++n) {
      const Json& pair = table[home][n];
      if (!pair.is_number_unsigned() ||
          (pair.get<uint64_t>() >= model::kSlicePairs && pair.get<uint64_t>() != model::kUnknownPair))
        return no_slices(name, "'table' holds what is no pair below 47");
      rule.table[home][n] = pair.get<uint8_t>();
    }
  }
  TRY(const uint32_t shift, count_of(json, "shift", model::kSlicePairs - 1, name));
  TRY(const uint32_t parities, count_of(json, "parities", 63, name));
  TRY(const uint32_t home, count_of(json, "home", 1, name));
  rule.base = {static_cast<uint8_t>(shift), static_cast<uint8_t>(parities), static_cast<uint8_t>(home)};
  return rule;
}

Json json_of(const plot::CampedReads& reads) {
  return {{"lines", reads.lines},
          {"one_slice_gb_per_second", reads.one_slice},
          {"all_slices_gb_per_second", reads.all_slices},
          {"one_slice_busiest_share", reads.one_slice_share},
          {"all_slices_busiest_share", reads.all_slices_share}};
}

Result<plot::CampedReads> reads_of(const Json& json, const char* key, const std::string& name) {
  if (!json.contains(key) || !json[key].is_object())
    return no_slices(name, fmt::format("the object '{}' is missing", key));
  plot::CampedReads reads;
  TRY(reads.lines, count_of(json[key], "lines", UINT32_MAX, name));
  TRY(reads.one_slice, amount_of(json[key], "one_slice_gb_per_second", name));
  TRY(reads.all_slices, amount_of(json[key], "all_slices_gb_per_second", name));
  TRY(reads.one_slice_share, amount_of(json[key], "one_slice_busiest_share", name));
  TRY(reads.all_slices_share, amount_of(json[key], "all_slices_busiest_share", name));
  return reads;
}

}  // namespace

model::Slice slice_of(const SliceRecording& recording, uint32_t offset) {
  return recording.page[offset / model::kSliceGranuleBytes % recording.page.size()];
}

plot::Camping camping_of(const SliceRecording& recording) {
  return {.l2 = recording.l2,
          .dram = recording.dram,
          .provenance = Provenance::Recorded,
          .gpu = recording.gpu.name,
          .driver = recording.gpu.driver,
          .cuda = recording.gpu.cuda,
          .date = recording.date};
}

Result<SliceRecording> parse_slices(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return no_slices(name, "this is no JSON object");
  SliceRecording recording;
  const auto error = [&](std::string_view what) { return no_slices(name, what); };
  TRY(recording.gpu, read_gpu(json, error));
  TRY(recording.date, read_text_at(json, "date", error));
  TRY(const std::string page, read_text_at(json, "page", error));
  TRY(recording.page, page_of(page, name));
  if (!json.contains("rule") || !json["rule"].is_object()) return no_slices(name, "'rule' is missing");
  TRY(recording.rule, rule_of(json["rule"], name));
  TRY(recording.other_granules, count_of(json, "other_granules", UINT32_MAX, name));
  TRY(recording.other_agreeing, count_of(json, "other_agreeing", recording.other_granules, name));
  TRY(recording.fitted_pages, count_of(json, "fitted_pages", UINT32_MAX, name));
  TRY(recording.unfitted_pages, count_of(json, "unfitted_pages", UINT32_MAX, name));
  TRY(recording.l2, reads_of(json, "l2", name));
  TRY(recording.dram, reads_of(json, "dram", name));
  return recording;
}

Result<SliceRecording> read_slices(const std::filesystem::path& file) {
  TRY(const std::string text, read_text(file, kMostBytes));
  return parse_slices(text, file.string());
}

std::string slices_text(const SliceRecording& recording) {
  const Json json{{"lanescope", LANESCOPE_VERSION},
                  {"gpu", recording.gpu.name},
                  {"compute_capability", recording.gpu.compute_capability},
                  {"driver", recording.gpu.driver},
                  {"cuda", recording.gpu.cuda},
                  {"date", recording.date},
                  {"what",
                   "which slice of the L2 serves each 256 bytes of a page of 2 MiB: two hexadecimal digits a "
                   "granule, the pair (a label by first appearance) and 64 for home 1; the page's physical "
                   "address is unknown"},
                  {"rule",
                   {{"what",
                     "pair = table[home][(64 (offset >> 17) + (n ^ parities) + shift) mod 47]; n and home: "
                     "app/model/slice_fit.cpp; 255: no granule showed it"},
                    {"shift", recording.rule.base.shift},
                    {"parities", recording.rule.base.parities},
                    {"home", recording.rule.base.home},
                    {"table", recording.rule.table}}},
                  {"other_granules", recording.other_granules},
                  {"other_agreeing", recording.other_agreeing},
                  {"fitted_pages", recording.fitted_pages},
                  {"unfitted_pages", recording.unfitted_pages},
                  {"l2", json_of(recording.l2)},
                  {"dram", json_of(recording.dram)},
                  {"page", page_text(recording.page)}};
  // One line per member; pretty printing would give each number of the table a line.
  std::string text = "{\n";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}{}: {}", text.size() > 2 ? ",\n" : "", Json(key).dump(), value.dump());
  return text + "\n}\n";
}

}  // namespace lanescope::recordings
