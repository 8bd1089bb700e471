// The files that the text of what is chosen comes from, as they are compiled: from the disk, or edited in the
// window; and where in them the lesson's toggles act. Method: the includes are followed as the compiler does
// (compile/include_files.h); a toggle acts where its macro is first used in code.
// Tests: tests/unit/session/edited_texts_test.cpp

#pragma once

#include "pipeline/job.h"
#include "pipeline/options.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::session {

/// What keeps an edited text from being saved.
enum class Dispute : uint8_t {
  None,
  FileChanged,  // another program changed the file since its text was edited
  CopyExists,   // the copy of a lesson's file is there from before
};

struct SourceText {
  std::string name;                         // as the compiler names it: "tile.h", or a whole path
  std::filesystem::path path;               // the file
  std::shared_ptr<const std::string> text;  // as it is compiled, with the file's own ends of lines
  std::filesystem::path target;  // where it is saved: the file, or a copy of a file of the program's
  bool is_edited = false;        // differs from the file
  bool is_saved = true;          // the target has this text, or nothing was edited
  bool has_copy = false;         // the target is a copy that was saved before
  Dispute dispute = Dispute::None;
  uint64_t edit = 0;  // SetText::number of the last one
};

/// The first line of code that a toggle's macro rules.
struct ToggleLine {
  std::string toggle;
  size_t file = 0;
  int line = 0;
};

struct SourceTexts {
  std::vector<SourceText> files;  // the source, then what it includes next to it
  std::vector<ToggleLine> toggles;
};

/// A file of a job, before it is known what was edited.
struct SourceFile {
  std::string name;
  std::filesystem::path path;
};

/// The files next to the source that it includes, directly or through others, and the source first. `known`
/// are the files of the headers that come with the job, in their order (pipeline::files_of()).
std::vector<SourceFile> source_files_of(const pipeline::Job& job,
                                        const std::vector<std::filesystem::path>& known);

/// The toggles of the lesson's kernel that set a macro which the files use.
std::vector<ToggleLine> toggle_lines_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                                        const std::vector<SourceText>& files);

}  // namespace lanescope::session
