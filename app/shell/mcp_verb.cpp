// `lanescope mcp`: becomes the server for coding agents, which is the Python module lanescope.mcp. It finds
// the program again by LANESCOPE_PROGRAM. Tests: tests/mcp

#include "shell/verbs.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct Limit {
  const char* option;
  const char* description;
  std::optional<uint32_t> value = {};
};

struct McpOptions {
  bool allow_host_code = false, without_walls = false;
  std::array<Limit, 7> limits{
      {{"--seconds", "stop a run after so many, by the clock (default: 60)"},
       {"--memory-mib", "address space of each process (default: 4096)"},
       {"--file-mib", "of each file that a run writes (default: 512)"},
       {"--output-kib", "of what a run prints, that are read (default: 64)"},
       {"--source-kib", "of a source, and of each header below the folder (default: 1024)"},
       {"--answer-kib", "of the text of an answer (default: 24)"},
       {"--at-once", "calls that run at once; others wait (default: 2)"}}};
};

/// The folder with the Python package `lanescope`.
fs::path module_folder(const Paths& paths) {
  if (paths.place == Place::Project) return paths.project / "app/python";
  return paths.installed.empty() ? paths.project.parent_path().parent_path() / "lib/python3/dist-packages"
                                 : paths.installed;
}

/// Python's `-m` would look for modules in the folder of the agent's project first, and run what lies there.
constexpr const char* kStart =
    "import sys; sys.path[0] = sys.argv.pop(1); from lanescope.mcp.__main__ import main; sys.exit(main())";

Result<int> become_server(const Paths& paths, const McpOptions& options) {
  std::vector<std::string> words{"python3", "-B", "-c", kStart, module_folder(paths).string()};
  if (options.allow_host_code) words.emplace_back("--allow-host-code");
  if (options.without_walls) words.emplace_back("--without-walls");
  for (const Limit& limit : options.limits)
    if (limit.value) words.insert(words.end(), {limit.option, std::to_string(*limit.value)});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  setenv("LANESCOPE_PROGRAM", paths.program.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): no other thread
  execvp(arguments[0], arguments.data());
  return fail(ErrorKind::File,
              fmt::format("the server is a module of Python, and python3 cannot be started ({}); install it",
                          std::generic_category().message(errno)));
}

}  // namespace

void add_mcp_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb(
      "mcp", "a server for coding agents (Model Context Protocol) on standard input and output");
  auto options = std::make_shared<McpOptions>();
  verb.add("--allow-host-code", options->allow_host_code,
           "offer run_program, which compiles and runs whole programs: their host code may do what you may");
  verb.add("--without-walls", options->without_walls,
           "on a Linux without Landlock: paths and includes are checked by their text alone");
  for (Limit& limit : options->limits) verb.add(limit.option, limit.value, limit.description);
  verb.set_footer(
      "It reads files below the folder that it is started in, and no others. It needs PyPI's mcp in the "
      "Python "
      "that python3\nstarts: pip install \"lanescope[mcp]\". app/docs/agents.md has the tools.");
  verb.on_chosen([&action, options] {
    action = [options](const Paths& paths) { return become_server(paths, *options); };
  });
}

}  // namespace lanescope::shell
