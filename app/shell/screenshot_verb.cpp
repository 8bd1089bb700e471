// `lanescope screenshot`: the window, or one of its panels, as a picture, without a screen.

#include "session/lecture_state.h"
#include "session/shown_run.h"
#include "session/study_state.h"
#include "session/view_link.h"
#include "shell/findings.h"
#include "shell/hosting/session_program.h"
#include "shell/output_arguments.h"
#include "shell/program_trace.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"
#include "shell/window/window.h"
#include "view/panel_header.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

struct ScreenshotArguments {
  RunArguments run;                // of them those of a file that is opened, and the device
  std::optional<uint32_t> launch;  // from 1
  std::string lesson, lecture;
  uint32_t step = 1;  // of the lecture, from 1
  std::vector<std::string> settings;
  std::vector<std::string> against;
  std::string output;
  std::string size = "1600x900";
  LookArguments look;
  std::string panel;
  std::string study;
  float text = view::kOrdinaryText;
  std::string block;  // X,Y,Z or its number
  std::optional<uint32_t> warp, access, wave;
  std::string recording;
  std::string producer = "emulator";
  bool measure = false;
  bool presents = false;  // to a class
};

WindowFiles files_of(const Paths& paths) {
  return {.fonts = paths.fonts,
          .shaders = paths.shaders,
          .settings = paths.config.empty() ? std::filesystem::path() : paths.config / "window.toml",
          .lessons = paths.assets / "lessons",
          .program = paths.program,
          .state = paths.state};
}

pipeline::Producer producer_named(std::string_view name) {
  return name == "gpu" ? pipeline::Producer::Gpu : pipeline::Producer::Emulator;
}

/// Waits for the last command; the next one would clear its error.
Result<void> settle(session::Session& session) {
  session.wait_until_idle();
  if (const auto now = session.latest(); now->error && !session::is_finding(*now))
    return std::unexpected(*now->error);
  return {};
}

/// Posts `command` if an index was given. The index must be below `count`, since the session would clamp it.
template <class Command>
Result<void> post_place(session::Session& session, std::string_view option, std::optional<uint32_t> wanted,
                        uint64_t count, const Command& command) {
  if (!wanted) return {};
  if (*wanted >= count)
    return fail(ErrorKind::Usage,
                fmt::format("--{} {}: there are {} to choose from, counted from 0", option, *wanted, count));
  session.post(command(*wanted));
  return settle(session);
}

/// "3,1,0" as in `plot --cta`, or the number of the block in launch order; nothing if empty.
Result<std::optional<uint32_t>> block_of(const std::string& text, Dim3 grid) {
  if (text.empty()) return std::nullopt;
  if (text.contains(',')) {
    TRY(const CtaId block, parse_block(text, grid));
    return block.value;
  }
  uint32_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size())
    return fail(ErrorKind::Usage, fmt::format("--block takes X,Y,Z or a number from 0, not '{}'", text));
  return number;
}

Result<void> post_places(session::Session& session, const ScreenshotArguments& arguments) {
  const auto now = [&] { return session.latest(); };
  const uint64_t blocks = now()->run ? volume(now()->run->trace->grid) : 0;
  TRY(const auto block, block_of(arguments.block, now()->run ? now()->run->trace->grid : Dim3{}));
  TRY_VOID(
      post_place(session, "block", block, blocks, [](uint32_t n) { return session::SelectBlock{CtaId{n}}; }));
  TRY_VOID(post_place(session, "warp", arguments.warp, now()->selection.warps,
                      [](uint32_t n) { return session::SelectWarp{WarpId{n}}; }));
  TRY_VOID(post_place(session, "access", arguments.access, now()->selection.timeline.size(),
                      [](uint32_t n) { return session::SelectAccess{n}; }));
  return post_place(session, "wave", arguments.wave, now()->waves,
                    [](uint32_t n) { return session::SelectWave{n}; });
}

Result<void> post_study(session::Session& session, const std::string& name) {
  if (name.empty()) return {};
  const auto study = study::find_study(name);
  if (!study) {
    std::vector<std::string_view> names;
    for (const study::Study known : study::kStudies) names.push_back(name_of(known));
    return fail(ErrorKind::Usage,
                fmt::format("there is no figure of models '{}'; those are {}", name, fmt::join(names, ", ")));
  }
  session.post(session::ShowStudy{{.study = *study}});
  TRY_VOID(settle(session));
  if (const auto now = session.latest(); now->study && now->study->error)
    return std::unexpected(*now->study->error);
  return {};
}

/// "padding=1": a toggle, the kernel or the device; nothing if the text is no such thing.
std::optional<std::pair<std::string, std::string>> assignment(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return {};
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

/// What was posted so far becomes A, and these changes make B.
Result<void> post_against(session::Session& session, const std::vector<std::string>& against) {
  if (against.empty()) return {};
  session.post(session::Pin{});
  TRY_VOID(settle(session));
  for (const std::string& change : against) {
    const auto set = assignment(change);
    if (!set)
      session.post(session::OpenFile{change});
    else if (set->first == "device")
      session.post(session::SetDevice{set->second});
    else
      session.post(session::SetToggle{set->first, set->second});
    TRY_VOID(settle(session));
  }
  return {};
}

session::OpenFile opened_file(const ScreenshotArguments& arguments) {
  return {arguments.run.file, arguments.run.compile.include_directories};
}

/// The program's launch as the window shows it once the program has run.
Result<void> post_program(session::Session& session, const ScreenshotArguments& arguments,
                          const ProgramTrace& program) {
  session.post(opened_file(arguments));
  session.post(session::AnswerProgram{session::AnswerProgram::Answer::Run});
  session.wait_until_idle();
  session.post(session::OpenFile{program.file});
  return settle(session);
}

/// A step of the lecture.
Result<void> post_step(session::Session& session, const ScreenshotArguments& arguments) {
  session.post(session::OpenLecture{arguments.lecture});
  TRY_VOID(settle(session));
  const size_t count = session.latest()->lecture->lecture->steps.size();
  if (arguments.step < 1 || arguments.step > count)
    return fail(ErrorKind::Usage,
                fmt::format("--step {}: the lecture has {} steps, counted from 1", arguments.step, count));
  session.post(session::ShowLectureStep{arguments.step - 1});
  return {};
}

Result<void> post_settings(session::Session& session, const ScreenshotArguments& arguments,
                           const ProgramTrace* program) {
  if (program != nullptr)
    TRY_VOID(post_program(session, arguments, *program));
  else if (!arguments.lecture.empty())
    TRY_VOID(post_step(session, arguments));
  else if (arguments.run.file.empty())
    session.post(session::OpenLesson{arguments.lesson});
  else
    session.post(opened_file(arguments));
  TRY_VOID(settle(session));
  if (!arguments.run.kernel.empty()) {
    session.post(session::SetToggle{"kernel", arguments.run.kernel});
    TRY_VOID(settle(session));
  }
  if (arguments.launch) {
    const size_t count = session.latest()->runs.size();
    if (*arguments.launch < 1 || *arguments.launch > count)
      return fail(ErrorKind::Usage, fmt::format("--launch {}: there are {} launches, counted from 1",
                                                *arguments.launch, count));
    session.post(session::SelectLaunch{*arguments.launch - 1});
    TRY_VOID(settle(session));
  }
  if (!arguments.run.device.empty()) {
    session.post(session::SetDevice{arguments.run.device});
    TRY_VOID(settle(session));
  }
  for (const std::string& setting : arguments.settings) {
    const auto set = assignment(setting);
    if (!set) return fail(ErrorKind::Usage, fmt::format("--set takes TOGGLE=VALUE, not '{}'", setting));
    session.post(session::SetToggle{set->first, set->second});
    TRY_VOID(settle(session));
  }
  if (arguments.run.level == "sass") {
    session.post(session::SetLevel{trace::CountLevel::MachineCode});
    TRY_VOID(settle(session));
    // The session shows the PTX in place of machine code that cannot be had, and says why.
    const auto now = session.latest();
    if (now->choices.level != trace::CountLevel::MachineCode && now->error)
      return std::unexpected(*now->error);
  }
  if (!arguments.recording.empty()) {
    session.post(session::SetRecording{arguments.recording});
    TRY_VOID(settle(session));
  }
  if (arguments.measure) {
    session.post(session::MeasureKernels{});
    TRY_VOID(settle(session));
  }
  TRY_VOID(post_against(session, arguments.against));
  TRY_VOID(post_places(session, arguments));
  return post_study(session, arguments.study);
}

Result<ScreenshotRequest> request_of(const ScreenshotArguments& arguments) {
  ScreenshotRequest request{.file = arguments.output, .panel = {}};
  char rest = 0;
  if (std::sscanf(arguments.size.c_str(), "%dx%d%c", &request.width, &request.height, &rest) != 2 ||
      request.width < 320 || request.height < 80 || request.width > 8192 || request.height > 8192)
    return fail(ErrorKind::Usage,
                fmt::format("--size is WIDTHxHEIGHT, from 320x80 to 8192x8192, not '{}'", arguments.size));
  // Written so that NaN is rejected too.
  const bool text_fits = arguments.text >= view::kMinimumText && arguments.text <= view::kMaximumText;
  if (!text_fits)
    return fail(ErrorKind::Usage, fmt::format("--text is a size in points, from {} to {}", view::kMinimumText,
                                              view::kMaximumText));
  request.text = arguments.text;
  std::string extension = std::filesystem::path(arguments.output).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!extension.empty() && extension != ".png")
    return fail(ErrorKind::Usage,
                fmt::format("'{}' has the extension '{}': a picture of the window is a .png",
                            arguments.output, extension));
  if (arguments.presents) request.audience = view::Audience::Room;
  request.theme = theme_of(arguments.look);
  if (!arguments.panel.empty()) {
    request.panel = view::panel_named(arguments.panel);
    if (!request.panel) {
      std::vector<std::string_view> names;
      for (const view::PanelRow& row : view::panel_rows()) names.push_back(row.name);
      return fail(ErrorKind::Usage, fmt::format("there is no panel '{}'; the panels are {}", arguments.panel,
                                                fmt::join(names, ", ")));
    }
  }
  return request;
}

/// The launch of a whole program that the picture shows: null where the file is not run as one.
Result<std::unique_ptr<ProgramTrace>> program_of(const Paths& paths, const ScreenshotArguments& arguments) {
  RunArguments run = arguments.run;
  run.launch = arguments.launch.value_or(0);
  return trace_launch(run, paths, ProgramCommand::Output::Output);
}

Result<int> take_screenshot(const Paths& paths, ScreenshotArguments arguments) {
  TRY(const ScreenshotRequest request, request_of(arguments));
  TRY_VOID(check_level(arguments.run));
  if (arguments.run.verb->has("--level") && arguments.producer == "gpu")
    return fail(
        ErrorKind::Usage,
        "--level is an option of the emulator; a GPU counts its machine code in any case: leave it out");
  TRY(const auto program, program_of(paths, arguments));
  pipeline::Options options = session_options(paths);
  if (program) {
    arguments.run.kernel.clear();
    arguments.launch.reset();
    options.run_program = [&program](const pipeline::ProgramRequest&, const std::stop_token&) {
      return pipeline::ProgramOutcome{.folder = program->folder.path(), .output = {}, .problem = {}};
    };
  }
  options.compiler = compiler_options(arguments.run.compile);
  options.own_launches.clear();  // a picture is the same for everyone
  options.language = language_of(arguments.look);
  offer_gpu(options, arguments.run.gpu, paths);
  options.producer = producer_named(arguments.producer);
  options.asks_above.reset();  // nobody is there to answer
  options.reads_all_blocks = request.panel && view::needs_all_blocks(*request.panel);
  session::Session session(options);
  TRY_VOID(post_settings(session, arguments, program.get()));
  if (options.reads_all_blocks) {
    session.wait_until_modelled();
    TRY_VOID(settle(session));
  }
  WindowFiles files = files_of(paths);
  files.settings.clear();
  TRY_VOID(write_screenshot(session, files, request));
  if (program) return report_program(*program);
  if (arguments.run.file.empty() || !session::is_finding(*session.latest())) return 0;
  return report_findings(*session.latest()->run->trace);
}

/// What the environment says of the person's language. Source: POSIX, "Internationalization Variables".
Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    // Read before there are threads.
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr && *value != '\0')
      return std::string_view(value).starts_with("fr") ? Language::French : Language::English;
  }
  return Language::English;
}

/// Opens what the command line names, else what was open last.
void post_opening(session::Session& session, const Paths& paths, const WindowChoice& choice,
                  const WindowSettings& settings) {
  if (session::is_link(choice.file)) return session.post(session::OpenLink{choice.file});
  if (!choice.file.empty())
    return session.post(session::OpenFile{choice.file, choice.include_directories, words_of(choice.program)});
  if (!choice.lecture.empty()) return session.post(session::OpenLecture{choice.lecture});
  if (!choice.lesson.empty()) return session.post(session::OpenLesson{choice.lesson});
  open_what_was_left(session, paths.assets, settings);
}

}  // namespace

void add_window_producer(const Verb& verb, std::string& producer) {
  verb.add("--producer", producer, "what runs the kernel: emulator (default) or gpu")
      .one_of({"emulator", "gpu"});
}

Result<int> open_window(const Paths& paths, const WindowChoice& choice) {
  if (!choice.lesson.empty()) TRY_VOID(lesson::find_lesson(paths.assets / "lessons", choice.lesson));
  const WindowFiles files = files_of(paths);
  const bool has_choice = !choice.file.empty() || !choice.lesson.empty() || !choice.lecture.empty();
  const WindowSettings left = read_settings(files.settings);
  const WindowSettings settings = has_choice ? look_of(left) : left;
  pipeline::Options options = session_options(paths);
  offer_gpu(options, choice.gpu, paths);
  offer_programs(options, paths);
  if (!paths.state.empty()) options.own_progress = paths.state / "progress.toml";
  options.producer = producer_named(choice.producer);
  if (!choice.device.empty()) {
    TRY_VOID(model::find_device(paths.assets / "devices", choice.device));
    options.device = options.device_of_files = choice.device;
  }
  options.language = choice.language == "fr"   ? Language::French
                     : choice.language == "en" ? Language::English
                                               : settings.language.value_or(language_of_environment());
  session::Session session(options);
  post_opening(session, paths, choice, settings);
  // Opening a lesson chooses its device.
  if (!choice.device.empty())
    session.post(session::SetDevice{choice.device});
  else if (!has_choice && model::find_device(paths.assets / "devices", settings.device))
    session.post(session::SetDevice{settings.device});
  return run_window(session, files, settings, choice.notes ? Notes::Shown : Notes::Hidden);
}

void add_screenshot_verb(const Verb& program, Action& action) {
  const auto arguments = std::make_shared<ScreenshotArguments>();
  const Verb verb =
      program.add_verb("screenshot", "draw the window, or one panel, to a PNG file without a screen");
  verb.add("FILE", arguments->run.file,
           "CUDA source (.cu), PTX (.ptx), several launches (.toml), a saved trace (.lane) or session "
           "(.lanescope)");
  arguments->run.verb = verb;
  add_compile_options(verb, arguments->run.compile);
  verb.add("MORE", arguments->run.more_files, "further source files of the program that FILE is of");
  verb.add("--program", arguments->run.program, "").hidden();
  verb.add("--kernels-only", arguments->run.kernels_only,
           "run no host code: of a file with main one kernel alone");
  verb.add("--kernel", arguments->run.kernel, "which kernel of FILE, if it has several");
  verb.add("--launch", arguments->launch, "which of several launches is shown, from 1");
  verb.add("--lesson", arguments->lesson,
           "which lesson, by name or by the path of its folder (default: the first)");
  verb.add("--lecture", arguments->lecture, "in place of a lesson: a lecture, by name or by its path");
  verb.add("--step", arguments->step, "which step of the lecture, from 1 (default: 1)");
  verb.add("--set", arguments->settings, "a toggle of the lesson, TOGGLE=VALUE; may be repeated");
  verb.add("--against", arguments->against,
           "draws two runs side by side: A as above, and B with this change, TOGGLE=VALUE, kernel=NAME or "
           "device=NAME, or another file; may be repeated");
  verb.add("-o,--output", arguments->output, "the file").required();
  verb.add("--size", arguments->size, "WIDTHxHEIGHT in pixels (default: 1600x900)");
  add_look_arguments(verb, arguments->look);
  verb.add("--panel", arguments->panel, "one panel alone, for example banks");
  verb.add("--device", arguments->run.device, "whose partitions are shown");
  verb.add("--study", arguments->study, "which figure of the panel 'models', for example queues");
  add_level_argument(verb, arguments->run.level);
  verb.add("--recording", arguments->recording,
           "whose recorded times are shown: a file in assets/recordings or a path (default: h200)");
  verb.add("--measure", arguments->measure, "measure the lesson's kernels on the GPU first");
  add_window_producer(verb, arguments->producer);
  add_gpu_choice(verb, arguments->run.gpu);
  verb.add("--present", arguments->presents,
           "as for a class: the figures on the whole screen (F11) with text for a projector (F2)");
  verb.add("--text", arguments->text, "size of ordinary text in points (default: 14)");
  verb.add("--cta,--block", arguments->block, "X,Y,Z or the number of the block that is shown");
  verb.add("--warp", arguments->warp, "warp of that block");
  verb.add("--wave", arguments->wave, "which wave of blocks is in flight, from 0");
  verb.add("--access", arguments->access, "which access of that warp, from 0, which figures call access 1");
  verb.on_chosen([arguments, &action] {
    action = [arguments](const Paths& paths) { return take_screenshot(paths, *arguments); };
  });
}

}  // namespace lanescope::shell
