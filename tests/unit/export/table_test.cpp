#include "export/export.h"

#include <limits>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::exporting {
namespace {

plot::Figure small_figure() {
  plot::Figure figure;
  figure.name = "banks";
  figure.title = "Banks";
  figure.subtitle = "line 14";
  figure.source = "Addresses of\na kernel.";
  figure.explanation = "Say \"why\".";
  figure.headlines = {{"32", "wavefronts", {}}};
  figure.table.columns = {{"bank", ""}, {"offset", "B"}, {"text", ""}, {"share", ""}};
  figure.table.rows = {
      {int64_t{3}, int64_t{12}, std::string("a[i, j] = \"x\""), 0.5},
      {int64_t{-4}, int64_t{16}, std::string("plain"), std::numeric_limits<double>::infinity()}};
  return figure;
}

std::string csv_of(const plot::Figure& figure) { return to_csv({&figure, 1}); }
std::string json_of(const plot::Figure& figure) { return to_json({&figure, 1}); }

TEST(Table, csv_has_comments_a_header_with_units_and_quoted_text) {
  EXPECT_EQ(csv_of(small_figure()),
            "# figure: banks\n"
            "# title: Banks\n"
            "# subtitle: line 14\n"
            "# provenance: emulated\n"
            "# source: Addresses of a kernel.\n"
            "# lanescope: " LANESCOPE_VERSION
            "\n"
            "bank,offset [B],text,share\n"
            "3,12,\"a[i, j] = \"\"x\"\"\",0.5\n"
            "-4,16,plain,\n");
}

TEST(Table, json_reads_back) {
  const auto json = nlohmann::json::parse(json_of(small_figure()));
  EXPECT_EQ(json["figure"], "banks");
  EXPECT_EQ(json["provenance"], "emulated");
  EXPECT_EQ(json["columns"][1]["unit"], "B");
  EXPECT_EQ(json["rows"][0]["text"], "a[i, j] = \"x\"");
  EXPECT_EQ(json["rows"][1]["bank"], -4);
  EXPECT_TRUE(json["rows"][1]["share"].is_null());
  EXPECT_EQ(json["headlines"][0]["value"], "32");
}

TEST(Table, text_that_is_not_utf8_does_not_break_json) {
  plot::Figure figure = small_figure();
  figure.table.rows[0][2] = std::string("caf\xe9");
  EXPECT_NO_THROW(std::ignore = nlohmann::json::parse(json_of(figure)));
}

TEST(Table, a_figure_without_rows_is_still_a_table) {
  plot::Figure figure = small_figure();
  figure.table.rows.clear();
  EXPECT_TRUE(csv_of(figure).ends_with("bank,offset [B],text,share\n"));
  EXPECT_TRUE(nlohmann::json::parse(json_of(figure))["rows"].empty());
}

TEST(Table, csv_of_two_runs_is_one_table_with_a_column_for_the_run) {
  const plot::Figure figures[] = {small_figure(), small_figure()};
  const std::string csv = to_csv(figures);
  EXPECT_NE(csv.find("\nrun,bank,offset [B],text,share\nA,3,12,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nA,-4,16,plain,\nB,3,12,"), std::string::npos) << csv;
}

TEST(Table, csv_of_two_runs_with_other_columns_has_both_headers) {
  plot::Figure other = small_figure();
  other.table.columns[1].unit = "";
  const plot::Figure figures[] = {small_figure(), other};
  EXPECT_NE(to_csv(figures).find("\nrun,bank,offset,text,share\nB,3,"), std::string::npos);
}

TEST(Table, json_of_two_runs_has_both_by_their_letters) {
  plot::Figure other = small_figure();
  other.table.rows.resize(1);
  const plot::Figure figures[] = {small_figure(), other};
  const auto json = nlohmann::json::parse(to_json(figures));
  EXPECT_EQ(json["A"]["rows"].size(), 2u);
  EXPECT_EQ(json["B"]["rows"].size(), 1u);
}

}  // namespace
}  // namespace lanescope::exporting
