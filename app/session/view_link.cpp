#include "session/view_link.h"

#include "lesson/launch_plan.h"
#include "session/file_choice.h"
#include "session/lecture_state.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::session {
namespace {

constexpr std::string_view kVersion = "1";
constexpr std::string_view kOfA = "a.";
constexpr std::string_view kBlock = "block";
/// What a `block` with a comma is called here: a lesson may have a toggle of that name, whose values have
/// none.
constexpr std::string_view kPlace = "block=X,Y,Z";
constexpr size_t kMostKeys = 64;

using Values = std::vector<std::pair<std::string, std::string>>;

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                          std::string_view("-_.,").contains(c);
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  return out;
}

Result<std::string> decoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    uint8_t byte = 0;
    const char* const digits = text.data() + at + 1;
    const bool has_digits = at + 2 < text.size();
    if (!has_digits || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
      return fail(ErrorKind::Syntax, "a link has two hexadecimal digits after each '%'");
    out += static_cast<char>(byte);
    at += 2;
  }
  const bool is_plain = std::ranges::none_of(out, [](char c) { return static_cast<uint8_t>(c) < 0x20; });
  if (!is_plain) return fail(ErrorKind::Syntax, "a link has no control characters");
  return out;
}

/// Of a page, with what it shall show.
bool is_address(std::string_view link) {
  return (link.starts_with("https://") || link.starts_with("http://")) && link.contains('#');
}

/// The keys and values in their order.
Result<Values> values_of(std::string_view link) {
  if (link.size() > kMaximumLinkBytes)
    return fail(ErrorKind::Syntax, fmt::format("a link has at most {} characters", kMaximumLinkBytes));
  if (link.starts_with(kLinkBegin))
    link.remove_prefix(kLinkBegin.size());
  else if (link.starts_with('#') || is_address(link))
    link.remove_prefix(std::min(link.size(), link.find('#')) + 1);
  else if (link.starts_with(kLinkScheme))
    return fail(ErrorKind::Syntax, fmt::format("a link begins with {}", kLinkBegin));
  Values values;
  while (!link.empty()) {
    const std::string_view one = link.substr(0, link.find('&'));
    link.remove_prefix(std::min(link.size(), one.size() + 1));
    const size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorKind::Syntax, "a link consists of KEY=VALUE with '&' between them");
    TRY(std::string key, decoded(one.substr(0, equals)));
    TRY(std::string value, decoded(one.substr(equals + 1)));
    if (key == kBlock && value.contains(',')) key = kPlace;
    if (std::ranges::find(values, key, &Values::value_type::first) != values.end())
      return fail(ErrorKind::Syntax, fmt::format("the link says '{}' twice", key));
    if (values.size() == kMostKeys)
      return fail(ErrorKind::Syntax, fmt::format("a link has at most {} keys", kMostKeys));
    values.emplace_back(std::move(key), std::move(value));
  }
  return values;
}

/// Takes the value of a key out of the list; empty where there is none.
std::string take(Values& values, std::string_view key) {
  const auto found = std::ranges::find(values, key, &Values::value_type::first);
  if (found == values.end()) return {};
  std::string value = std::move(found->second);
  values.erase(found);
  return value;
}

/// Whether the text is nothing but a number of 32 bits, which is then in `number`.
bool is_whole_number(std::string_view text, uint32_t& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && problem == std::errc() && end == text.data() + text.size();
}

/// 0 where the link has none.
Result<uint32_t> take_number(Values& values, std::string_view key) {
  const std::string text = take(values, key);
  uint32_t number = 0;
  if (text.empty() || is_whole_number(text, number)) return number;
  return fail(ErrorKind::Syntax, fmt::format("'{}' in a link is a whole number from 0, not '{}'", key, text));
}

/// "1,0" in the grid of the settings.
Result<CtaId> block_of(const std::string& text, const Choices& choices) {
  std::array<uint32_t, 3> index{};
  std::string_view rest = text;
  for (size_t n = 0; !rest.empty(); ++n) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const bool is_number = n < 3 && is_whole_number(one, index[n]);
    if (!is_number) return fail(ErrorKind::Syntax, fmt::format("'block' in a link is X,Y,Z, not '{}'", text));
  }
  const lesson::Lesson& lesson = *choices.lesson;
  TRY(const launch::Launch launch, lesson::make_launch(lesson, lesson::kernel_of(lesson, choices.settings),
                                                       choices.settings, nullptr, lesson::Filling::None));
  const Dim3 grid = launch.grid;
  if (index[0] >= grid.x || index[1] >= grid.y || index[2] >= grid.z)
    return fail(ErrorKind::Usage, fmt::format("the link's block {} is not in the grid of {} x {} x {} blocks",
                                              text, grid.x, grid.y, grid.z));
  return CtaId{static_cast<uint32_t>(linear(Dim3{index[0], index[1], index[2]}, grid))};
}

/// The keys of A without their prefix.
Values take_values_of_a(Values& values) {
  Values of_a;
  std::erase_if(values, [&](Values::value_type& value) {
    if (!value.first.starts_with(kOfA)) return false;
    of_a.emplace_back(value.first.substr(kOfA.size()), std::move(value.second));
    return true;
  });
  return of_a;
}

/// Device, kernel and toggles.
Result<void> set(Choices& choices, Values values, const pipeline::Options& options) {
  if (const std::string device = take(values, "device"); !device.empty()) {
    const auto listed = model::device_names(options.assets / "devices");
    if (std::ranges::find(listed, device) == listed.end())
      return fail(ErrorKind::Usage, fmt::format("the link's device '{}' is none of the program's: {}", device,
                                                fmt::join(listed, ", ")));
    TRY(choices.device, model::find_device(options.assets / "devices", device));
  }
  std::ranges::stable_partition(values, [](const auto& value) { return value.first == "kernel"; });
  TRY(choices.settings, lesson::with_toggles(*choices.lesson, choices.settings, values));
  return {};
}

Result<void> check_version(Values& values) {
  const std::string version = take(values, "v");
  if (version.empty() || version == kVersion) return {};
  return fail(
      ErrorKind::Syntax,
      fmt::format("the link is of format {}, this program reads format {}; open it with the version of "
                  "Lanescope that made it",
                  version, kVersion));
}

std::vector<Command> language_command(Values& values) {
  const std::string language = take(values, "lang");
  if (language == "fr") return {SetLanguage{Language::French}};
  if (language == "en") return {SetLanguage{Language::English}};
  return {};
}

Result<std::vector<Command>> commands_of_lecture(Values values, std::vector<Command> commands,
                                                 const std::string& lecture,
                                                 const pipeline::Options& options) {
  const auto listed = lesson::lecture_names(options.assets / "lessons");
  if (std::ranges::find(listed, lecture) == listed.end())
    return fail(ErrorKind::Usage, fmt::format("the link's lecture '{}' is none of the program's: {}", lecture,
                                              fmt::join(listed, ", ")));
  TRY(const uint32_t step, take_number(values, "step"));
  if (!values.empty())
    return fail(ErrorKind::Syntax,
                fmt::format("'{}' is no part of a link to a lecture", values.front().first));
  commands.emplace_back(OpenLecture{lecture, step == 0 ? 0 : step - 1});
  return commands;
}

// Writing.

void add(std::string& link, std::string_view key, std::string_view value) {
  link += fmt::format("{}{}={}", link.empty() ? "" : "&", encoded(key), encoded(value));
}

void add_settings(std::string& link, const Choices& choices, std::string_view prefix) {
  add(link, fmt::format("{}kernel", prefix), choices.settings.kernel);
  for (const auto& [name, value] : choices.settings.values)
    add(link, fmt::format("{}{}", prefix, name), value);
  add(link, fmt::format("{}device", prefix), choices.device.name);
}

}  // namespace

bool is_link(std::string_view text) { return text.starts_with(kLinkScheme) || is_address(text); }

Result<std::string> link_of(const Snapshot& snapshot, std::string_view begin) {
  const Choices& choices = snapshot.choices;
  const auto& listed = snapshot.available.lessons;
  const bool is_lesson = choices.lesson && choices.exercise.empty() && snapshot.run &&
                         std::ranges::find(listed, choices.lesson->name) != listed.end();
  if (!is_lesson)
    return fail(ErrorKind::Usage,
                "a link shows a lesson of the program; save the session to hand on a file of your own");
  std::string link;
  add(link, "lesson", choices.lesson->name);
  add_settings(link, choices, "");
  const Dim3 block = position_of(snapshot.selection.cta.value, snapshot.run->trace->grid);
  add(link, "block", fmt::format("{},{},{}", block.x, block.y, block.z));
  add(link, "warp", std::to_string(snapshot.selection.warp.value));
  add(link, "access", std::to_string(snapshot.selection.access));
  add(link, "lang", choices.language == Language::French ? "fr" : "en");
  const Snapshot* const pinned = snapshot.pinned.get();
  if (pinned != nullptr && pinned->choices.lesson && pinned->choices.lesson->folder == choices.lesson->folder)
    add_settings(link, pinned->choices, kOfA);
  return std::string(begin) + link;
}

Result<std::vector<Command>> commands_of_link(std::string_view link, const pipeline::Options& options,
                                              const Choices& now) {
  TRY(Values values, values_of(link));
  TRY_VOID(check_version(values));
  std::vector<Command> commands = language_command(values);
  if (const std::string lecture = take(values, "lecture"); !lecture.empty())
    return commands_of_lecture(std::move(values), std::move(commands), lecture, options);
  const auto listed = lesson::lesson_names(options.assets / "lessons");
  // A link with a language alone keeps what is open.
  if (values.empty() && !commands.empty()) {
    const bool is_open = now.lesson != nullptr || now.file != nullptr;
    if (!is_open && !listed.empty()) commands.emplace_back(OpenLesson{listed.front()});
    return commands;
  }
  const std::string name = take(values, "lesson");
  if (std::ranges::find(listed, name) == listed.end())
    return fail(ErrorKind::Usage, fmt::format("the link's lesson '{}' is none of the program's: {}", name,
                                              fmt::join(listed, ", ")));
  Choices choices = now;
  TRY_VOID(open_lesson(choices, options, name));
  const Values of_a = take_values_of_a(values);
  SessionChoices both;
  TRY(const uint32_t warp, take_number(values, "warp"));
  TRY(both.place.access, take_number(values, "access"));
  both.place.warp = WarpId{warp};
  std::string block = take(values, kPlace);
  const bool has_toggle = std::ranges::count(choices.lesson->toggles, kBlock, &lesson::Toggle::name) != 0;
  if (block.empty() && !has_toggle) block = take(values, kBlock);
  TRY_VOID(set(choices, std::move(values), options));
  TRY(both.place.cta, block_of(block, choices));
  both.present = std::make_shared<const Choices>(choices);
  if (!of_a.empty()) {
    TRY_VOID(set(choices, of_a, options));
    both.pinned = std::make_shared<const Choices>(std::move(choices));
  }
  for (Command& command : commands_that_restore(both)) commands.push_back(std::move(command));
  return commands;
}

}  // namespace lanescope::session
