// What the page asks of the browser around it. The functions of JavaScript that it calls are in browser.cpp;
// start.js, which loads the program, calls none of it. Everything here is for the thread that draws.

#pragma once

#include "base/text.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::shell::page {

struct Size {
  int width = 0, height = 0;  // in CSS pixels
  bool operator==(const Size&) const = default;
};
/// Of the part of the window that the page fills.
Size size();

/// Milliseconds since the page was opened.
double now();

/// The text behind '#' in the address, where it is another one than when this was asked last; else empty.
std::string take_link();
/// The address of the page without '#' and what follows.
std::string address();

/// Whether the person's browser prefers French.
bool prefers_french();
/// Whether the browser shows the page dark.
bool prefers_dark();

/// Points that a control needs where fingers press it, on a screen that has room for them: a tablet's; else
/// 0.
float least_control();

/// Hands the file to the person as a download, under its own name.
void download(const std::filesystem::path& file);
/// Opens the browser's dialog for a file, whose choice take_chosen() tells of.
void choose_file();
/// Where files go that the person chose.
struct Places {
  std::filesystem::path kept;   // by the browser
  std::filesystem::path large;  // those of more than 4 MB, until the page is left
};
/// The files that the person chose since this was asked last.
std::vector<std::filesystem::path> take_chosen(const Places& places);

/// Makes Dear ImGui copy to the browser's clipboard, and paste what the person pastes into the page.
void connect_clipboard();

/// Fetches ADDRESS/ptx/LESSON.packed, made as pipeline/packed_texts.h says, once. Where it comes,
/// take_texts() has it.
void fetch_texts(std::string_view lesson);
/// What came since this was asked last: files in the folder, each named after its lesson.
std::vector<std::filesystem::path> take_texts(const std::filesystem::path& folder);

/// What a screen reader is told, in elements of the page that nobody sees.
struct Spoken {
  std::string settings, step;
  Language language = Language::English;
};
void speak(const Spoken& spoken);
/// What it is told of the control that has the focus.
void speak_control(std::string_view control);

/// Asks for a name and sends the text of the submission to the class's service, as one for the exercise
/// "transpose/tiled"; what cannot be sent becomes a download. The page says how it went.
void hand_in(std::string_view exercise, const std::filesystem::path& submission);

enum class Fetched { Coming, Here, Failed };
/// Fetches what saves and reads traces (sqlite.js), once, and says how far it is. Where it does not come, the
/// page says so and Failed is returned once: the next call fetches it again.
Fetched fetch_sqlite();
/// What was fetched, for load_sqlite().
std::string sqlite_binary();
/// Gives this thread, which is not the one that draws, a SQLite of its own. Whether it has one.
bool load_sqlite(std::string_view binary);

/// Shows a sentence below the program for a while.
void say(std::string_view sentence);

/// Whether the browser takes pictures to the clipboard from a page of this origin.
bool takes_pictures();
/// Copies the picture; where the browser refuses it, the page says so.
void copy_png(const std::filesystem::path& file);

/// Makes files that are dropped on the page chosen ones.
void connect_files();

/// Whether the page's address names what compiles: a class by its word (app/page serve --class), or an
/// instance of Compiler Explorer.
bool has_class();
/// Sends the request there, one at a time.
void ask_class(std::string_view request);
/// The answer as JSON, once; where none came, a sentence in its form. Empty: it is still to come.
std::optional<std::string> take_class_answer();

/// Tells start.js how far the program is, or, with an error, that it will not go on.
void report_started();
void report_failure(std::string_view sentence);
/// The program has stopped in the middle; the console has the reason.
void report_end(std::string_view reason);

}  // namespace lanescope::shell::page
