#include "view/stepping.h"

#include "pipeline/selection.h"
#include "trace/history.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <vector>

namespace lanescope::view {

using session::Step;

namespace {

Step::To by_line(Step::To to) {
  if (to == Step::To::Previous) return Step::To::PreviousLine;
  if (to == Step::To::Next) return Step::To::NextLine;
  return to;
}

bool is_by_instruction(const Context& context) {
  return context.preferences.step_unit == StepUnit::Instruction;
}

std::optional<uint32_t> read_number(std::string_view text) {
  uint32_t number = 0;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || rest != text.data() + text.size()) return {};
  return number;
}

/// Words of letters and words of digits.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_number = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_digit = std::isdigit(byte) != 0;
    const bool is_letter = std::isalpha(byte) != 0 || byte >= 0x80;
    if (!is_digit && !is_letter) {
      if (std::string_view(" ,();:\t").find(c) == std::string_view::npos) return {};
      words.emplace_back();
      continue;
    }
    if (words.empty() || words.back().empty() || in_number != is_digit) {
      if (words.empty() || !words.back().empty()) words.emplace_back();
      in_number = is_digit;
    }
    words.back() += static_cast<char>(std::tolower(byte));
  }
  std::erase(words, "");
  return words;
}

}  // namespace

void post_step(const Context& context, Step::To to) {
  if (is_by_instruction(context))
    context.post(session::StepInstruction{to});
  else
    context.post(Step{context.preferences.step_unit == StepUnit::Line ? by_line(to) : to});
}

bool is_at_end(const Context& context) {
  const session::Snapshot& now = context.now;
  switch (context.preferences.step_unit) {
    case StepUnit::Access:
      return now.selection.access + 1 >= now.selection.timeline.size();
    case StepUnit::Line:
      return pipeline::step_target(now.selection, Step::To::NextLine) == now.selection.access;
    case StepUnit::Instruction:
      break;
  }
  return now.history.recorded && now.history.instruction + 1 >= now.history.recorded->entries.size();
}

StepPosition position_of(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!is_by_instruction(context))
    return {now.selection.access, static_cast<uint32_t>(now.selection.timeline.size())};
  if (!now.history.recorded) return {};
  return {now.history.instruction, static_cast<uint32_t>(now.history.recorded->entries.size())};
}

void go_to_step(const Context& context, uint32_t index) {
  if (is_by_instruction(context))
    context.post(session::SelectInstruction{index});
  else
    context.post(session::SelectAccess{index});
}

std::optional<CtaId> parse_block(std::string_view text, Dim3 grid) {
  std::vector<uint32_t> numbers;
  for (const std::string& word : words_of(text)) {
    if (word == "x") continue;
    const auto number = read_number(word);
    if (!number) return {};
    numbers.push_back(*number);
  }
  if (numbers.size() == 1 && numbers[0] < volume(grid)) return CtaId{numbers[0]};
  if (numbers.size() < 2 || numbers.size() > 3) return {};
  const Dim3 at{numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0};
  if (at.x >= grid.x || at.y >= grid.y || at.z >= grid.z) return {};
  return CtaId{static_cast<uint32_t>(linear(at, grid))};
}

std::optional<Place> parse_place(std::string_view text, Dim3 grid, uint32_t warps) {
  Place place;
  std::string block;
  char kind = 'a';  // a number alone is an access
  bool has_any = false;
  for (const std::string& word : words_of(text)) {
    if (std::isdigit(static_cast<unsigned char>(word.front())) == 0) {
      static constexpr std::array<std::string_view, 6> kKinds{"block",  "bloc",  "warp",
                                                              "access", "accès", "instruction"};
      const auto known =
          std::ranges::find_if(kKinds, [&](std::string_view name) { return name.starts_with(word); });
      if (known == kKinds.end()) return {};
      kind = known->front();
      continue;
    }
    const auto number = read_number(word);
    if (!number) return {};
    has_any = true;
    if (kind == 'b') {
      block += word + " ";
    } else if (kind == 'w') {
      if (*number >= warps) return {};
      place.warp = WarpId{*number};
    } else {
      if (*number == 0) return {};
      place.step = *number - 1;
    }
  }
  if (!has_any) return {};
  if (!block.empty()) {
    place.block = parse_block(block, grid);
    if (!place.block) return {};
  }
  return place;
}

void go_to_place(const Context& context, const Place& place) {
  if (place.block && *place.block != context.now.selection.cta)
    context.post(session::SelectBlock{*place.block});
  if (place.warp) context.post(session::SelectWarp{*place.warp});
  if (place.step) go_to_step(context, *place.step);
}

void go_to_line(const Context& context, int line) {
  const session::Snapshot& now = context.now;
  context.post(session::SelectLine{line});
  if (!now.run || pipeline::access_on_line(now.selection, line)) return;
  const auto& sites = now.run->trace->sites;
  const bool has_site =
      std::ranges::any_of(sites, [&](const trace::Site& site) { return site.source.line == line; });
  context.notify(has_site ? context.phrase(Text::window_line_of_other_warp, line, now.selection.warp.value)
                          : context.phrase(Text::window_line_without_access, line));
}

void HistoryRequest::keep(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.run || now.history.recorded) return;
  const std::tuple wanted(now.run_generation, now.selection.cta, now.selection.warp);
  if (asked_for_ == wanted) return;
  asked_for_ = wanted;
  context.post(session::ShowHistory{});
}

}  // namespace lanescope::view
