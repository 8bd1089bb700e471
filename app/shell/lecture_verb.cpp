// `lanescope lecture`: opens the window on a lecture, lists the lectures, prints a script.

#include "base/file.h"
#include "lesson/lecture.h"
#include "lesson/markdown.h"
#include "session/lecture_state.h"
#include "session/session.h"
#include "shell/lecture_slides.h"
#include "shell/output_arguments.h"
#include "shell/verbs.h"
#include "shell/window/notes_window.h"

#include <memory>
#include <string>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

struct LectureArguments {
  std::string name;
  std::string text;
  std::string output, steps;
  std::string theme = "light";
  bool notes_window = false;
  WindowChoice window;
};

Result<int> list_lectures(const Paths& paths) {
  const auto folder = paths.assets / "lessons";
  for (const std::string& name : lesson::lecture_names(folder)) {
    TRY(const lesson::Lecture lecture, lesson::find_lecture(folder, name));
    fmt::print("{}\t{} ({} steps)\n", name, lecture.title.english, lecture.steps.size());
  }
  return 0;
}

void print_part(std::string_view heading, const std::vector<lesson::Paragraph>& paragraphs) {
  constexpr size_t kColumns = 100;
  if (!paragraphs.empty()) fmt::print("{}{}", heading, lesson::plain_text(paragraphs, kColumns));
}

/// "kernel tiled, device gt200, block (1, 0, 0), warp 2, access 5".
std::string what_is_shown(const lesson::LectureStep& step) {
  return fmt::format("{}, kernel {}, block ({}, {}, {}), warp {}, access {}", step.lesson->name,
                     step.settings.kernel, step.block.x, step.block.y, step.block.z, step.warp, step.access);
}

/// The sentences and notes of each step, with the numbers of its run.
Result<int> print_script(const Paths& paths, const std::string& name, Language language) {
  pipeline::Options options = session_options(paths);
  options.language = language;
  session::Session session(options);
  TRY_VOID(for_each_step(session, name, {}, [&](const session::Snapshot& now) -> Result<void> {
    const session::LectureState& lecture = *now.lecture;
    if (lecture.step == 0) fmt::print("{}\n\n", lecture.lecture->title.in(language));
    fmt::print("{} / {}  [{}]\n", lecture.step + 1, lecture.lecture->steps.size(),
               what_is_shown(lecture.shown()));
    const session::LectureTexts& texts = lecture.texts_in(language);
    print_part("", texts.say);
    print_part("-> ", texts.reveal);
    print_part("   ", texts.notes);
    fmt::print("\n");
    if (lecture.has_numbers) return {};
    return fail(ErrorKind::Unsupported,
                "the number 'bandwidth' of this step is not known: no time of its kernel is recorded for "
                "its device, and no model has one; choose another device, or leave the number out",
                lecture.shown().where);
  }));
  return 0;
}

/// The steps as slides or a film.
Result<int> export_lecture(const Paths& paths, const LectureArguments& arguments) {
  const std::filesystem::path file = arguments.output;
  TRY_VOID(check_lecture_format(file));
  TRY_VOID(check_place(file));
  TRY(const StepRange steps, parse_steps(arguments.steps));
  pipeline::Options options = session_options(paths);
  options.language = arguments.window.language == "fr" ? Language::French : Language::English;
  session::Session session(options);
  TRY(const auto slides, slides_of(session, arguments.name, steps));
  exporting::Style style;
  style.font_directory = paths.fonts;
  style.theme = arguments.theme == "dark" ? plot::Theme::Dark : plot::Theme::Light;
  style.scale = 1.5;
  TRY(const auto files, write_lecture(slides, file, style));
  for (const std::filesystem::path& written : files) fmt::print("{}\n", written.string());
  return 0;
}

Result<int> give_lecture(const Paths& paths, LectureArguments arguments) {
  if (arguments.notes_window) return run_notes_window(paths.fonts);
  if (arguments.name.empty() && arguments.output.empty()) return list_lectures(paths);
  if (arguments.name.empty())
    return fail(ErrorKind::Usage, "the name of the lecture is missing; 'lanescope lecture' lists them");
  if (!arguments.output.empty()) return export_lecture(paths, arguments);
  if (!arguments.text.empty())
    return print_script(paths, arguments.name,
                        arguments.text == "french" ? Language::French : Language::English);
  TRY_VOID(lesson::find_lecture(paths.assets / "lessons", arguments.name));
  arguments.window.lecture = arguments.name;
  return open_window(paths, arguments.window);
}

}  // namespace

void add_lecture_verb(const Verb& program, Action& action) {
  const auto arguments = std::make_shared<LectureArguments>();
  const Verb verb = program.add_verb(
      "lecture", "open the window on a lecture, step by step; with no name, list the lectures");
  verb.add("NAME", arguments->name, "the lecture, or the path of its lecture.toml or its folder");
  verb.add("--text", arguments->text,
           "print what is said at each step, with the numbers of its run: english or french")
      .one_of({"english", "french"});
  verb.add("--notes", arguments->window.notes, "open a second window with the notes for the teacher");
  verb.add(
      "-o,--output", arguments->output,
      "write slides in place of opening the window: FILE.pdf, .png (a file for each), .apng (an animation) "
      "or .mp4 (a film)");
  verb.add("--steps", arguments->steps, "which steps are written, as 2-5 (default: all)");
  verb.add("--theme", arguments->theme, "of what is written: light or dark").one_of({"light", "dark"});
  verb.add("--notes-window", arguments->notes_window, "").hidden();
  verb.add("--language", arguments->window.language, "of the window or the slides: en or fr")
      .one_of({"en", "fr"});
  add_window_producer(verb, arguments->window.producer);
  add_gpu_choice(verb, arguments->window.gpu);
  verb.set_footer(
      "In the window Page Down and Page Up, which a clicker sends, show the next and the previous step.\n"
      "Examples:\n"
      "  lanescope lecture                            the lectures\n"
      "  lanescope lecture transpose                  the window on its first step\n"
      "  lanescope lecture transpose --text english   the script\n"
      "  lanescope lecture transpose -o slides.pdf    a page for each step");
  verb.on_chosen([arguments, &action] {
    action = [arguments](const Paths& paths) { return give_lecture(paths, *arguments); };
  });
}

}  // namespace lanescope::shell
