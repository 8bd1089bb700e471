#include "shell/output_arguments.h"

#include "base/escape.h"
#include "base/file.h"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {

void add_json_argument(const Verb& verb, JsonArgument& json) {
  json.verb = verb;
  verb.add("--json", json.file, "machine-readable report, to FILE or to standard output")
      .with_optional_value("FILE");
}

Result<void> write_report(const JsonArgument& json, std::string_view report) {
  if (!json.on_standard_output()) return write_file(json.file, report);
  fmt::print("{}", report);
  return {};
}

bool wants_color() {
  const char* none = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return isatty(STDOUT_FILENO) != 0 && (none == nullptr || *none == '\0');
}

std::string for_standard_output(std::string_view text) {
  return isatty(STDOUT_FILENO) != 0 ? without_control_characters(text) : std::string(text);
}

void add_look_arguments(const Verb& verb, LookArguments& look) {
  verb.add("--theme", look.theme, "light (default) or dark").one_of({"light", "dark"});
  verb.add("--language", look.language, "en (default) or fr").one_of({"en", "fr"});
}

plot::Theme theme_of(const LookArguments& look) {
  return look.theme == "dark" ? plot::Theme::Dark : plot::Theme::Light;
}

Language language_of(const LookArguments& look) {
  return look.language == "fr" ? Language::French : Language::English;
}

}  // namespace lanescope::shell
