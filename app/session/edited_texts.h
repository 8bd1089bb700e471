// What a person edits in the window: in memory until it is saved, in the file itself, or for a file of the
// program's in a copy. Method: Choices::edited has the texts, which are compiled in place of the files; here
// is what was last known of the file that each is saved to, so that nobody's changes are overwritten unasked.
// Tests: tests/unit/session/edited_texts_test.cpp

#pragma once

#include "session/command.h"
#include "session/snapshot.h"
#include "session/source_texts.h"

#include <concepts>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace lanescope::session {

/// How jobs of what is chosen are made.
pipeline::Options with_edited(const pipeline::Options& options, const Choices& choices);

template <class Type>
concept EditsText = std::same_as<Type, SetText> || std::same_as<Type, SaveText> ||
                    std::same_as<Type, ChooseText> || std::same_as<Type, TakeTexts>;

class EditedTexts {
 public:
  explicit EditedTexts(const pipeline::Options& options) : options_(options) {}

  // Each returns whether other text than before is to be run.
  Result<bool> apply(Snapshot& snapshot, const SetText& command);
  /// Errors: File where it cannot be written. Saving the opened file elsewhere opens that one.
  Result<bool> apply(Snapshot& snapshot, const SaveText& command);
  /// Errors: File where the text to be taken cannot be read.
  Result<bool> apply(Snapshot& snapshot, const ChooseText& command);
  Result<bool> apply(Snapshot& snapshot, const TakeTexts& command);

  /// Looks at the files again, since another program may have changed them.
  void look_again(Snapshot& snapshot);
  /// The texts of these files as they are now. One that cannot be read is left out.
  std::shared_ptr<const SourceTexts> texts_of(const Choices& choices, const std::vector<SourceFile>& files);

 private:
  struct Edit {
    std::filesystem::path target;
    std::shared_ptr<const std::string> known;  // text of the target as read or written last; null: not yet
    Dispute dispute = Dispute::None;
    uint64_t number = 0;
  };
  Edit& edit_of(const Choices& choices, const std::filesystem::path& file);
  std::filesystem::path target_of(const Choices& choices, const std::filesystem::path& file) const;
  void describe(const Choices& choices, SourceText& text) const;
  /// Shows the state of the texts without another run.
  void show(Snapshot& snapshot) const;
  static Result<bool> put(Choices& choices, const std::filesystem::path& file, std::string text);

  const pipeline::Options& options_;
  std::map<std::filesystem::path, Edit> edits_;
};

}  // namespace lanescope::session
