#include "session/view_link.h"

#include "lesson/launch_plan.h"
#include "session/file_choice.h"
#include "session/lecture_state.h"
#include "session/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

constexpr std::string_view kVersion = "1";
constexpr std::string_view kOfA = "a.";
constexpr std::string_view kBlock = "block";
/// What a `block` with a comma is called here: a lesson may have a toggle of that name, whose values have
/// none.
constexpr std::string_view kPlace = "block=X,Y,Z";
constexpr size_t kMostKeys = 64;
/// Bytes of a link that a sentence repeats.
constexpr size_t kMostQuoted = 40;

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

/// Nothing where two hexadecimal digits are missing after a '%', and of control characters.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    uint8_t byte = 0;
    const char* const digits = text.data() + at + 1;
    const bool has_digits = at + 2 < text.size();
    if (!has_digits || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return {};
    out += static_cast<char>(byte);
    at += 2;
  }
  const bool is_plain = std::ranges::none_of(out, [](char c) { return static_cast<uint8_t>(c) < 0x20; });
  return is_plain ? std::optional(std::move(out)) : std::nullopt;
}

/// Of a page, with what it shall show.
bool is_address(std::string_view link) {
  return (link.starts_with("https://") || link.starts_with("http://")) && link.contains('#');
}

/// Whether the text is nothing but a number of 32 bits, which is then in `number`.
bool is_whole_number(std::string_view text, uint32_t& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && problem == std::errc() && end == text.data() + text.size();
}

/// "1,0,0"; nothing where the text is none of X, X,Y and X,Y,Z.
std::optional<Dim3> index_of(std::string_view text) {
  std::array<uint32_t, 3> index{};
  for (size_t n = 0; !text.empty(); ++n) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    if (n == index.size() || !is_whole_number(one, index[n])) return {};
  }
  return Dim3{index[0], index[1], index[2]};
}

/// The beginning of what a link says, for a sentence.
std::string begin_of(std::string_view text) {
  if (text.size() <= kMostQuoted) return std::string(text);
  size_t end = kMostQuoted;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;  // whole letters of UTF-8
  return std::string(text.substr(0, end)) + "…";
}

/// Reads a link as far as it goes. Of all that is wrong the first is kept, and what it is about is left out.
class LinkReader {
 public:
  LinkReader(const pipeline::Options& options, const Choices& now)
      : options_(options),
        now_(now),
        language_(now.language),
        lessons_(lesson::lesson_names(options.assets / "lessons")) {}

  LinkedView read(std::string_view link) {
    read_language(link);
    read_values(link);
    const bool says_nothing = values_.empty() && !wrong_;
    if (const std::string version = take("v"); !version.empty() && version != kVersion)
      note(Words::link_version, begin_of(version), kVersion);
    if (is_there("lecture"))
      read_lecture(take("lecture"));
    else if (is_there("lesson"))
      read_lesson(take("lesson"));
    else {
      // A link with a language alone keeps what is open.
      if (!says_nothing || commands_.empty()) note(Words::link_no_lesson);
      stay();
    }
    LinkedView view{std::move(commands_), {}};
    if (wrong_)
      view.problem = Error{.kind = ErrorKind::Usage,
                           .message = fmt::format("{}{}", *wrong_, say(language_, shown_instead_))};
    return view;
  }

 private:
  template <class... Arguments>
  void note(Words words, const Arguments&... arguments) {
    if (!wrong_) wrong_ = fmt::format(fmt::runtime(say(language_, words)), arguments...);
  }

  void note(const Error& error) {
    if (!wrong_) wrong_ = describe(error) + "; ";
  }

  /// Before all else, since what is wrong is said in it.
  void read_language(std::string_view link) {
    for (const char before : {'#', '?', '&'}) {
      if (link.contains(fmt::format("{}lang=fr", before))) language_ = Language::French;
      if (link.contains(fmt::format("{}lang=en", before))) language_ = Language::English;
    }
  }

  /// Keys and values in their order, without the language.
  void read_values(std::string_view link) {
    if (link.size() > kMaximumLinkBytes) return note(Words::link_long, kMaximumLinkBytes);
    if (link.starts_with(kLinkBegin))
      link.remove_prefix(kLinkBegin.size());
    else if (link.starts_with('#') || is_address(link))
      link.remove_prefix(std::min(link.size(), link.find('#')) + 1);
    else if (link.starts_with(kLinkScheme))
      return note(Words::link_begin, kLinkBegin);
    while (!link.empty() && values_.size() < kMostKeys) {
      const std::string_view one = link.substr(0, link.find('&'));
      link.remove_prefix(std::min(link.size(), one.size() + 1));
      read_value(one);
    }
    if (!link.empty()) note(Words::link_keys, kMostKeys);
    const std::string language = take("lang");
    if (language == "fr") commands_.emplace_back(SetLanguage{Language::French});
    if (language == "en") commands_.emplace_back(SetLanguage{Language::English});
  }

  void read_value(std::string_view one) {
    const size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0) return note(Words::link_pairs, begin_of(one));
    std::optional<std::string> key = decoded(one.substr(0, equals)), value = decoded(one.substr(equals + 1));
    if (!key || !value) return note(Words::link_percent);
    if (*key == kBlock && value->contains(',')) *key = kPlace;
    if (is_there(*key)) return note(Words::link_twice, begin_of(*key));
    values_.emplace_back(*std::move(key), *std::move(value));
  }

  bool is_there(std::string_view key) const {
    return std::ranges::find(values_, key, &Values::value_type::first) != values_.end();
  }

  /// Takes the value of a key out of the list; empty where there is none.
  std::string take(std::string_view key) {
    const auto found = std::ranges::find(values_, key, &Values::value_type::first);
    if (found == values_.end()) return {};
    std::string value = std::move(found->second);
    values_.erase(found);
    return value;
  }

  /// 0 where the link has none.
  uint32_t take_number(std::string_view key) {
    const std::string text = take(key);
    uint32_t number = 0;
    if (text.empty() || is_whole_number(text, number)) return number;
    note(Words::link_number, key, begin_of(text));
    return 0;
  }

  /// What is open, else the first lesson.
  void stay() {
    const bool is_open = now_.lesson != nullptr || now_.file != nullptr;
    shown_instead_ = is_open ? Words::link_stays : Words::link_first;
    if (!is_open && !lessons_.empty()) commands_.emplace_back(OpenLesson{lessons_.front()});
  }

  void read_lecture(const std::string& name) {
    const auto listed = lesson::lecture_names(options_.assets / "lessons");
    if (std::ranges::find(listed, name) == listed.end()) {
      note(Words::link_lecture, begin_of(name));
      return stay();
    }
    const uint32_t step = take_number("step");
    if (!values_.empty()) note(Words::link_of_lecture, begin_of(values_.front().first));
    commands_.emplace_back(OpenLecture{name, step == 0 ? 0 : step - 1});
  }

  void read_lesson(const std::string& name) {
    Choices choices = now_;
    if (std::ranges::find(lessons_, name) == lessons_.end()) {
      note(Words::link_lesson, begin_of(name));
      return stay();
    }
    if (const auto opened = open_lesson(choices, options_, name); !opened) {
      note(opened.error());
      return stay();
    }
    const Values of_a = take_values_of_a();
    SessionChoices both;
    const uint32_t warp = take_number("warp");
    both.place.access = take_number("access");
    std::string block = take(kPlace);
    const bool has_toggle = std::ranges::count(choices.lesson->toggles, kBlock, &lesson::Toggle::name) != 0;
    if (block.empty() && !has_toggle) block = take(kBlock);
    set(choices, std::exchange(values_, {}));
    read_place(block, warp, choices, both.place);
    both.present = std::make_shared<const Choices>(choices);
    if (!of_a.empty()) {
      set(choices, of_a);
      both.pinned = std::make_shared<const Choices>(std::move(choices));
    }
    for (Command& command : commands_that_restore(both)) commands_.push_back(std::move(command));
  }

  /// The keys of A without their prefix.
  Values take_values_of_a() {
    Values of_a;
    std::erase_if(values_, [&](Values::value_type& value) {
      if (!value.first.starts_with(kOfA)) return false;
      of_a.emplace_back(value.first.substr(kOfA.size()), std::move(value.second));
      return true;
    });
    return of_a;
  }

  /// Device, kernel and toggles.
  void set(Choices& choices, Values values) {
    std::ranges::stable_partition(values, [](const auto& value) { return value.first == "kernel"; });
    for (const auto& [name, value] : values) {
      if (name == "device")
        set_device(choices, value);
      else if (auto changed = lesson::with_toggle(*choices.lesson, choices.settings, name, value))
        choices.settings = *std::move(changed);
      else
        note(Words::link_setting, begin_of(name + "=" + value));
    }
  }

  void set_device(Choices& choices, const std::string& name) {
    const auto listed = model::device_names(options_.assets / "devices");
    if (std::ranges::find(listed, name) == listed.end()) return note(Words::link_device, begin_of(name));
    if (auto device = model::find_device(options_.assets / "devices", name))
      choices.device = *std::move(device);
    else
      note(device.error());
  }

  /// A block of the grid of the settings, and a warp of it. What a launch lacks its run says.
  void read_place(const std::string& block, uint32_t warp, const Choices& choices,
                  pipeline::SelectionRequest& place) {
    const lesson::Lesson& lesson = *choices.lesson;
    const auto launch = lesson::make_launch(lesson, lesson::kernel_of(lesson, choices.settings),
                                            choices.settings, nullptr, lesson::Filling::None);
    if (!launch) return;
    const Dim3 grid = launch->grid;
    const auto index = index_of(block);
    if (!index)
      note(Words::link_block, begin_of(block));
    else if (index->x >= grid.x || index->y >= grid.y || index->z >= grid.z)
      note(Words::link_grid, begin_of(block), grid.x, grid.y, grid.z);
    else
      place.cta = CtaId{static_cast<uint32_t>(linear(*index, grid))};
    const uint64_t warps = (volume(launch->block) + kLanes - 1) / kLanes;
    if (warp >= warps)
      note(Words::link_warp, warp, warps);
    else
      place.warp = WarpId{warp};
  }

  const pipeline::Options& options_;
  const Choices& now_;
  Language language_;
  std::vector<std::string> lessons_;
  Values values_;  // that are not taken yet
  std::vector<Command> commands_;
  std::optional<std::string> wrong_;
  Words shown_instead_ = Words::link_rest;  // of what is wrong
};

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

LinkedView view_of_link(std::string_view link, const pipeline::Options& options, const Choices& now) {
  return LinkReader(options, now).read(link);
}

}  // namespace lanescope::session
