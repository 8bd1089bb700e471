// `lanescope lesson`, `lanescope open` and `lanescope help`.

#include "lesson/lesson.h"
#include "lesson/live_text.h"
#include "pipeline/execution.h"
#include "pipeline/lesson_prose.h"
#include "shell/verbs.h"

#include <algorithm>
#include <filesystem>

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

void print_paragraphs(const std::vector<lesson::Paragraph>& paragraphs) {
  constexpr size_t kColumns = 100;
  fmt::print("{}\n", lesson::plain_text(paragraphs, kColumns));
}

/// The texts of a lesson with the numbers of its runs: of each kernel, and of each question's answer.
Result<int> print_text(const Paths& paths, const std::string& name, Language language) {
  const pipeline::Options options = session_options(paths);
  TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", name));
  TRY(const model::Device device, model::find_device(options.assets / "devices", lesson.device));
  pipeline::Execution execution(options);
  launch::Launch previous;
  const auto prose_with = [&](const lesson::Settings& settings) -> Result<pipeline::LessonProse> {
    TRY(const pipeline::Job job, pipeline::job_of(lesson, settings, options, &previous));
    previous = *job.launch;
    TRY(const auto run, execution.run(job, device, {}));
    return pipeline::prose_of({lesson, settings, *run}, language);
  };
  const lesson::Settings initial = lesson::initial_settings(lesson);
  for (const lesson::Kernel& kernel : lesson.kernels) {
    TRY(const lesson::Settings settings, lesson::with_toggle(lesson, initial, "kernel", kernel.name));
    TRY(const pipeline::LessonProse prose, prose_with(settings));
    if (&kernel == &lesson.kernels.front()) {
      fmt::print("{}\n\n", lesson.title.in(language));
      print_paragraphs(prose.introduction);
    }
    fmt::print("[{}]\n", kernel.label.in(language));
    print_paragraphs(prose.kernel);
  }
  for (const lesson::Question& question : lesson.questions) {
    TRY(const lesson::Settings settings, lesson::with_toggles(lesson, initial, question.set));
    TRY(const pipeline::LessonProse prose, prose_with(settings));
    const auto told =
        std::ranges::find(prose.questions, question.name, &pipeline::LessonProse::Question::name);
    print_paragraphs(told->text);
    std::string guesses;
    for (const double guess : question.guesses) {
      const bool is_right = lesson::is_right_guess(guess, told->value.value_or(0));
      guesses += fmt::format("{}{}{}", guesses.empty() ? "" : " | ",
                             lesson::live_number_text(language, guess), is_right ? "*" : "");
    }
    fmt::print("  {}\n\n", guesses);
    print_paragraphs(told->answer);
  }
  return 0;
}

/// A copy of assets/new_lesson, which is a whole lesson that runs.
Result<int> write_lesson(const Paths& paths, const std::string& folder) {
  namespace fs = std::filesystem;
  const Location where{folder, 0};
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return fail(ErrorKind::File, "this exists already; choose another name for the new lesson", where);
  fs::copy(paths.assets / "new_lesson", folder, fs::copy_options::recursive, error);
  if (error)
    return fail(ErrorKind::File, fmt::format("the lesson cannot be written here ({})", error.message()),
                where);
  const std::string path = folder.contains('/') ? folder : "./" + folder;
  fmt::print(
      "{0} is a lesson now. Look at it, count its accesses, check its exercise:\n"
      "  lanescope lesson {0}\n"
      "  lanescope trace --lesson {0} --set stride=8\n"
      "  lanescope check {0}/first {0}/exercises/first/solution.cu\n",
      path);
  return 0;
}

}  // namespace

void print_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) fmt::print("{}\n", name);
}

void add_lesson_verb(const Verb& program, Action& action) {
  auto name = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  auto choice = std::make_shared<WindowChoice>();
  const Verb verb = program.add_verb(
      "lesson", "open the window on a lesson; with no name, list the lessons and their toggles");
  verb.add("NAME", *name, "the lesson, or the path of its folder, as ./my-lesson; or new");
  verb.add("FOLDER", *folder, "after new: write a small lesson that runs, to start from");
  verb.add("--device", choice->device, "whose partitions and models are shown: a name or a FILE.toml");
  verb.add("--language", choice->language, "of the window: en or fr").one_of({"en", "fr"});
  add_window_producer(verb, choice->producer);
  add_gpu_choice(verb, choice->gpu);
  verb.set_footer(
      "Examples:\n"
      "  lanescope lesson                  the lessons and their toggles\n"
      "  lanescope lesson transpose        the window on a lesson\n"
      "  lanescope lesson new my-lesson    a folder my-lesson with a small lesson and an exercise");
  auto text = std::make_shared<std::string>();
  verb.add("--text", *text, "print the lesson's text with the numbers of its runs: english or french");
  verb.on_chosen([&action, name, folder, choice, text] {
    action = [name, folder, choice, text](const Paths& paths) -> Result<int> {
      if (name->empty()) return list_lessons(paths);
      if (*name == "new" && !folder->empty()) return write_lesson(paths, *folder);
      if (*name == "new")
        return fail(ErrorKind::Usage, "the new lesson needs a name: lanescope lesson new my-lesson");
      if (!folder->empty())
        return fail(ErrorKind::Usage, fmt::format("one lesson is opened; '{}' was not expected", *folder));
      if (!text->empty()) {
        if (*text != "english" && *text != "french")
          return fail(ErrorKind::Usage, fmt::format("--text is english or french, not '{}'", *text));
        return print_text(paths, *name, *text == "french" ? Language::French : Language::English);
      }
      choice->lesson = *name;
      return open_window(paths, *choice);
    };
  });
}

void add_open_verb(const Verb& program, Action& action) {
  auto choice = std::make_shared<WindowChoice>();
  const Verb verb = program.add_verb("open", "open the window on a file, a lesson's folder or a kept run");
  verb.add("FILE", choice->file,
           "what the window opens: a file of yours, with the arguments of a whole program after --, or the "
           "folder of 'lanescope run --save'")
      .required();
  verb.add("--program", choice->program, "").hidden();
  verb.on_chosen([&action, choice] {
    action = [choice](const Paths& paths) -> Result<int> {
      std::error_code ignored;
      if (!std::filesystem::exists(choice->file, ignored))
        return fail(ErrorKind::Usage, "there is no such file or folder; check the path",
                    Location{choice->file, 0});
      return open_window(paths, *choice);
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
