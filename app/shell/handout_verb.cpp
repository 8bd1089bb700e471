// `lanescope handout`: a lesson, or a run of a file, as a page that steps in a browser with no network.

#include "base/escape.h"
#include "base/file.h"
#include "handout/packed_launches.h"
#include "handout/packed_trace.h"
#include "handout/page.h"
#include "shell/drawn_run.h"
#include "shell/findings.h"
#include "shell/handout_session.h"
#include "shell/hosting/source_program.h"
#include "shell/output_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <memory>
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
std::optional<handout::Module> find_module(const Paths& paths, const std::string& name) {
  const fs::path page = paths.project / (paths.place == Place::Project ? "dist/page" : "page");
  auto script = read_text(page / name / (name + ".js"));
  auto packed = read_text(page / name / (name + ".wasm.packed"));
  if (!script || !packed) return {};
  return handout::Module{*std::move(script), *std::move(packed)};
}

Result<handout::Dress> dress_of(const HandoutArguments& arguments, const Paths& paths) {
  handout::Dress dress;
  TRY(dress.style, read_text(paths.assets / "handout/handout.css"));
  TRY(dress.script, read_text(paths.assets / "handout/handout.js"));
  if (!arguments.stills) dress.module = find_module(paths, "handout");
  if (dress.module) dress.sqlite = find_module(paths, "sqlite");
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
    if (verb.has("--against"))
      return fail(ErrorKind::Usage, "--against is of a lesson's toggles; add --lesson NAME");
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

/// That the page steps nowhere, since what draws in a page was not built.
void say_what_is_missing(const HandoutArguments& arguments, const handout::Dress& dress, const Paths& paths) {
  if (dress.module || arguments.stills) return;
  fmt::print(stderr,
             "note: still pictures of one warp are in the page and no stepper, since {} was expected and not "
             "found; app/page build makes it\n",
             (paths.project / (paths.place == Place::Project ? "dist/page" : "page") / "handout").string());
}

void say_notes(const handout::Handout& handout) {
  for (const std::string& note : handout.notes)
    fmt::print(stderr, "note: {}\n", without_control_characters(note));
}

/// Those of a session; a device of one's own is found in its folder.
pipeline::Options handout_options(const HandoutArguments& arguments, const Paths& paths) {
  pipeline::Options options = session_options(paths);
  const bool is_own = arguments.run.device.ends_with(".toml");
  options.own_devices = is_own ? fs::absolute(arguments.run.device).parent_path() : fs::path();
  return options;
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
  const pipeline::Options options = handout_options(arguments, paths);
  TRY(const handout::Offer offer, handout::parse_offer(view.lesson, arguments.toggles));
  lesson::Words title = view.lesson.title;
  handout::Lab lab(options, std::make_shared<const lesson::Lesson>(std::move(view.lesson)),
                   std::move(view.device));
  TRY(const handout::Sides first, lab.show(view.wish));
  TRY_VOID(check_shown(arguments, first.now.selection));
  handout::Contents contents{title, offer, {}};
  if (dress.module) {
    TRY(contents.files,
        handout::files_of(*lab.lesson(), view.wish.settings, offer, lab.device(), options, lab.execution()));
  }
  TRY(const handout::Handout made, handout::handout_of(lab, view.wish, contents, dress));
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

/// The macros of a file that the reader may choose values of. Errors: Usage.
Result<handout::Offer> macros_of(const HandoutArguments& arguments) {
  const std::string& file = arguments.run.file;
  const std::string extension = fs::path(file).extension().string();
  const bool is_program = !arguments.run.kernels_only && has_main({file});
  if (!arguments.toggles.empty() && (extension == ".ptx" || extension == ".lane" || is_program))
    return fail(ErrorKind::Usage,
                fmt::format("--toggle of a file is a macro of a CUDA source whose kernel is "
                            "run; {} is none{}",
                            file, is_program ? "; add --kernels-only" : ""));
  return handout::parse_macros(arguments.toggles);
}

/// Warp instructions of a run that a reader is made to wait for: some seconds in a browser.
constexpr uint64_t kMostInstructions = 200'000'000;

/// The launches as the page runs them again. Errors: what the page cannot do.
Result<handout::FileLaunches> launches_of(const HandoutArguments& arguments, const DrawnRun& drawn,
                                          const handout::Offer& macros, const Paths& paths) {
  if (drawn.launches.launches.empty())
    return fail(ErrorKind::Unsupported, "the launch is known by its trace alone");
  for (const char* option : {"--producer", "--blocks", "--checks", "--scheduling", "--engine"})
    if (arguments.run.verb->has(option))
      return fail(ErrorKind::Unsupported, fmt::format("a page has no {}", option));
  if (drawn.run->trace->warp_instructions > kMostInstructions)
    return fail(ErrorKind::Limit, fmt::format("{} warp instructions are too many for a reader to wait for",
                                              drawn.run->trace->warp_instructions));
  return handout::FileLaunches{drawn.launches, file_options(arguments.run, paths), macros};
}

/// Whether no page could carry the trace of this file, however well it is compressed.
bool is_large_trace(const fs::path& file) {
  constexpr uintmax_t kMostRead = uintmax_t{64} << 20;
  std::error_code unknown;
  const uintmax_t bytes = fs::file_size(file, unknown);
  return file.extension() == ".lane" && !unknown && bytes > kMostRead;
}

Result<int> write_run(HandoutArguments& arguments, const handout::Dress& dress, const Paths& paths) {
  TRY(const handout::Offer macros, macros_of(arguments));
  std::vector<std::string>& defines = arguments.run.compile.defines;
  for (const auto& [name, values] : macros)
    if (std::ranges::none_of(defines,
                             [&](const auto& define) { return (define + "=").starts_with(name + "="); }))
      defines.push_back(fmt::format("{}={}", name, values.front()));
  arguments.run.looked_at = arguments.cta;
  arguments.run.keeps_origins = true;
  arguments.run.reads_looked_at_alone = is_large_trace(arguments.run.file);
  if (arguments.run.reads_looked_at_alone)
    fmt::print(
        stderr,
        "note: the trace is large, so the page has the accesses of one block alone; --cta chooses it\n");
  TRY(const DrawnRun drawn, drawn_run(arguments.run, paths));
  handout::Wish wish;
  TRY(wish.place.cta, parse_block(arguments.cta, drawn.run->trace->grid));
  wish.place.warp = WarpId{arguments.warp};
  wish.place.access = arguments.access;
  const std::string title = fs::path(arguments.run.file).filename().string();
  handout::Contents contents{{title, title}, {}, {}};
  const pipeline::Options options = handout_options(arguments, paths);
  auto lab = std::make_unique<handout::Lab>(options, drawn.run, drawn.device);
  if (dress.module) {
    auto launches = launches_of(arguments, drawn, macros, paths);
    const auto pack_launches = [&]() -> Result<void> {
      if (!launches) return std::unexpected(launches.error());
      const lesson::Settings settings = handout::take_macros(*launches);
      auto of_file = std::make_unique<handout::Lab>(options, *launches, drawn.device);
      TRY(contents.files, handout::files_of(*launches, drawn.device, options, of_file->execution()));
      of_file->keep(settings, wish.place.cta, drawn.run);
      wish.settings = settings;
      contents.offer = launches->macros;
      lab = std::move(of_file);
      return {};
    };
    const auto pack_trace = [&]() -> Result<void> {
      if (!dress.sqlite) return fail(ErrorKind::File, "its trace would need dist/page/sqlite");
      TRY(contents.files, handout::files_of(*drawn.run, drawn.device, options));
      return {};
    };
    if (const auto packed = pack_launches(); !packed) {
      const auto kept = pack_trace();
      const bool had_trace = drawn.launches.launches.empty();
      if (!kept)
        fmt::print(stderr, "note: the page has still pictures of one warp and no stepper: {}{}\n",
                   had_trace ? "" : packed.error().message + "; ", kept.error().message);
      else if (!had_trace)
        fmt::print(stderr, "note: the page shows the trace and runs nothing: {}\n", packed.error().message);
    }
  }
  TRY(const handout::Sides first, lab->show(wish));
  TRY_VOID(check_shown(arguments, first.now.selection));
  TRY(const handout::Handout made, handout::handout_of(*lab, wish, contents, dress));
  TRY_VOID(write_file(arguments.output, made.html));
  say_notes(made);
  say_what_is_missing(arguments, dress, paths);
  fmt::print("{}\n", arguments.output);
  if (drawn.program) return report_program(*drawn.program);
  return report_findings(*drawn.run->trace);
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
  if (arguments.all) {
    TRY(const int status, write_all(arguments, dress, paths));
    say_what_is_missing(arguments, dress, paths);
    return status;
  }
  TRY(FirstView view,
      is_session ? view_of_session(arguments.run.file, paths) : view_of_lesson(arguments, paths));
  TRY_VOID(write_lesson(arguments, std::move(view), dress, paths, arguments.output));
  say_what_is_missing(arguments, dress, paths);
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
  verb.add(
          "--toggle", arguments->toggles,
          "NAME or NAME=A,B: a toggle that the reader may flip, and its values; 'kernel' is one; of a source "
          "a macro, "
          "each value compiled now; several times (default: all of the lesson's)")
      .repeatable();
  verb.add("--against", arguments->against, "TOGGLE=VALUE: the run A that is shown beside it; several times")
      .repeatable();
  verb.add("--cta", arguments->cta, "X,Y,Z: the block that is shown first (default: 0,0,0)");
  verb.add("--warp", arguments->warp, "the warp within its block (default: 0)");
  verb.add("--access", arguments->access,
           "which of the warp's accesses, from 0, which figures call access 1 (default: its most expensive)");
  verb.add("--stills", arguments->stills, "still pictures alone: a smaller page, in which nothing is run");
  verb.add("--language", arguments->language, "that the page opens in: en or fr; it has both")
      .one_of({"en", "fr"});
  verb.set_footer(
      "A lesson's page runs its kernel in the reader's browser, for each toggle. FILE may also be a saved "
      "session\n"
      "of a lesson (.lanescope). A page of a source or of PTX runs its launch in the same way, each "
      "--toggle\n"
      "TILE=16,32 a macro; that of a program or a saved trace (.lane) carries the trace, if it is small.\n"
      "Examples:\n"
      "  lanescope handout --lesson transpose -o transpose.html\n"
      "  lanescope handout --lesson transpose --toggle padding --toggle size=128,1024 -o short.html\n"
      "  lanescope handout --lesson transpose --set padding=1 --against padding=0 -o compared.html\n"
      "  lanescope handout tile.cu --block 16,16 --toggle TILE=16,32 -o tile.html\n"
      "  lanescope handout --all -o handouts");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return make_handout(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
