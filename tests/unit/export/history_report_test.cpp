// The history of a warp as text and as JSON.

#include "export/history_report.h"

#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

using trace::History;
using Meaning = History::Meaning;

TEST(HistoryReport, regular_lane_values_are_abbreviated) {
  EXPECT_EQ(lanes_text(Meaning::Unsigned, 4, std::vector<uint64_t>{7, 7, 7}), "7");
  EXPECT_EQ(lanes_text(Meaning::Unsigned, 4, std::vector<uint64_t>{0, 4, 8, 12}), "0, 4 .. 12");
  EXPECT_EQ(lanes_text(Meaning::Unsigned, 4, std::vector<uint64_t>{0, 4, 8, 13}), "0, 4, 8, 13");
  EXPECT_EQ(lanes_text(Meaning::Signed, 4, std::vector<uint64_t>{0xffffffff, 5}), "-1, 5");
  EXPECT_EQ(lanes_text(Meaning::Truth, 1, std::vector<uint64_t>{0, 1}), "false, true");
}

/// `add.u32 %r1, %r1, 1` in lanes 0 and 3; lane 3 had no value.
History one_instruction() {
  History history;
  history.cta = {5};
  history.warp = {2};
  history.functions = {"k"};
  history.registers.push_back({"%r1", 0, 4});
  history.instructions.push_back({Location{"k.cu", 12}, 34, "add.u32 %r1, %r1, 1", 0});
  history.entries = {
      {.instruction = 0, .active = {0xb}, .lanes = {0x9}, .access = 4, .first_change = 0, .end_change = 1}};
  history.changes = {{.reg = 0,
                      .meaning = Meaning::Unsigned,
                      .meaning_before = Meaning::Unsigned,
                      .lanes = {0x9},
                      .fresh = {0x8},
                      .first = 0}};
  history.values = {6, 0, 7, 1};
  return history;
}

TEST(HistoryReport, the_report_says_which_lanes_changed_what) {
  const Json json = history_json(one_instruction(), {4, 2, 1});
  EXPECT_EQ(json["block"], Json({1, 1, 0}));
  EXPECT_EQ(json["warp"], 2);
  EXPECT_EQ(json["cut"], false);
  const Json& entry = json["instructions"][0];
  EXPECT_EQ(entry["line"], 12);
  EXPECT_EQ(entry["ptx_line"], 34);
  EXPECT_EQ(entry["active"], "0x0000000b");
  EXPECT_EQ(entry["lanes"], "0x00000009");
  EXPECT_EQ(entry["access"], 4);
  EXPECT_EQ(entry["changes"][0]["register"], "%r1");
  EXPECT_EQ(entry["changes"][0]["before"], Json({"0x6", nullptr}));
  EXPECT_EQ(entry["changes"][0]["after"], Json({"0x7", "0x1"}));
}

TEST(HistoryReport, the_text_has_a_line_per_instruction_and_one_per_change) {
  const std::string text = history_text(one_instruction(), {4, 2, 1});
  EXPECT_NE(text.find("warp 2 of block 1, 1, 0: 1 instructions (emulated)"), std::string::npos) << text;
  EXPECT_NE(text.find("     1    12    34  00000009  add.u32 %r1, %r1, 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" %r1: 7, 1\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace lanescope::exporting
