#include "support/bandwidth_picture.h"

#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

double number_in(std::string text) {
  std::erase(text, ',');
  return std::stod(text);
}

/// Half of the last digit that is written.
double rounding_of(double number) { return number < 9.95 ? 0.051 : 0.51; }

}  // namespace

BandwidthReading read(const plot::Figure& figure) {
  using plot::Label;
  using plot::Role;
  BandwidthReading reading;
  std::vector<plot::Rect> tracks, lengths;
  std::vector<Label> labels;
  for (const plot::Mark& mark : figure.marks) {
    if (const auto* rect = std::get_if<plot::Rect>(&mark); rect != nullptr && rect->fill)
      (rect->fill->role == Role::Sunken ? tracks : lengths).push_back(*rect);
    if (const auto* label = std::get_if<Label>(&mark)) labels.push_back(*label);
    if (const auto* line = std::get_if<plot::Line>(&mark); line != nullptr && line->x1 == line->x2)
      reading.copy_length = (line->x1 - tracks.front().x) / tracks.front().width;
  }
  for (size_t n = 0; n < tracks.size(); ++n) {
    BandwidthReading::Bar bar;
    bar.length = lengths[n].width / tracks[n].width;
    bar.is_current = lengths[n].fill->opacity == 1;
    const float middle = tracks[n].y + tracks[n].height / 2;
    for (const Label& label : labels) {
      if (std::abs(label.y - middle) > 0.1f) continue;
      if (label.x < tracks[n].x) bar.name = label.text;
      if (label.x > tracks[n].x && label.text.ends_with('%')) bar.percent = number_in(label.text);
      if (label.x > tracks[n].x && !label.text.ends_with('%')) bar.number = number_in(label.text);
    }
    reading.bars.push_back(bar);
  }
  for (const Label& label : labels) {
    if (label.text.starts_with("copy ")) reading.copy = number_in(label.text.substr(5));
    if (label.text.ends_with("/s") || label.text == "µs") reading.unit = label.text;
  }
  return reading;
}

void expect_consistent(const plot::Figure& figure, const std::string& where) {
  SCOPED_TRACE(where + ": " + figure.explanation);
  const BandwidthReading reading = read(figure);
  ASSERT_FALSE(reading.bars.empty());
  const bool are_times = reading.unit == "µs";
  EXPECT_EQ(std::ranges::count(reading.bars, true, &BandwidthReading::Bar::is_current), 1);
  const auto longest = std::ranges::max_element(reading.bars, {}, &BandwidthReading::Bar::number);
  const double end = std::max(longest->number, reading.copy);
  double of_current = 0;
  const double least_length = 2.0 / 300;  // a bar is at least two pixels long
  for (const BandwidthReading::Bar& bar : reading.bars) {
    SCOPED_TRACE(bar.name);
    EXPECT_GT(bar.number, 0) << "nothing is written as 0";
    // The thin lines at the ends may reach beyond the longest bar: the scale is theirs.
    EXPECT_LE(bar.length, 1.001);
    EXPECT_NEAR(bar.length / longest->length, bar.number / longest->number,
                rounding_of(bar.number) / longest->number + 0.01 * bar.number / end + least_length);
    if (bar.percent >= 0) {
      const double whole = reading.copy > 0 ? reading.copy : longest->number;
      EXPECT_NEAR(bar.percent, 100 * bar.number / whole,
                  0.51 + 100 * rounding_of(bar.number) / whole + bar.percent * rounding_of(whole) / whole);
    }
    if (bar.is_current)
      of_current = are_times || bar.percent < 0 || reading.copy <= 0 ? bar.number : bar.percent;
  }
  if (reading.copy > 0) {
    EXPECT_NEAR(reading.copy_length / longest->length, reading.copy / longest->number,
                (rounding_of(reading.copy) + rounding_of(longest->number)) / longest->number +
                    0.01 * reading.copy / longest->number);
  }
  const std::string unit = reading.copy > 0 && !are_times ? "%" : reading.unit;
  const auto written = [&](double number) {
    std::string text = unit == "%" ? fmt::format("{:.0f}\u00a0%", number)
                                   : fmt::format("{}\u00a0{}", decimal(Language::English, number), unit);
    std::erase(text, ',');
    return text;
  };
  std::string text = figure.explanation;
  std::erase(text, ',');
  EXPECT_NE(text.find(written(of_current)), std::string::npos) << written(of_current);
  const std::string_view fastest = " is the fastest with ";
  const size_t at = text.find(fastest);
  if (at == std::string::npos) return;
  // Only a bar that is drawn can be the fastest, and it is drawn as faster.
  const auto best = std::ranges::find_if(reading.bars, [&](const BandwidthReading::Bar& bar) {
    std::string name = bar.name;
    std::erase(name, ',');
    return text.substr(0, at).ends_with(name);
  });
  ASSERT_NE(best, reading.bars.end());
  const auto current = std::ranges::find(reading.bars, true, &BandwidthReading::Bar::is_current);
  EXPECT_TRUE(are_times ? best->number < current->number : best->number > current->number);
  const double of_best = unit == "%" ? best->percent : best->number;
  EXPECT_TRUE(text.substr(at + fastest.size()).starts_with(written(of_best))) << written(of_best);
}

}  // namespace lanescope::tests
