// `lanescope handout`: a lesson, or a run of a file, as a page that steps in a browser with no network.

#include "base/escape.h"
#include "base/file.h"
#include "handout/page.h"
#include "shell/drawn_run.h"
#include "shell/findings.h"
#include "shell/handout_session.h"
#include "shell/output_arguments.h"
#include "shell/verbs.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct HandoutArguments {
  RunArguments run;
  std::string output;
  bool all = false;
  std::vector<std::string> toggles;  // that the reader may flip
  std::vector<std::string> against;  // toggles of A
  std::string cta = "0,0,0";
  uint32_t warp = 0;
  std::optional<uint32_t> access;
  bool stills = false;
  std::string language = "en";
};

/// What draws in the page, where it was built: in dist/page of the project, or beside the installed program.
std::optional<handout::Module> find_module(const Paths& paths) {
  const fs::path page = paths.project / (paths.place == Place::Project ? "dist/page" : "page");
  auto script = read_text(page / "handout/handout.js");
  auto packed = read_text(page / "handout/handout.wasm.packed");
  if (!script || !packed) return {};
  return handout::Module{*std::move(script), *std::move(packed)};
}

Result<handout::Dress> dress_of(const HandoutArguments& arguments, const Paths& paths) {
  handout::Dress dress;
  TRY(dress.style, read_text(paths.assets / "handout/handout.css"));
  TRY(dress.script, read_text(paths.assets / "handout/handout.js"));
  if (!arguments.stills) dress.module = find_module(paths);
  dress.language = arguments.language == "fr" ? Language::French : Language::English;
  return dress;
}

/// Errors: Usage.
Result<void> check(const HandoutArguments& arguments) {
  const Verb& verb = *arguments.run.verb;
  if (arguments.output.empty())
    return fail(ErrorKind::Usage, "-o is missing: -o FILE.html, or -o FOLDER with --all");
  if (arguments.all) {
    for (const char* option : {"--lesson", "--set", "--toggle", "--against"})
      if (verb.has(option))
        return fail(ErrorKind::Usage, fmt::format("{} is of one handout; leave it out, or --all", option));
    if (!arguments.run.file.empty())
      return fail(ErrorKind::Usage, fmt::format("give a file or --all, not both: '{}'", arguments.run.file));
    return {};
  }
  const std::string extension = fs::path(arguments.output).extension().string();
  if (extension != ".html" && extension != ".htm")
    return fail(ErrorKind::Usage,
                fmt::format("a handout is written as .html; '{}' has another extension", arguments.output));
  if (arguments.run.lesson.empty())
    for (const char* option : {"--toggle", "--against"})
      if (verb.has(option) && !(is_saved_session(arguments.run.file) && option[2] == 't'))
        return fail(ErrorKind::Usage, fmt::format("{} is of a lesson's toggles; add --lesson NAME", option));
  return check_place(arguments.output);
}

/// The settings with those of --against. Errors: Usage.
Result<lesson::Settings> settings_of_a(const lesson::Lesson& lesson, lesson::Settings settings,
                                       const std::vector<std::string>& against) {
  for (const std::string& set : against) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos)
      return fail(ErrorKind::Usage,
                  fmt::format("--against takes TOGGLE=VALUE, for example padding=0; found '{}'", set));
    TRY(settings, lesson::with_toggle(lesson, settings, set.substr(0, equals), set.substr(equals + 1)));
  }
  return settings;
}

/// Whether the warp and the access that the arguments name are there. Errors: Usage.
Result<void> check_shown(const HandoutArguments& arguments, const pipeline::Selection& selection) {
  if (arguments.warp >= selection.warps)
    return fail(ErrorKind::Usage, fmt::format("--warp {}: the block has {} warps, counted from 0",
                                              arguments.warp, selection.warps));
  if (arguments.access && *arguments.access >= selection.timeline.size())
    return fail(ErrorKind::Usage, fmt::format("--access {}: the warp made {} accesses, counted from 0",
                                              *arguments.access, selection.timeline.size()));
  return {};
}

void say_notes(const handout::Handout& handout) {
  for (const std::string& note : handout.notes)
    fmt::print(stderr, "note: {}\n", without_control_characters(note));
}

Result<FirstView> view_of_lesson(const HandoutArguments& arguments, const Paths& paths) {
  TRY(ChosenLesson chosen, lesson_of(arguments.run, paths));
  const std::string own_device = chosen.lesson.device.empty() ? "h200" : chosen.lesson.device;
  TRY(auto device, model::find_device(paths.assets / "devices",
                                      arguments.run.device.empty() ? own_device : arguments.run.device));
  handout::Wish wish{.settings = chosen.settings, .a = {}, .place = {}};
  if (!arguments.against.empty()) {
    TRY(wish.a, settings_of_a(chosen.lesson, chosen.settings, arguments.against));
  }
  TRY(const pipeline::Job job, pipeline::job_of(chosen.lesson, chosen.settings, session_options(paths),
                                                nullptr, lesson::Filling::None));
  TRY(const CtaId cta, parse_block(arguments.cta, job.launch->grid));
  wish.place = {cta, WarpId{arguments.warp}, arguments.access};
  return FirstView{std::move(chosen.lesson), std::move(device), std::move(wish)};
}

Result<lesson::Words> write_lesson(const HandoutArguments& arguments, FirstView view,
                                   const handout::Dress& dress, const Paths& paths, const fs::path& file) {
  const pipeline::Options options = session_options(paths);
  TRY(const handout::Offer offer, handout::parse_offer(view.lesson, arguments.toggles));
  lesson::Words title = view.lesson.title;
  handout::Lab lab(options, std::make_shared<const lesson::Lesson>(std::move(view.lesson)),
                   std::move(view.device));
  TRY(const handout::Sides first, lab.show(view.wish));
  TRY_VOID(check_shown(arguments, first.now.selection));
  TRY(const handout::Handout made, handout::handout_of(lab, view.wish, offer, dress, options));
  TRY_VOID(write_file(file, made.html));
  say_notes(made);
  return title;
}

Result<int> write_all(HandoutArguments arguments, const handout::Dress& dress, const Paths& paths) {
  const fs::path folder = arguments.output;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    return fail(ErrorKind::File,
                fmt::format("the folder {} could not be made: {}", folder.string(), problem.message()));
  std::vector<handout::Listed> pages;
  for (const std::string& name : lesson::lesson_names(paths.assets / "lessons")) {
    arguments.run.lesson = name;
    const std::string file = name + ".html";
    TRY(FirstView view, view_of_lesson(arguments, paths));
    TRY(lesson::Words title, write_lesson(arguments, std::move(view), dress, paths, folder / file));
    pages.push_back({file, std::move(title)});
    fmt::print("{}\n", (folder / file).string());
  }
  TRY_VOID(write_file(folder / "index.html", handout::index_page(pages, dress)));
  fmt::print("{}\n", (folder / "index.html").string());
  return 0;
}

Result<int> write_run(HandoutArguments& arguments, const handout::Dress& dress, const Paths& paths) {
  arguments.run.looked_at = arguments.cta;
  arguments.run.keeps_origins = true;
  TRY(const DrawnRun drawn, drawn_run(arguments.run, paths));
  const pipeline::Run& run = *drawn.run;
  handout::Side side{
      .run = drawn.run, .lesson = nullptr, .settings = {}, .device = drawn.device, .selection = {}};
  pipeline::SelectionRequest wanted{.cta = {}, .warp = WarpId{arguments.warp}};
  TRY(wanted.cta, parse_block(arguments.cta, run.trace->grid));
  side.selection = pipeline::select(run, wanted, drawn.device.compute_capability);
  TRY_VOID(check_shown(arguments, side.selection));
  wanted.access = arguments.access.value_or(handout::first_shown_access(side.selection));
  side.selection = pipeline::select(run, wanted, drawn.device.compute_capability);
  const std::string title = fs::path(arguments.run.file).filename().string();
  TRY(const handout::Handout made, handout::handout_of_run(side, title, dress));
  TRY_VOID(write_file(arguments.output, made.html));
  fmt::print("{}\n", arguments.output);
  if (drawn.program) return report_program(*drawn.program);
  return report_findings(*run.trace);
}

Result<int> make_handout(HandoutArguments arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  TRY_VOID(check(arguments));
  TRY(const handout::Dress dress, dress_of(arguments, paths));
  const bool is_session = is_saved_session(arguments.run.file);
  if (arguments.run.lesson.empty() && !arguments.all && !is_session)
    return write_run(arguments, dress, paths);
  const auto say_what_is_missing = [&] {
    if (dress.module || arguments.stills) return;
    fmt::print(
        stderr,
        "note: still pictures of one warp are in the page and no stepper, since {} was expected and not "
        "found; app/page build makes it\n",
        (paths.project / (paths.place == Place::Project ? "dist/page" : "page") / "handout").string());
  };
  if (arguments.all) {
    TRY(const int status, write_all(arguments, dress, paths));
    say_what_is_missing();
    return status;
  }
  TRY(FirstView view,
      is_session ? view_of_session(arguments.run.file, paths) : view_of_lesson(arguments, paths));
  TRY_VOID(write_lesson(arguments, std::move(view), dress, paths, arguments.output));
  say_what_is_missing();
  fmt::print("{}\n", arguments.output);
  return 0;
}

}  // namespace

void add_handout_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<HandoutArguments>();
  const Verb verb = program.add_verb(
      "handout", "a page of a lesson that steps in a browser, with no network and nothing to install");
  add_run_arguments(verb, arguments->run);
  verb.add("-o,--output", arguments->output, "FILE.html; with --all a folder");
  verb.add("--all", arguments->all, "a handout of each lesson, and index.html with links to them");
  verb.add("--toggle", arguments->toggles,
           "NAME or NAME=A,B: a toggle that the reader may flip, and its values; 'kernel' is one; may be "
           "given "
           "several times (default: all of the lesson's)")
      .repeatable();
  verb.add("--against", arguments->against, "TOGGLE=VALUE: the run A that is shown beside it; several times")
      .repeatable();
  verb.add("--cta", arguments->cta, "X,Y,Z: the block that is shown first (default: 0,0,0)");
  verb.add("--warp", arguments->warp, "the warp within its block (default: 0)");
  verb.add("--access", arguments->access,
           "which of the warp's accesses, from 0 (default: its most expensive)");
  verb.add("--stills", arguments->stills, "still pictures alone: a smaller page, in which nothing is run");
  verb.add("--language", arguments->language, "that the page opens in: en or fr; it has both")
      .one_of({"en", "fr"});
  verb.set_footer(
      "A lesson's page runs its kernel in the reader's browser, for each toggle. FILE may also be a saved "
      "session\n"
      "of a lesson (.lanescope). A page of a source, PTX or a saved trace (.lane) has still pictures of the\n"
      "accesses of one warp.\n"
      "Examples:\n"
      "  lanescope handout --lesson transpose -o transpose.html\n"
      "  lanescope handout --lesson transpose --toggle padding --toggle size=128,1024 -o short.html\n"
      "  lanescope handout --lesson transpose --set padding=1 --against padding=0 -o compared.html\n"
      "  lanescope handout --all -o handouts");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return make_handout(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
