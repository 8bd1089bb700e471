// What a sweep runs: a kernel with some options fixed and others with several values, the axes. Method: a
// combination is a number, whose digits are the positions on the axes, the last axis fastest. Combinations
// run in an order in which each part is a fair sample of all, so that a shard, a consecutive part of it,
// costs what the others cost, and the time of the first ones tells the time of the rest: they are sorted by
// number x 2^64 / golden ratio, modulo 2^64 (Fibonacci hashing; Knuth, The Art of Computer Programming,
// section 6.4). Tests: tests/unit/sweep/definition_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::sweep {

/// Most combinations that a sweep may have.
inline constexpr uint64_t kMostCombinations = 1'000'000;

struct Axis {
  std::string option;               // "--set", "-D", "--grid", "--block"
  std::string name;                 // "size", "TILE", "grid", "block"
  std::vector<std::string> values;  // [position], as written; at least one
  bool operator==(const Axis&) const = default;
};

/// Shard `index` of `count`, from 1.
struct Shard {
  uint32_t index = 1;
  uint32_t count = 1;
  bool operator==(const Shard&) const = default;
};

/// "shard 2/4", "the whole sweep".
std::string name_of(Shard shard);

struct Definition {
  std::string version;               // of the program
  std::string subject;               // "lesson transpose", "mine.cu"
  std::vector<std::string> options;  // the fixed ones, as "--kernel=scale"
  std::vector<Axis> axes;
  std::string sources;  // a hash of all texts and files that count
  Shard shard;
};

/// The values of "A,B,C", where each part may be FIRST..LAST or FIRST..LAST:STEP of whole numbers. `what` is
/// the option, for the error. Errors: Usage.
Result<std::vector<std::string>> parse_values(std::string_view what, std::string_view text);
/// "NAME=VALUES" of the option as an axis. Errors: Usage.
Result<Axis> parse_axis(const std::string& option, std::string_view text);
/// "I/N" with 1 <= I <= N. Errors: Usage.
Result<Shard> parse_shard(std::string_view text);

/// Errors: Usage for two axes of one name, for one with the name of a column of results, and for more
/// combinations than kMostCombinations.
Result<void> check_axes(const std::vector<Axis>& axes);

/// Number of combinations of all shards.
uint64_t combinations(const std::vector<Axis>& axes);
/// [axis] the values of a combination.
std::vector<std::string> values_of(const std::vector<Axis>& axes, uint64_t number);
/// "size=1024, order=diagonal"; "the only one" where there is no axis.
std::string name_of(const std::vector<Axis>& axes, uint64_t number);

/// The numbers of the shard's combinations, in the order in which they run. Shards of one count have all
/// combinations once, and as many as the others or one more.
std::vector<uint64_t> numbers_of(Shard shard, uint64_t combinations);

/// What keeps rows of `other` out of a database of `own`, as a sentence that calls them by these names;
/// empty: nothing. Shards are not compared.
std::string difference(const Definition& own, const Definition& other, std::string_view name_of_own,
                       std::string_view name_of_other);

/// The axes and the fixed options as a command line has them: "lesson transpose --set size=1024,2048".
std::string words_of(const Definition& definition);

}  // namespace lanescope::sweep
