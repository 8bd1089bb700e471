#include "recordings/slice_recording.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "recordings/json_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::recordings {
namespace {

using Json = nlohmann::ordered_json;
using Reader = JsonReader<Json>;

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

Result<model::LearntPage> rule_of(const Reader& reader) {
  model::LearntPage rule;
  const Json table = reader.object.value("table", Json());
  if (!table.is_array() || table.size() != rule.table.size())
    return reader.no_recording("'table' is missing");
  for (size_t home = 0; home < table.size(); ++home) {
    if (!table[home].is_array() || table[home].size() != model::kSlicePairs)
      return reader.no_recording("a row of 'table' has not 47 pairs");
    for (size_t n = 0; n < model::kSlicePairs; ++n) {
      const Json& pair = table[home][n];
      if (!pair.is_number_unsigned() ||
          (pair.get<uint64_t>() >= model::kSlicePairs && pair.get<uint64_t>() != model::kUnknownPair))
        return reader.no_recording("'table' holds what is no pair below 47");
      rule.table[home][n] = pair.get<uint8_t>();
    }
  }
  TRY(const uint32_t shift, reader.count("shift", model::kSlicePairs - 1));
  TRY(const uint32_t parities, reader.count("parities", 63));
  TRY(const uint32_t home, reader.count("home", 1));
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

Result<plot::CampedReads> reads_of(const Reader& recording, const char* key) {
  TRY(const Json json, recording.member(key));
  const Reader reader = recording.of(json);
  plot::CampedReads reads;
  TRY(reads.lines, reader.count("lines", UINT32_MAX));
  TRY(reads.one_slice, reader.amount("one_slice_gb_per_second"));
  TRY(reads.all_slices, reader.amount("all_slices_gb_per_second"));
  TRY(reads.one_slice_share, reader.amount("one_slice_busiest_share"));
  TRY(reads.all_slices_share, reader.amount("all_slices_busiest_share"));
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
  const Reader reader{json, [&](const std::string& what) { return no_slices(name, what); }};
  SliceRecording recording;
  TRY(recording.gpu, reader.gpu());
  TRY(recording.date, reader.text("date"));
  TRY(const std::string page, reader.text("page"));
  TRY(recording.page, page_of(page, name));
  TRY(const Json rule, reader.member("rule"));
  TRY(recording.rule, rule_of(reader.of(rule)));
  TRY(recording.other_granules, reader.count("other_granules", UINT32_MAX));
  TRY(recording.other_agreeing, reader.count("other_agreeing", recording.other_granules));
  TRY(recording.fitted_pages, reader.count("fitted_pages", UINT32_MAX));
  TRY(recording.unfitted_pages, reader.count("unfitted_pages", UINT32_MAX));
  TRY(recording.l2, reads_of(reader, "l2"));
  TRY(recording.dram, reads_of(reader, "dram"));
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
