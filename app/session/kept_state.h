// What the window was doing, in a folder: a session file, and the texts that were edited and not saved, of
// both runs that are compared. Method: texts are bytes of any kind, so that each stands after a line with its
// lengths. What is read is untrusted: a file that is cut or changed is an error, and nothing of it is taken.
//
//     lanescope_texts 1
//     present 7 5                      # present, pinned or made_from; bytes of the path, bytes of the text
//     mine.cuint x
//
// Tests: tests/unit/session/kept_state_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/command.h"
#include "session/snapshot.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::session {

inline constexpr const char* kKeptSession = "session.lanescope";
inline constexpr const char* kKeptTexts = "texts";

struct KeptTexts {
  std::vector<EditedText> present;         // of B, or of all there is
  std::vector<EditedText> pinned;          // of A
  std::vector<EditedText> made_from = {};  // what files of `present` had on the disk when they were edited
};

/// The edited texts of the snapshot that are not saved. `typed` has what the session does not have yet; it
/// counts before the snapshot's.
KeptTexts edited_texts_of(const Snapshot& snapshot, const std::vector<EditedText>& typed);

std::string text_of(const KeptTexts& texts);
/// Errors: File where it cannot be read; Syntax where it is cut or of another kind.
Result<KeptTexts> read_kept_texts(const std::filesystem::path& file);

/// What makes a kept state the present one. Other files that are edited in `now` stay as they are. Errors:
/// those of read_session_file() and read_kept_texts(); a missing file of the two is none.
Result<std::vector<Command>> commands_that_continue(const std::filesystem::path& folder,
                                                    const pipeline::Options& options, const Choices& now);

}  // namespace lanescope::session
