// A number of a sweep's rows by the values of one or two axes, for figures and tables. Method: the axes that
// are not shown have one value each, by themselves or by `where`. Tests: tests/unit/sweep/selection_test.cpp

#pragma once

#include "base/error.h"
#include "base/provenance.h"
#include "sweep/definition.h"
#include "sweep/row.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::sweep {

struct Question {
  std::string x;   // an axis
  std::string by;  // another one, or empty
  std::string y;   // a number: "wavefronts", "global_load_sectors", "race", "sectors/ideal_sectors"
  std::vector<std::pair<std::string, std::string>> where;  // axis and its value
};

/// The number of a combination, and which one it is.
struct Cell {
  double value = 0;
  uint64_t number = 0;
};

struct Selection {
  std::vector<std::string> x;                           // the values of its axis that are shown
  std::vector<std::string> by;                          // likewise; one empty text without such an axis
  std::vector<std::vector<std::optional<Cell>>> cells;  // [by][x]; none: not run, or without counts
  uint64_t missing = 0;                                 // cells without a number
  Provenance provenance = Provenance::Emulated;
};

/// Errors: Usage for an axis, a value or a number that the sweep has not, and for an axis that is neither
/// shown nor has one value.
Result<Selection> select(const Definition& definition, std::span<const Row> rows, const Question& question);

/// The combinations with the least number, or with the largest, for each value of the axis `question.x`; over
/// all where that is empty. `question.by` has no meaning.
struct Best {
  std::string x;
  double value = 0;
  std::vector<uint64_t> numbers;  // of the combinations that have it, at least one
  uint64_t compared = 0;          // combinations with a number
};
enum class Order : uint8_t { Least, Largest };
/// [value of x] without those that have no number. Errors: those of select(), but for axes that are not
/// shown.
Result<std::vector<Best>> best(const Definition& definition, std::span<const Row> rows,
                               const Question& question, Order order);

/// Where the number comes from: the caches' are modelled, others have the provenance of the rows.
Provenance provenance_of(std::span<const Row> rows, const std::string& name);

}  // namespace lanescope::sweep
