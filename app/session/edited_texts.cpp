#include "session/edited_texts.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "session/opened_file.h"

#include <algorithm>
#include <system_error>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) return false;
  const fs::path own = pipeline::edited_name(folder);
  const auto [end, ignored] = std::ranges::mismatch(own, file);
  return end == own.end() || end->empty();
}

Result<void> write_text(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), ignored);
  if (write_file(file, text)) return {};
  return fail(
      ErrorKind::File,
      "the text cannot be written here; save it under another name, or check the folder's permissions "
      "and the room on the disk",
      Location{file.string(), 0});
}

/// Null where the file cannot be read.
std::shared_ptr<const std::string> text_on_disk(const fs::path& file) {
  auto text = read_text(file);
  return text ? std::make_shared<const std::string>(*std::move(text)) : nullptr;
}

bool is_regular(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

/// The opened file under another name, with its launches.
void rename_opened(Choices& choices, const fs::path& to) {
  OpenedFile file = *choices.file;
  const auto rename = [&](pipeline::LaunchFile& launches) {
    for (pipeline::LaunchText& launch : launches.launches)
      if (fs::path(launch.file) == choices.file->path) launch.file = to.string();
  };
  rename(file.launches);
  for (auto& [kernel, other] : file.others) rename(other.launches);
  file.path = to;
  file.is_read = false;
  choices.file = std::make_shared<const OpenedFile>(std::move(file));
}

}  // namespace

pipeline::Options with_edited(const pipeline::Options& options, const Choices& choices) {
  pipeline::Options with = options;
  with.edited = choices.edited;
  return with;
}

fs::path EditedTexts::target_of(const Choices& choices, const fs::path& file) const {
  if (!is_below(file, options_.assets) && !is_below(file, options_.kernels)) return file;
  const fs::path lesson = choices.lesson ? fs::path(choices.lesson->name).filename() : fs::path("kernels");
  return pipeline::edited_name(options_.submissions / "my_kernels" / lesson / file.filename());
}

EditedTexts::Edit& EditedTexts::edit_of(const Choices& choices, const fs::path& file) {
  const auto known = edits_.find(file);
  if (known != edits_.end()) return known->second;
  Edit edit{.target = target_of(choices, file), .known = {}};
  // A copy that was saved at another time is not known: it is not replaced unasked.
  if (edit.target == file) edit.known = text_on_disk(file);
  return edits_[file] = std::move(edit);
}

Result<bool> EditedTexts::put(Choices& choices, const fs::path& file, std::string text) {
  pipeline::EditedFiles edited = choices.edited ? *choices.edited : pipeline::EditedFiles();
  const auto original = read_text(file);
  const std::string* before = pipeline::find_edited(choices.edited, file);
  if (before == nullptr && original) before = &*original;
  const bool is_other = before == nullptr || *before != text;
  if (original && *original == text)
    edited.erase(file);
  else if (is_other)
    edited[file] = std::make_shared<const std::string>(std::move(text));
  choices.edited = std::make_shared<const pipeline::EditedFiles>(std::move(edited));
  if (is_other && choices.file) {
    OpenedFile opened = *choices.file;
    opened.is_read = false;
    choices.file = std::make_shared<const OpenedFile>(std::move(opened));
  }
  return is_other;
}

Result<bool> EditedTexts::apply(Snapshot& snapshot, const SetText& command) {
  const fs::path file = pipeline::edited_name(command.file);
  edit_of(snapshot.choices, file).number = command.number;
  TRY(const bool is_other, put(snapshot.choices, file, command.text));
  show(snapshot);
  return is_other;
}

Result<bool> EditedTexts::apply(Snapshot& snapshot, const SaveText& command) {
  const fs::path file = pipeline::edited_name(command.file);
  Edit& edit = edit_of(snapshot.choices, file);
  TRY(const std::string text, pipeline::text_of(file, snapshot.choices.edited));
  const fs::path to = command.to.empty() ? edit.target : pipeline::edited_name(command.to);
  const bool may_replace = command.existing == SaveText::Existing::Replace;
  std::error_code ignored;
  if (!may_replace && fs::exists(to, ignored)) {
    const auto there = read_text(to);
    const bool is_known = to == edit.target && edit.known && there && *there == *edit.known;
    if (!is_known && (!there || *there != text)) {
      edit.dispute = edit.target == file ? Dispute::FileChanged : Dispute::CopyExists;
      show(snapshot);
      return false;
    }
  }
  TRY_VOID(write_text(to, text));
  edit.dispute = Dispute::None;
  const auto saved = std::make_shared<const std::string>(text);
  if (to == edit.target || edit.target != file) {  // in place, or as the copy of a lesson's file
    edit.target = to;
    edit.known = saved;
    TRY_VOID(put(snapshot.choices, file, text));  // what is in the file is not edited
    show(snapshot);
    return false;
  }
  pipeline::EditedFiles edited = snapshot.choices.edited ? *snapshot.choices.edited : pipeline::EditedFiles();
  const bool is_opened = snapshot.choices.file && snapshot.choices.file->path == file;
  if (is_opened) edited.erase(file);
  snapshot.choices.edited = std::make_shared<const pipeline::EditedFiles>(std::move(edited));
  if (is_opened) {
    edits_[to] = Edit{.target = to, .known = saved, .number = edit.number};
    edits_.erase(file);
    rename_opened(snapshot.choices, to);
  }
  show(snapshot);
  return is_opened;
}

Result<bool> EditedTexts::apply(Snapshot& snapshot, const ChooseText& command) {
  using Which = ChooseText::Which;
  const fs::path file = pipeline::edited_name(command.file);
  Edit& edit = edit_of(snapshot.choices, file);
  const fs::path& from = command.which == Which::Original ? file : edit.target;
  auto text = read_text(from);
  if (command.which != Which::Edited && !text) return std::unexpected(text.error());
  edit.dispute = Dispute::None;
  if (command.which == Which::Edited || from == edit.target)
    edit.known = text ? std::make_shared<const std::string>(*text) : nullptr;
  bool is_other = false;
  if (command.which != Which::Edited) {
    TRY(is_other, put(snapshot.choices, file, *std::move(text)));
  }
  show(snapshot);
  return is_other;
}

Result<bool> EditedTexts::apply(Snapshot& snapshot, const TakeTexts& command) {
  snapshot.choices.edited = nullptr;
  for (const EditedText& text : command.texts) {
    const fs::path file = pipeline::edited_name(text.file);
    ++edit_of(snapshot.choices, file).number;
    TRY_VOID(put(snapshot.choices, file, text.text));
  }
  for (const EditedText& made_from : command.made_from) {
    const fs::path file = pipeline::edited_name(made_from.file);
    const auto there = text_on_disk(file);
    const std::string* edited = pipeline::find_edited(snapshot.choices.edited, file);
    if (edited == nullptr || there == nullptr || *there == made_from.text) continue;
    Edit& edit = edit_of(snapshot.choices, file);
    edit.known = std::make_shared<const std::string>(made_from.text);
    edit.dispute = Dispute::FileChanged;
  }
  show(snapshot);
  return true;
}

void EditedTexts::look_again(Snapshot& snapshot) {
  for (auto& [file, edit] : edits_) {
    if (edit.target != file) continue;
    auto text = text_on_disk(file);
    if (!text || (edit.known && *edit.known == *text)) continue;
    const std::string* edited = pipeline::find_edited(snapshot.choices.edited, file);
    const bool is_disputed = edited != nullptr && *edited != *text;
    edit.dispute = is_disputed ? Dispute::FileChanged : Dispute::None;
    if (is_disputed) continue;
    if (edited != nullptr) (void)put(snapshot.choices, file, *text);
    edit.known = std::move(text);
  }
  show(snapshot);
}

void EditedTexts::describe(const Choices& choices, SourceText& text) const {
  const auto found = edits_.find(text.path);
  const Edit* edit = found == edits_.end() ? nullptr : &found->second;
  const std::string* edited = pipeline::find_edited(choices.edited, text.path);
  text.target = edit != nullptr ? edit->target : target_of(choices, text.path);
  text.is_edited = edited != nullptr;
  text.is_saved = edited == nullptr || (edit != nullptr && edit->known && *edit->known == *edited);
  text.has_copy = text.target != text.path && is_regular(text.target);
  text.dispute = edit != nullptr ? edit->dispute : Dispute::None;
  text.edit = edit != nullptr ? edit->number : 0;
}

void EditedTexts::show(Snapshot& snapshot) const {
  pipeline::EditedFiles made_from;
  for (const auto& [file, edit] : edits_)
    if (edit.target == file && edit.known && pipeline::find_edited(snapshot.choices.edited, file) != nullptr)
      made_from[file] = edit.known;
  snapshot.edits_made_from = std::make_shared<const pipeline::EditedFiles>(std::move(made_from));
  if (!snapshot.sources) return;
  SourceTexts texts = *snapshot.sources;
  for (SourceText& text : texts.files) {
    const uint64_t edit = text.edit;
    describe(snapshot.choices, text);
    text.edit = edit;  // the text is still the one before
  }
  snapshot.sources = std::make_shared<const SourceTexts>(std::move(texts));
}

std::shared_ptr<const SourceTexts> EditedTexts::texts_of(const Choices& choices,
                                                         const std::vector<SourceFile>& files) {
  auto texts = std::make_shared<SourceTexts>();
  for (const SourceFile& file : files) {
    auto text = pipeline::text_of(file.path, choices.edited);
    if (!text) continue;
    SourceText made;
    made.name = file.name;
    made.path = file.path;
    made.text = std::make_shared<const std::string>(*std::move(text));
    describe(choices, made);
    texts->files.push_back(std::move(made));
  }
  if (choices.lesson) texts->toggles = toggle_lines_of(*choices.lesson, choices.settings, texts->files);
  return texts;
}

}  // namespace lanescope::session
