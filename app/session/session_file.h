// A session as a file (NAME.lanescope): what is open with its settings, the place in the warp, what it is
// compared with, and which panels are in sight. Method: a TOML file. Files and folders below the session
// file's folder are named relative to it, so that they can be handed on together. What is read is untrusted:
// every setting goes through the checks that the window's own controls go through.
//
//     lanescope_session = 1            # the version of the format
//     [present]
//     lesson = "transpose"             # or file = "saxpy.cu", or exercise = "transpose/tiled"
//     kernel = "tiled"
//     toggles = { padding = "1" }
//     device = "gt200"
//     block = 33                       # in launch order
//     warp = 2
//     access = 5
//     [pinned]                         # A, without a place: it follows
//     [lecture]                        # that is given, at its step, from 0
//     name = "transpose"               # or file = "course/lecture.toml"
//     step = 2
//     [window]
//     panels = ["source", "banks"]
//     enlarged = "banks"
//
// Tests: tests/unit/session/session_file_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/command.h"
#include "session/session_choices.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::session {

/// How the window of a session was: names of panels.
struct OpenedSession {
  std::filesystem::path path;       // of the file
  std::vector<std::string> panels;  // in sight; empty: not said
  std::string enlarged;             // empty: none
};

struct SessionFile {
  SessionChoices choices;
  std::string lecture;        // of lesson::find_lecture(); empty: none is given
  uint32_t lecture_step = 0;  // from 0
  std::shared_ptr<const OpenedSession> window;
};

bool is_session_file(const std::filesystem::path& path);

/// Errors: File; Syntax with the line; Usage for a setting that there is not.
Result<SessionFile> read_session_file(const std::filesystem::path& path, const pipeline::Options& options);
/// What shows the session: its choices, then the step of its lecture.
std::vector<Command> commands_that_open(const SessionFile& file);

/// The text of a file at window.path. Errors: Usage where nothing is open.
Result<std::string> session_text(const Snapshot& snapshot, const OpenedSession& window);

}  // namespace lanescope::session
