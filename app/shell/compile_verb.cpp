// `lanescope compile --stdio`: compiles one source of a class's page, in a process that reads no other file
// of this machine and ends by itself. app/packaging/class_service.py starts one for each source. Tests:
// tests/page/class_test.py

#include "shell/classroom/compile_request.h"
#include "shell/classroom/reading.h"
#include "shell/verbs.h"

#include <array>
#include <cstdio>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRequestBytes = size_t{4} << 20;

/// What the compiler and the system's loader read.
std::vector<fs::path> readable_places(const compile::Compiler& compiler) {
  std::vector<fs::path> places{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/dev/null"};
  places.push_back(compiler.library().parent_path());
  for (const fs::path& folder : compiler.include_directories()) places.push_back(folder);
  return places;
}

Result<std::string> read_input() {
  std::string text;
  std::array<char, 1 << 16> part;
  while (const size_t bytes = std::fread(part.data(), 1, part.size(), stdin)) {
    text.append(part.data(), bytes);
    if (text.size() > kMostRequestBytes)
      return fail(ErrorKind::Limit, "the source is longer than 4 MB; leave something out");
  }
  return text;
}

Result<std::string> compile_input(const Paths& paths) {
  TRY(const std::string text, read_input());
  TRY(const CompileRequest request, read_compile_request(text));
  TRY(const compile::Compiler compiler, compile::find_compiler(paths.fetched, paths.installed));
  TRY_VOID(limit_this_process({}));
  TRY_VOID(read_only_below(readable_places(compiler)));
  TRY_VOID(check_includes(request, compiler.include_directories()));
  TRY(const compile::Compilation compilation, compile::compile(compiler, request.source, request.options));
  return answer_of(compilation, compiler.include_directories());
}

}  // namespace

void add_compile_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb(
      "compile", "compile one source of a class's page to PTX (started by app/page serve --class)");
  auto stdio = std::make_shared<bool>(false);
  verb.add("--stdio", *stdio,
           "the request comes from standard input, the answer goes to standard output, both as JSON")
      .required();
  verb.on_chosen([&action, stdio] {
    action = [](const Paths& paths) -> Result<int> {
      const auto answer = compile_input(paths);
      fmt::print("{}\n", answer ? *answer : answer_of(answer.error()));
      return answer ? 0 : 1;
    };
  });
}

}  // namespace lanescope::shell
