// A lesson as data: kernels to choose from, toggles to flip, how to launch, what to say, what the output must
// be. Read from assets/lessons/NAME.toml; the kernels are files of kernels/. Tests: tests/unit/lesson/*

#pragma once

#include "base/error.h"
#include "base/text.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::lesson {

/// A text in each language of the program.
struct Words {
  std::string english;
  std::string french;
  const std::string& in(Language language) const { return language == Language::French ? french : english; }
};

struct Choice {
  std::string value;   // what --set takes: "1", "xor", "diagonal"
  std::string define;  // the macro's value; the same as `value` unless the file says otherwise
  Words label;
};

/// Something that a person flips while looking.
struct Toggle {
  std::string name;  // what --set takes: "padding"
  Words label;
  Words hint;          // one sentence
  char key = 0;        // the key that flips it to the next choice; 0: none
  std::string define;  // the macro it sets; empty: it changes the launch alone
  bool free = false;   // any value that the launch understands, beside the choices (a matrix size)
  std::vector<Choice> choices;
  std::string initial;
};

/// One kernel of the lesson. Choosing it also sets `presets`.
struct Kernel {
  std::string name;  // "padded": what --set kernel=... takes
  Words label;
  Words text;         // what to look at, a few sentences
  std::string file;   // in kernels/
  std::string entry;  // "transpose_tiled"
  std::string
      check;  // "copy", "transpose", "fine_grained", "coarse_grained": host references in lesson/check.h
  std::vector<std::pair<std::string, std::string>> presets;  // toggle, value
  std::vector<std::string> toggles;                          // names of those that mean something here
};

struct Lesson {
  std::string name;
  Words title;
  Words text;
  std::string
      launch;  // how grid and buffers follow from the toggles: "matrix_tiles" (lesson/matrix_launch.h)
  std::string initial_kernel;
  std::vector<Kernel> kernels;
  std::vector<Toggle> toggles;
};

/// Values of every toggle of a lesson and the chosen kernel: complete and valid once made by the functions
/// below.
struct Settings {
  std::string kernel;
  std::map<std::string, std::string> values;  // [toggle name]
  bool operator==(const Settings&) const = default;
};

Result<Lesson> read_lesson(const std::filesystem::path& file);
/// Names of the lessons in `folder` (assets/lessons), sorted.
std::vector<std::string> lesson_names(const std::filesystem::path& folder);
Result<Lesson> find_lesson(const std::filesystem::path& folder, std::string_view name);

Settings initial_settings(const Lesson& lesson);
/// `settings` with one toggle changed. `name` may be "kernel". ErrorKind::Usage lists what there is.
Result<Settings> with_toggle(const Lesson& lesson, const Settings& settings, std::string_view name,
                             std::string_view value);

const Kernel& kernel_of(const Lesson& lesson, const Settings& settings);
const Toggle* find_toggle(const Lesson& lesson, std::string_view name);
/// Whether flipping `toggle` changes anything for the chosen kernel.
bool applies(const Lesson& lesson, const Settings& settings, const Toggle& toggle);

/// Macros for the compiler, "NAME=VALUE", sorted: of the toggles that apply.
std::vector<std::string> defines(const Lesson& lesson, const Settings& settings);

/// Every settings that is one flip away (choices only): what is compiled ahead.
std::vector<Settings> single_flips(const Lesson& lesson, const Settings& settings);

}  // namespace lanescope::lesson
