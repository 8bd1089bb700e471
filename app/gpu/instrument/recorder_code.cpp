#include "gpu/instrument/recorder_code.h"

#include "gpu/instrument/recorder_templates.h"

#include <bit>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

using namespace parts;  // NOLINT(google-build-using-namespace): their only user

using Words = std::vector<std::pair<std::string_view, std::string>>;

/// Replaces `@NAME@` by its word, `%~` by the registers' prefix and `$~` by that of the recorder's labels.
std::string fill(std::string_view pattern, unsigned number, const Words& words) {
  std::string text;
  text.reserve(pattern.size() * 2);
  for (size_t at = 0; at < pattern.size();) {
    const std::string_view rest = pattern.substr(at);
    if (rest.starts_with("%~")) {
      text += "%lanescope_";
      at += 2;
    } else if (rest.starts_with("$~")) {
      text += fmt::format("$lanescope_{}_", number);
      at += 2;
    } else {
      size_t used = 0;
      for (const auto& [name, word] : words) {
        if (!rest.starts_with('@') || !rest.substr(1).starts_with(name) || rest.size() < name.size() + 2 ||
            rest[name.size() + 1] != '@')
          continue;
        text += word;
        used = name.size() + 2;
        break;
      }
      if (used == 0) text += pattern[at];
      at += used == 0 ? 1 : used;
    }
  }
  return text;
}

Words words_of(const RecorderLayout& plan) {
  const auto at = [&](uint64_t offset) { return fmt::format("{:#x}", plan.address + offset); };
  const uint32_t row = plan.row_lanes();
  return {
      {"BLOCK_NUMBER", std::string(kBlockNumber)},
      {"WARP_NUMBER", std::string(kWarpNumber)},
      {"ROW", fmt::to_string(row)},
      {"ROW_MASK", fmt::to_string(row - 1)},
      {"ROW_SHIFT", fmt::to_string(std::countr_zero(row))},
      {"SITE_PATTERN_BYTES", fmt::to_string(RecorderLayout::kPatterns * RecorderLayout::kPatternBytes)},
      {"SITE_COUNT_BYTES", fmt::to_string(RecorderLayout::kPatterns * sizeof(uint64_t))},
      {"DICTIONARY", at(plan.dictionary_at())},
      {"COUNTERS", at(RecorderLayout::counters_at())},
      {"COUNTS_BYTES", fmt::to_string(plan.counts_bytes())},
      {"COUNTS", at(plan.counts_at())},
      {"LISTS", fmt::to_string(plan.list_capacity)},
      {"FIRST_REGION", fmt::to_string(plan.first_region)},
      {"LIST_REGIONS", fmt::to_string(plan.end_region - plan.first_region)},
      {"LIST_MEMORY", at(plan.lists_at())},
      {"POOL_CHUNKS", fmt::to_string(plan.pool_chunks)},
      {"CHUNK_BYTES", fmt::to_string(plan.chunk_bytes())},
      {"POOL", at(plan.pool_at())},
      {"UNITS_LEFT", fmt::to_string(plan.chunk_units - 1)},
      {"UNITS", fmt::to_string(plan.chunk_units)},
      {"KEPT", at(plan.kept_at())},
      {"WARPS", fmt::to_string(plan.warps())},
      {"CURSORS", at(plan.cursors_at())},
      {"CHUNKS", at(plan.chunks_at())},
      {"REGION_MASK", fmt::to_string(plan.regions - 1)},
  };
}

bool is_totals(const RecorderLayout& plan) { return plan.what == RecorderLayout::What::Totals; }

std::string unit_pattern(uint32_t kind, std::string_view high) {
  return fill(
      kUnit, 0,
      {{"SITE_KIND", fmt::format("{:#x}", (1u << 18) | kind << 16)}, {"HIGH_WORD", std::string(high)}});
}

/// What happens with lanes whose steps are known, and with the others.
std::string tail_pattern(const RecorderLayout& plan) {
  return is_totals(plan)
             ? std::string(kList) + "$~no_list:\n"
             : std::string(kList) + std::string(kRecordList) + std::string(kEmit) + std::string(kLost);
}

std::string hash_pattern(const RecorderLayout& plan, const RecorderSite& place, std::string_view of_mask) {
  const bool rows = plan.row_lanes() != kLanes;
  return fill(kHash, place.number,
              {{"PHASE", fmt::to_string(place.phase_mask)},
               {"HASH_ROWS", rows ? "mad.lo.u32 %~h, %~s2, 0x85EBCA6B, %~h;" : ""},
               {"HASH_MASK", std::string(of_mask)}});
}

/// Compares with the steps that are expected, if any are.
std::string expected_pattern(const RecorderLayout& plan, const RecorderSite& place) {
  if (!place.expected) return {};
  const uint32_t phase = place.phase_mask & place.expected->phase_mask;
  const auto row = static_cast<int32_t>(plan.row_lanes());
  const bool one_row = row == kLanes || place.expected->row_stride == place.expected->stride * row;
  std::string text(place.expected->distances ? kExpectedDistances : one_row ? kExpectedRow : kExpectedRows);
  text += kExpectedVote;
  if (!is_totals(plan) && place.expected->distances)
    text += "mov.u32 %~s1, 0;\nmov.u32 %~s2, 0;\n" + unit_pattern(3, "%lanescope_hi") +
            std::string(kRecordWholeWarp) + "$~any:\n";
  else if (!is_totals(plan))
    text += kRecordExpected;
  else
    text += phase == 0 ? kCountExpectedWords : kCountExpected;
  const uint64_t counts =
      plan.expected_counts() +
      (uint64_t{place.site} * RecorderLayout::kPlaces + RecorderLayout::kPhases) * sizeof(uint64_t);
  return fill(text, place.number,
              {{"STRIDE", fmt::to_string(place.expected->stride)},
               {"ROW_STRIDE", fmt::to_string(place.expected->row_stride)},
               {"PHASE", fmt::to_string(phase)},
               {"DISTANCES", fmt::format("{:#x}", plan.address + plan.distances_at() +
                                                      uint64_t{place.site} * kLanes * sizeof(int32_t))},
               {"EXPECTED_COUNTS", fmt::to_string(counts)}});
}

/// The dictionary's places that are tried before the access goes to a list.
std::string probes_pattern(const RecorderSite& place) {
  constexpr int kProbes = 3;
  std::string text;
  for (int n = 0; n < kProbes; ++n) text += fill(kProbe, place.number, {{"PROBE", fmt::to_string(n)}});
  return text;
}

std::string analysis_pattern(const RecorderLayout& plan, const RecorderSite& place) {
  const bool rows = plan.row_lanes() != kLanes;
  const bool narrow = place.kind == AddressKind::Narrow;
  std::string text(place.kind == AddressKind::Generic ? std::string_view() : kHere);
  text += kTogether;
  text += expected_pattern(plan, place);
  text += kWholeWarp;
  text += rows ? kRows : kOneRow;
  text += kWholeWarpVote;
  text = fill(text, place.number,
              {{"HIGH_OF_FIRST", narrow ? "" : std::string(kHighOfFirst)},
               {"SAME_HIGH", narrow ? "" : std::string(kSameHigh)}});
  if (is_totals(plan)) {
    text += hash_pattern(plan, place, "");
    text += kCount;
  } else {
    text += "$~record:\n" + unit_pattern(0, "%lanescope_hi");
    text += kRecordWholeWarp;
  }
  text += kSomeLanes;
  if (is_totals(plan)) {
    text += hash_pattern(plan, place, "mad.lo.u32 %~h, %~m, 0x27D4EB2F, %~h;");
    text += kCount;
    text += fill(kLook, place.number, {{"PROBES", probes_pattern(place)}});
  } else {
    text += unit_pattern(1, "%lanescope_hi");
    text += kRecordSomeLanes;
  }
  return text + tail_pattern(plan);
}

std::string address_pattern(const RecorderSite& place) {
  const std::string site = fmt::format("mov.u32 %lanescope_site, {};\n", place.site);
  switch (place.kind) {
    case AddressKind::Narrow:
      return place.address + "mov.u32 %~hi, 0;\n" + site;
    case AddressKind::Wide:
      return place.address + "mov.b64 {%~lo, %~hi}, %~a;\n" + site;
    case AddressKind::Generic:
      return place.address + fill(kGeneric, place.number, {{"SITE", fmt::to_string(place.site)}});
  }
  return {};
}

}  // namespace

std::string recorder_text(const RecorderLayout& plan, const RecorderSite& place) {
  const bool in_memory = !is_totals(plan) && plan.cursor == RecorderLayout::Cursor::Memory;
  std::string text(kRegisters);
  if (place.lanes != kLanes)
    text += fmt::format("mov.u32 %~lane, %laneid;\nsetp.ge.u32 %~p, %~lane, {};\n@%~p bra $~skip;\n",
                        place.lanes);
  if (!place.skip_unless.empty()) {
    const bool negated = place.skip_unless.front() == '!';
    text += fmt::format("@{}{} bra $~skip;\n", negated ? "" : "!", place.skip_unless.substr(negated ? 1 : 0));
  }
  if (in_memory) text += kLoadCursor;
  if (place.chooses && !in_memory && !is_totals(plan))
    text += "setp.eq.u64 %~p, %~next, 0;\n@%~p bra $~skip;\n";
  text += address_pattern(place);
  text += analysis_pattern(plan, place);
  text += in_memory ? kStoreCursor : kEnd;
  // Words may hold words: twice is as deep as they go.
  Words words = words_of(plan);
  words.emplace_back("ACCESSES", fmt::to_string(place.accesses));
  words.emplace_back("LIST_PLACE", std::string(kListPlace) + std::string(kListAddress));
  words.emplace_back("LIST_ADDRESS", std::string(kListAddress));
  return fill(fill(text, place.number, words), place.number, words);
}

std::string prologue_text(const RecorderLayout& plan, FunctionKind kind) {
  const Words words = words_of(plan);
  const bool cursor =
      !is_totals(plan) && kind == FunctionKind::Kernel && plan.cursor == RecorderLayout::Cursor::Registers;
  const std::string more = is_totals(plan) ? ".reg .b64 %~counts;"
                           : cursor        ? ".reg .b32 %~left, %~taken;\n.reg .b64 %~next;"
                                           : "";
  const std::string_view filled = is_totals(plan) ? kFillCounts : cursor ? kFillCursor : std::string_view();
  std::string text = fill(kRegionPrologue, 0, {{"MORE", more}, {"FILL", std::string(filled)}});
  return fill(fill(text, 0, words), 0, words);
}

std::string choice_text(const RecorderLayout& plan) {
  if (is_totals(plan) || plan.cursor != RecorderLayout::Cursor::Registers) return {};
  return fill("{\n.reg .pred %~p;\nsetp.eq.u64 %~p, %~next, 0;\n@%~p bra @PLAIN@;\n}\n", 0,
              {{"PLAIN", std::string(kPlainLabel)}});
}

std::string variables_text(const RecorderLayout& plan, const std::vector<VariableName>& variables) {
  if (variables.empty()) return {};
  std::string text = fill(kVariables, 0, {});
  for (size_t n = 0; n < variables.size(); ++n) {
    const uint64_t to = plan.address + RecorderLayout::variables_at() + 8 * n;
    const bool narrow = variables[n].width == VariableName::Width::Narrow;
    text += fmt::format("mov.{} %lanescope_{}, {};\n", narrow ? "u32" : "u64", narrow ? "t" : "a",
                        variables[n].name);
    if (narrow) text += "cvt.u64.u32 %lanescope_a, %lanescope_t;\n";
    text += fmt::format("mov.u64 %lanescope_b, {:#x};\nst.global.u64 [%lanescope_b], %lanescope_a;\n", to);
  }
  return text + "$lanescope_behind_variables:\n}\n";
}

}  // namespace lanescope::gpu
