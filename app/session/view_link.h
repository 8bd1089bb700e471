// A view as a line of text, to be sent to others: a lesson with its settings, the selection, and the run A
// that it is compared with. "lanescope://view?TEXT" and the address of a page, "https://HOST/#TEXT", are the
// same to the program and to a page, with
//
//     lesson=transpose&kernel=padded&padding=1&device=gt200&block=1,0&warp=2&access=5&lang=fr&a.padding=0
//
// `block` is X,Y,Z; where the lesson has a toggle of that name, as rows_columns has, a `block` without a
// comma is the toggle's value. `v` is the version of the format, 1 where there is none. `lesson` is one of
// the program's; `lecture` and `step`, from 1, in its place show a step of a lecture. Keys that are none of
// these are toggles of the lesson; those that begin with "a." are of A, which has the other settings of the
// link too. Values are percent-encoded. What is read is untrusted: a link opens no path and runs no host
// code, and every value goes through the checks that the window's own controls go through. A link with a
// mistake still shows something: an access past the last one is the last. Tests:
// tests/unit/session/view_link_test.cpp

#pragma once

#include "base/text.h"
#include "pipeline/options.h"
#include "session/session_choices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

inline constexpr std::string_view kLinkScheme = "lanescope://";
/// The longest text that is read.
inline constexpr size_t kMaximumLinkBytes = 4096;

inline constexpr std::string_view kLinkBegin = "lanescope://view?";
/// Whether the text is a link of ours or the address of a page, and no file.
bool is_link(std::string_view text);

/// The link to what the snapshot shows, after `begin`. Errors: Usage where that is no lesson of the program.
Result<std::string> link_of(const Snapshot& snapshot, std::string_view begin = kLinkBegin);

/// What a link shows.
struct LinkedView {
  std::vector<Command> commands;  // that show it
  /// One sentence in the language of the link about the first thing that it says wrong; the rest of the link
  /// is shown, else what was open, else the first lesson. Usage.
  std::optional<Error> problem;
};
/// `now` has what a link does not say.
LinkedView view_of_link(std::string_view link, const pipeline::Options& options, const Choices& now);

}  // namespace lanescope::session
