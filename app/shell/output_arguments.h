// Options that several verbs share for what they write: --json, --theme and --language. Tests: tests/cli

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "plot/color.h"
#include "shell/parser.h"

#include <optional>
#include <string>
#include <string_view>

namespace lanescope::shell {

/// --json [FILE]: a machine-readable report in place of a table.
struct JsonArgument {
  std::string file;  // empty: standard output
  std::optional<Verb> verb;

  bool given() const { return verb && verb->has("--json"); }
  /// Standard output then holds the report alone.
  bool on_standard_output() const { return given() && file.empty(); }
};
void add_json_argument(const Verb& verb, JsonArgument& json);
Result<void> write_report(const JsonArgument& json, std::string_view report);

/// Whether standard output is a terminal that wants colors (no-color.org).
bool wants_color();
/// What a kernel printed: a terminal would obey its control characters.
std::string for_standard_output(std::string_view text);

/// --theme and --language of a picture, as written; the parser accepts only known values.
struct LookArguments {
  std::string theme = "light";
  std::string language = "en";
};
void add_look_arguments(const Verb& verb, LookArguments& look);
plot::Theme theme_of(const LookArguments& look);
Language language_of(const LookArguments& look);

}  // namespace lanescope::shell
