// The layout lab: what accesses cost on a tile, next to the same tile without its arrangement.
// Method: texts are read into a question; the report is a pure function of it. Tests:
// tests/unit/layout/report_test.cpp

#pragma once

#include "layout/access.h"

#include <string>
#include <vector>

namespace lanescope::layout {

/// A question as it is typed, on the command line or in the window. Of swizzle, triton and padding at most
/// one is not empty.
struct QuestionText {
  std::string layout;  // "(8,64):(64,1)"
  std::string element = "f16";
  std::string swizzle;                // "3,3,3"
  std::string triton;                 // "8,1,8"
  std::string padding;                // "8"
  std::vector<std::string> accesses;  // "ldmatrix.x4"
  bool operator==(const QuestionText&) const = default;
};

struct Question {
  Tile tile;
  std::vector<Access> accesses;
};
/// Errors (Usage): the first text that is wrong.
Result<Question> parse(const QuestionText& text);

struct AccessRow {
  Access access;
  Result<AccessCost> cost;   // of the tile as it is; the error says why the access is impossible
  Result<AccessCost> plain;  // of the tile without its arrangement
};

struct Report {
  Tile tile;
  PlacedTile placed;
  PlacedTile plain;
  std::vector<AccessRow> rows;  // [access]

  /// The first access that is impossible; null where all are possible.
  const AccessRow* impossible() const;
};

/// Errors: those of place().
Result<Report> report_of(const Question& question);

}  // namespace lanescope::layout
