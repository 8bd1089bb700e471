// `lanescope export`: a saved trace for other programs, as CSV or as arrays for NumPy.

#include "base/file.h"
#include "export/trace_export.h"
#include "export/trace_file.h"
#include "shell/verbs.h"

#include <filesystem>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string file;
  std::string format;
  std::string output;  // empty: next to the trace, with the format's extension
};

Result<int> export_trace(const ExportArguments& arguments) {
  if (fs::path(arguments.file).extension() != ".lane")
    return fail(
        ErrorKind::Usage,
        fmt::format("a saved trace is exported, FILE.lane; 'lanescope trace ... --save FILE.lane' makes "
                    "one, '{}' is none",
                    arguments.file));
  fs::path output = arguments.output;
  if (output.empty()) output = fs::path(arguments.file).replace_extension(arguments.format);
  TRY_VOID(check_place(output));
  TRY(const trace::Trace trace, exporting::read_trace(arguments.file));
  if (arguments.format == "csv") {
    TRY_VOID(exporting::write_trace_csv(trace, output));
  } else {
    TRY(const std::string bytes, exporting::trace_npz(trace));
    TRY_VOID(write_file(output, bytes));
  }
  return 0;
}

}  // namespace

void add_export_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  const Verb verb = program.add_verb("export", "a saved trace for other programs: CSV, or arrays for NumPy");
  verb.add("FILE", arguments->file, "a saved trace (.lane)").required();
  verb.add("--to", arguments->format, "csv: a row for each lane of each access; npz: arrays for NumPy")
      .one_of({"csv", "npz"})
      .required();
  verb.add("-o,--output", arguments->output, "FILE (default: that of the trace, with .csv or .npz)");
  verb.set_footer("Example:\n  lanescope export mine.lane --to npz");
  verb.on_chosen(
      [&action, arguments] { action = [arguments](const Paths&) { return export_trace(*arguments); }; });
}

}  // namespace lanescope::shell
