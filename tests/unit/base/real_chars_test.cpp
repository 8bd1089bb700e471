#include "base/real_chars.h"

#include <limits>
#include <string_view>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

struct Read {
  double value = -77;  // stays where the text is no number
  std::errc problem{};
  size_t length = 0;
};

template <class Real, class Function>
Read read(Function function, std::string_view text) {
  Real value = -77;
  const auto [rest, problem] = function(text.data(), text.data() + text.size(), value);
  return {value, problem, static_cast<size_t>(rest - text.data())};
}

template <class Real>
Read with_either(std::string_view text) {
  constexpr auto kStandard = [](const char* begin, const char* end, Real& value) {
    return real_from_chars(begin, end, value);
  };
  constexpr auto kOwn = [](const char* begin, const char* end, Real& value) {
    return real_by_strtod(begin, end, value);
  };
  const Read standard = read<Real>(kStandard, text), own = read<Real>(kOwn, text);
  EXPECT_EQ(own.value, standard.value) << text;
  EXPECT_EQ(own.problem, standard.problem) << text;
  EXPECT_EQ(own.length, standard.length) << text;
  return own;
}

TEST(RealChars, numbers_have_their_values) {
  EXPECT_EQ(with_either<double>("0.5").value, 0.5);
  EXPECT_EQ(with_either<double>("-1e-3").value, -1e-3);
  EXPECT_EQ(with_either<double>(".25").value, 0.25);
  EXPECT_EQ(with_either<float>("16777217").value, 16777216);  // to even
  EXPECT_EQ(with_either<double>("-inf").value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(with_either<double>("4.9406564584124654e-324").value, std::numeric_limits<double>::denorm_min());
}

TEST(RealChars, what_follows_the_number_is_left) {
  EXPECT_EQ(with_either<double>("1.5f").length, 3u);
  EXPECT_EQ(with_either<double>("0x10").length, 1u);
  EXPECT_EQ(with_either<double>("-0x10").length, 2u);
  EXPECT_EQ(with_either<double>("2e").length, 1u);
}

TEST(RealChars, what_is_no_number_is_refused) {
  for (const std::string_view text : {"", "-", "+1", " 1", "x", "--1", "-+1", ".", "-\t1", "e5"}) {
    EXPECT_EQ(with_either<double>(text).problem, std::errc::invalid_argument) << text;
    EXPECT_EQ(with_either<double>(text).value, -77) << text;
  }
}

TEST(RealChars, a_number_outside_the_range_is_told_apart) {
  EXPECT_EQ(with_either<double>("1e400").problem, std::errc::result_out_of_range);
  EXPECT_EQ(with_either<float>("1e39").problem, std::errc::result_out_of_range);
  EXPECT_EQ(with_either<double>("1e-400").problem, std::errc::result_out_of_range);
}

}  // namespace
}  // namespace lanescope
