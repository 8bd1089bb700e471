// `lanescope lesson`, `lanescope help`: verbs that need no run.

#include "lesson/lesson.h"
#include "shell/verbs.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

Result<int> list_lessons(const Paths& paths) {
  const auto folder = paths.assets / "lessons";
  for (const std::string& name : lesson::lesson_names(folder)) {
    TRY(const lesson::Lesson lesson, lesson::find_lesson(folder, name));
    fmt::print("{}\t{}\n", name, lesson.title.english);
    const lesson::Settings settings = lesson::initial_settings(lesson);
    const auto list = [](std::string_view toggle, const std::vector<std::string>& values) {
      fmt::print("    --set {}={}\n", toggle, fmt::to_string(fmt::join(values, "|")));
    };
    std::vector<std::string> kernels;
    for (const lesson::Kernel& kernel : lesson.kernels) kernels.push_back(kernel.name);
    list("kernel", kernels);
    for (const lesson::Toggle& toggle : lesson.toggles) {
      std::vector<std::string> values;
      for (const lesson::Choice& choice : toggle.choices) values.push_back(choice.value);
      if (toggle.free) values.emplace_back("...");
      list(toggle.name, values);
    }
  }
  return 0;
}

}  // namespace

void print_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) fmt::print("{}\n", name);
}

void add_lesson_verb(const Verb& program, Action& action) {
  auto name = std::make_shared<std::string>();
  auto choice = std::make_shared<WindowChoice>();
  const Verb verb = program.add_verb(
      "lesson", "open the window on a lesson; with no name, list the lessons and their toggles");
  verb.add("NAME", *name, "the lesson, or the path of its folder, as ./my-lesson");
  verb.add("--device", choice->device, "whose partitions and models are shown: a name or a FILE.toml");
  add_window_producer(verb, choice->producer);
  add_gpu_choice(verb, choice->gpu);
  verb.on_chosen([&action, name, choice] {
    action = [name, choice](const Paths& paths) -> Result<int> {
      if (name->empty()) return list_lessons(paths);
      TRY_VOID(lesson::find_lesson(paths.assets / "lessons", *name));
      return open_window(paths, *name, *choice);
    };
  });
}

/// After all other verbs, whose names it lists.
void add_help_verb(const Verb& program, Action& action) {
  auto name = std::make_shared<std::string>();
  const Verb verb = program.add_verb("help", "explain a verb");
  verb.add("VERB", *name, fmt::format("{}", fmt::join(program.verb_names(), ", ")));
  verb.on_chosen([&action, program, name] {
    action = [program, name](const Paths&) -> Result<int> {
      if (name->empty()) {
        fmt::print("{}", program.help());
        return 0;
      }
      if (const std::optional<Verb> known = program.find_verb(*name)) {
        fmt::print("{}", known->help());
        return 0;
      }
      return fail(ErrorKind::Usage,
                  fmt::format("there is no verb '{}'; 'lanescope --help' lists them", *name));
    };
  });
}

}  // namespace lanescope::shell
