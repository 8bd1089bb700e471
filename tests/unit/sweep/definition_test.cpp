// Axes, combinations and shards of a sweep.

#include "sweep/definition.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem(const auto& result) { return result ? std::string() : result.error().message; }

TEST(Definition, values_are_listed_or_a_range) {
  EXPECT_THAT(parse_values("-D TILE", "16,32").value(), ElementsAre("16", "32"));
  EXPECT_THAT(parse_values("--set size", "1024..2048:512").value(), ElementsAre("1024", "1536", "2048"));
  EXPECT_THAT(parse_values("--set size", "1..3").value(), ElementsAre("1", "2", "3"));
  EXPECT_THAT(parse_values("--set size", "-1..1,8").value(), ElementsAre("-1", "0", "1", "8"));
  EXPECT_THAT(parse_values("--set size", "1..8:3").value(), ElementsAre("1", "4", "7"));
}

TEST(Definition, refuses_values_in_one_sentence) {
  EXPECT_THAT(problem(parse_values("--set size", "4096..1024")),
              HasSubstr("the range 4096..1024 has no value"));
  EXPECT_THAT(problem(parse_values("--set size", "1..8:0")), HasSubstr("STEP at least 1"));
  EXPECT_THAT(problem(parse_values("--set size", "1..8:x")), HasSubstr("found '1..8:x'"));
  EXPECT_THAT(problem(parse_values("--set size", "1..99999999999")), HasSubstr("more than 1000000 values"));
  EXPECT_THAT(problem(parse_values("-D T", "16,,32")), HasSubstr("is empty"));
  EXPECT_THAT(problem(parse_values("-D T", "16,8,16")), HasSubstr("'16' twice"));
  EXPECT_THAT(problem(parse_axis("--set", "size")), HasSubstr("takes NAME=VALUES"));
  EXPECT_THAT(problem(parse_axis("-D", "TI LE=8")), HasSubstr("the name of a macro"));
  EXPECT_TRUE(parse_axis("-D", "_T2=8,16"));
  EXPECT_THAT(problem(check_axes({{"-D", "T", {"1"}}, {"-D", "T", {"2"}}})), HasSubstr("'T' is given twice"));
  EXPECT_THAT(problem(check_axes({{"-D", "sectors", {"1"}}})), HasSubstr("one of its results"));
  const std::vector<std::string> many(1001, "1");
  EXPECT_THAT(problem(check_axes({{"-D", "A", many}, {"-D", "B", many}})),
              HasSubstr("more than 1000000 combinations"));
}

TEST(Definition, the_last_axis_is_the_fastest) {
  const std::vector<Axis> axes{{"--set", "size", {"1", "2"}}, {"--set", "order", {"a", "b", "c"}}};
  EXPECT_EQ(combinations(axes), 6u);
  EXPECT_THAT(values_of(axes, 0), ElementsAre("1", "a"));
  EXPECT_THAT(values_of(axes, 1), ElementsAre("1", "b"));
  EXPECT_THAT(values_of(axes, 3), ElementsAre("2", "a"));
  EXPECT_EQ(name_of(axes, 5), "size=2, order=c");
  EXPECT_EQ(combinations({}), 1u);
}

TEST(Definition, shards_have_each_combination_once) {
  for (const uint64_t all : {uint64_t{1}, uint64_t{7}, uint64_t{26}, uint64_t{1000}})
    for (const uint32_t count : {1u, 2u, 3u, 8u}) {
      std::multiset<uint64_t> seen;
      for (uint32_t index = 1; index <= count; ++index) {
        const auto numbers = numbers_of({index, count}, all);
        EXPECT_GE(numbers.size(), all / count);
        EXPECT_LE(numbers.size(), all / count + 1);
        seen.insert(numbers.begin(), numbers.end());
      }
      EXPECT_EQ(seen.size(), all);
      for (uint64_t n = 0; n < all; ++n) EXPECT_EQ(seen.count(n), 1u);
    }
}

/// Largest share of the cost that a shard has, times the number of shards: 1 is fair.
double unfairness(uint64_t all, uint32_t count, const std::function<double(uint64_t)>& cost_of) {
  double most = 0, sum = 0;
  for (uint32_t index = 1; index <= count; ++index) {
    double cost = 0;
    for (const uint64_t number : numbers_of({index, count}, all)) cost += cost_of(number);
    most = std::max(most, cost);
    sum += cost;
  }
  return most / sum * count;
}

/// A matrix costs its area; whichever axis has the sizes, no shard gets the large ones.
TEST(Definition, shards_cost_about_the_same) {
  const auto area = [](uint64_t size) { return static_cast<double>(size * size); };
  // Of 16 shards each has 64 combinations, and 3 to 5 of each of 16 sizes.
  for (const auto& [count, most] : {std::pair{2u, 1.05}, std::pair{4u, 1.05}, std::pair{16u, 1.2}}) {
    EXPECT_LT(unfairness(64 * 16, count, [&](uint64_t n) { return area(1 + n / 16); }), most) << count;
    EXPECT_LT(unfairness(64 * 16, count, [&](uint64_t n) { return area(1 + n % 16); }), most) << count;
    EXPECT_LT(unfairness(64 * 16, count, [&](uint64_t n) { return area(1 + n / 4 % 4); }), most) << count;
  }
  EXPECT_LT(unfairness(26, 4, [&](uint64_t n) { return area(4 + n / 2); }), 1.3);
}

/// What a progress line says of the time left is right if the first tenth costs a tenth.
TEST(Definition, the_first_combinations_tell_the_cost_of_the_rest) {
  const auto numbers = numbers_of({}, 1000);
  const auto area = [](uint64_t n) { return static_cast<double>((1 + n) * (1 + n)); };
  double first = 0, all = 0;
  for (size_t n = 0; n < numbers.size(); ++n) (n < 100 ? first : all) += area(numbers[n]);
  EXPECT_NEAR(first / (first + all), 0.1, 0.01);
}

TEST(Definition, a_shard_is_one_of_its_count) {
  EXPECT_EQ(parse_shard("3/4").value(), (Shard{3, 4}));
  for (const char* text : {"5/3", "0/3", "1/0", "1", "a/b", "1/2/3", "", "-1/2"})
    EXPECT_THAT(problem(parse_shard(text)), HasSubstr(std::string("found '") + text + "'")) << text;
}

TEST(Definition, says_how_sweeps_differ) {
  const Definition one{"0.1.0", "lesson transpose", {}, {{"--set", "size", {"1", "2"}}}, "abc", {}};
  EXPECT_EQ(difference(one, one, "A", "B"), "");
  Definition other = one;
  other.shard = {1, 2};
  EXPECT_EQ(difference(one, other, "A", "B"), "");
  other.sources = "abd";
  EXPECT_EQ(difference(one, other, "A", "B"),
            "A is of other sources than B: a file of lesson transpose changed");
  other.axes[0].values = {"1", "3"};
  EXPECT_EQ(difference(one, other, "A", "B"),
            "A has another sweep (lesson transpose --set size=1,2) than B (lesson transpose --set size=1,3)");
  other.version = "0.2.0";
  EXPECT_EQ(difference(one, other, "A", "B"), "A is of version 0.1.0 of the program, and B of version 0.2.0");
}

}  // namespace
}  // namespace lanescope::sweep
