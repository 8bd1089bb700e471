#include "session/kept_state.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "session/session_file.h"
#include "session/source_texts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "lanescope_texts 1\n";

/// What a text of the file is, each by its word.
struct Kind {
  std::string_view word;
  std::vector<EditedText> KeptTexts::* texts;
};
constexpr std::array<Kind, 3> kKinds{
    {{"present", &KeptTexts::present}, {"pinned", &KeptTexts::pinned}, {"made_from", &KeptTexts::made_from}}};

std::vector<EditedText> texts_of(const std::shared_ptr<const pipeline::EditedFiles>& files) {
  std::vector<EditedText> texts;
  if (files)
    for (const auto& [file, text] : *files) texts.push_back({file, *text});
  return texts;
}

/// The copy of a lesson's file that has the text.
bool is_saved(const Snapshot& snapshot, const EditedText& text) {
  return snapshot.sources && std::ranges::any_of(snapshot.sources->files, [&](const SourceText& file) {
           return file.path == text.file && file.is_saved;
         });
}

/// Takes what is read off the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}
  bool is_at_end() const { return rest_.empty(); }
  std::optional<std::string_view> bytes(size_t count) {
    if (count > rest_.size()) return {};
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  /// Up to `end`, which is taken too.
  std::optional<std::string_view> word(char end) {
    const size_t length = rest_.find(end);
    if (length == std::string_view::npos) return {};
    const auto word = bytes(length);
    rest_.remove_prefix(1);
    return word;
  }
  std::optional<size_t> number(char end) {
    const auto digits = word(end);
    size_t value = 0;
    if (!digits || digits->empty()) return {};
    const auto [rest, problem] = std::from_chars(digits->data(), digits->data() + digits->size(), value);
    if (problem != std::errc() || rest != digits->data() + digits->size()) return {};
    return value;
  }

 private:
  std::string_view rest_;
};

/// Adds one text to those of its kind. False where the text is cut or of no known kind.
bool read_one(Reader& reader, KeptTexts& to) {
  const auto word = reader.word(' ');
  const auto kind = word ? std::ranges::find(kKinds, *word, &Kind::word) : kKinds.end();
  const auto path_bytes = kind != kKinds.end() ? reader.number(' ') : std::nullopt;
  const auto text_bytes = path_bytes ? reader.number('\n') : std::nullopt;
  const auto path = text_bytes ? reader.bytes(*path_bytes) : std::nullopt;
  const auto text = path ? reader.bytes(*text_bytes) : std::nullopt;
  const auto end = text ? reader.bytes(1) : std::nullopt;
  if (!end || *end != "\n" || path->empty()) return false;
  (to.*kind->texts).push_back({fs::path(*path), std::string(*text)});
  return true;
}

}  // namespace

KeptTexts edited_texts_of(const Snapshot& snapshot, const std::vector<EditedText>& typed) {
  KeptTexts texts{
      .present = texts_of(snapshot.choices.edited),
      .pinned = snapshot.pinned ? texts_of(snapshot.pinned->choices.edited) : std::vector<EditedText>(),
      .made_from = texts_of(snapshot.edits_made_from)};
  std::erase_if(texts.present, [&](const EditedText& text) { return is_saved(snapshot, text); });
  for (const EditedText& text : typed) {
    const auto known = std::ranges::find(texts.present, text.file, &EditedText::file);
    if (known == texts.present.end())
      texts.present.push_back(text);
    else
      known->text = text.text;
  }
  return texts;
}

std::string text_of(const KeptTexts& texts) {
  std::string text(kHeading);
  for (const Kind& kind : kKinds)
    for (const EditedText& one : texts.*kind.texts) {
      const std::string path = one.file.string();
      text += fmt::format("{} {} {}\n{}{}\n", kind.word, path.size(), one.text.size(), path, one.text);
    }
  return text;
}

Result<KeptTexts> read_kept_texts(const fs::path& file) {
  TRY(const std::string whole, read_text(file));
  Reader reader(whole);
  KeptTexts texts;
  bool is_whole = reader.bytes(kHeading.size()) == kHeading;
  while (is_whole && !reader.is_at_end()) is_whole = read_one(reader, texts);
  if (is_whole) return texts;
  return fail(ErrorKind::Syntax,
              "texts that the window kept were expected, each after a line with its lengths; the file was "
              "cut or changed, "
              "and its texts can still be copied from it by hand",
              Location{file.string(), 0});
}

Result<std::vector<Command>> commands_that_continue(const fs::path& folder, const pipeline::Options& options,
                                                    const Choices& now) {
  std::error_code ignored;
  KeptTexts texts;
  if (fs::exists(folder / kKeptTexts, ignored)) {
    TRY(texts, read_kept_texts(folder / kKeptTexts));
  }
  for (EditedText& edited : texts_of(now.edited))
    if (std::ranges::find(texts.present, edited.file, &EditedText::file) == texts.present.end())
      texts.present.push_back(std::move(edited));
  std::vector<Command> commands{TakeTexts{texts.present, texts.made_from}};
  if (!fs::exists(folder / kKeptSession, ignored)) return commands;
  TRY(const SessionFile session, read_session_file(folder / kKeptSession, options));
  // A is made of its own texts.
  std::vector<Command> all;
  for (Command& command : commands_that_open(session)) {
    if (std::holds_alternative<Pin>(command)) all.emplace_back(TakeTexts{texts.pinned});
    all.push_back(std::move(command));
  }
  std::ranges::move(commands, std::back_inserter(all));
  return all;
}

}  // namespace lanescope::session
