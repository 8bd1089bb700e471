// The program: parses the command line, runs the chosen verb, prints its error, returns its exit status.
// Exit status: 0 fine; 1 the work failed or found something wrong; 2 the command line is wrong, which
// includes a launch that no device or not this kernel can have (exit_code, base/error.h).

#include "base/escape.h"
#include "lesson/lesson.h"
#include "shell/nearest.h"
#include "shell/verbs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <ios>
#include <new>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

int report(const Error& error) {
  fmt::print(stderr, "{}\n", without_control_characters(describe(error)));
  return exit_code(error);
}

/// A word that is no file was most likely to be a verb or a lesson.
Result<void> check_opened(const WindowChoice& choice, const Verb& program, const Paths& paths) {
  std::error_code ignored;
  const std::string& file = choice.file;
  if (!file.empty() && !choice.lesson.empty())
    return fail(
        ErrorKind::Usage,
        fmt::format("the window opens on one thing: a file or a lesson, not on '{}' and the lesson '{}'; "
                    "leave one out",
                    file, choice.lesson));
  const bool is_link = file.contains("://");  // the session says what is wrong with one
  if (file.empty() || is_link || std::filesystem::exists(file, ignored)) return {};
  if (file.find_first_of("./") != std::string::npos)
    return fail(ErrorKind::Usage, "there is no such file; check the path", Location{file, 0});
  if (std::ranges::count(lesson::lesson_names(paths.assets / "lessons"), file) != 0)
    return fail(
        ErrorKind::Usage,
        fmt::format("there is no verb '{0}', but a lesson: 'lanescope --lesson {0}' opens the window on it",
                    file));
  const auto meant = nearest(file, program.verb_names());
  return fail(ErrorKind::Usage,
              fmt::format("there is no verb '{}'{}; 'lanescope --help' lists verbs and options", file,
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

int run(int count, char** words) {
  const CommandLine line(
      "Lanescope shows what a CUDA kernel does to memory: every address of every warp, with no GPU needed.",
      "lanescope " LANESCOPE_VERSION);
  const Verb program = line.program();
  WindowChoice choice;
  program.add(
      "FILE", choice.file,
      "what the window opens: a CUDA source (.cu), a whole program's with its arguments after --, PTX "
      "(.ptx), "
      "several launches (.toml), a saved trace (.lane) or session (.lanescope), or the folder of a lesson");
  program.add("--program", choice.program, "").hidden();
  program.add("-I", choice.include_directories, "a folder to search for headers of FILE").repeatable();
  program.add("--lesson", choice.lesson,
              "in place of FILE: the window opens on this lesson, by name or by the path of its folder");
  program.add("--device", choice.device, "whose partitions and models are shown: a name or a FILE.toml");
  program.add("--language", choice.language, "of the window: en or fr").one_of({"en", "fr"});
  add_window_producer(program, choice.producer);
  add_gpu_choice(program, choice.gpu);
  Action action = [&choice, &program](const Paths& paths) -> Result<int> {
    TRY_VOID(check_opened(choice, program, paths));
    return open_window(paths, choice);
  };
#define VERB(name) add_##name##_verb(program, action);
#include "shell/verbs.def"
#undef VERB
  line.set_footer(
      "With no verb the window opens, on FILE or on the first lesson. 'lanescope help VERB' explains one of "
      "them.\n"
      "Exit status: 0 fine; 1 the work failed or found something wrong, such as a compile error, a memory "
      "error\n"
      "or a race; 2 the command line is wrong: an option, a file's kernel, or a launch that does not fit "
      "it.");
  if (const std::optional<int> status = line.parse(count, words)) return *status;
  const auto paths = find_paths();
  if (!paths) return report(paths.error());
  const auto status = action(*paths);
  if (!status) return report(status.error());
  return *status;
}

/// Output may still be buffered, and a full disk is reported only here.
int with_output_written(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  fmt::print(stderr, "standard output cannot be written completely{}; free some room there\n",
             errno == 0 ? "" : ": " + std::generic_category().message(errno));
  return std::max(status, 1);
}

}  // namespace
}  // namespace lanescope::shell

int main(int count, char** words) {
  try {
    return lanescope::shell::with_output_written(lanescope::shell::run(count, words));
    // Libraries may throw when memory or disk space runs out; this program's code does not throw.
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "there is not enough memory; use a smaller launch, or end other programs\n");
  } catch (const std::ios_base::failure& failure) {
    std::fprintf(stderr, "a file could not be read or written to its end: %s; check the disk\n",
                 failure.what());
  } catch (const std::system_error& failure) {
    std::fprintf(stderr, "the output cannot be written: %s; free some room there\n",
                 failure.code().message().c_str());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "lanescope stopped: %s; this is a mistake of the program\n", exception.what());
  }
  return 1;
}
