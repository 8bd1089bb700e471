// `lanescope layout`: what accesses of a warp cost on a tile in shared memory, and the smallest swizzle or
// padding with which all of them are free of bank conflicts.

#include "base/file.h"
#include "base/number.h"
#include "export/export.h"
#include "export/layout_report.h"
#include "layout/kernel_text.h"
#include "layout/report.h"
#include "layout/search.h"
#include "pipeline/layout_run.h"
#include "plot/layout_figure.h"
#include "shell/output_arguments.h"
#include "shell/verbs.h"

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

using layout::AccessCost;
using layout::AccessRow;

struct LayoutArguments {
  layout::QuestionText text;
  bool search = false;
  bool run = false;
  std::string kernel;  // FILE.cu
  std::string figure;  // FILE.svg
  LookArguments look;
  JsonArgument json;
};

std::string counted(uint64_t count) { return number(Language::English, count); }

/// Why the access is impossible, without its name, with which the sentence begins.
std::string reason_of(const AccessRow& row) {
  return row.cost.error().message.substr(row.access.name.size() + 1);
}

void print_row(const AccessRow& row) {
  const std::string plain = row.plain ? counted(row.plain->wavefronts) : "impossible";
  if (!row.cost) {
    fmt::print("{:<18} impossible: {}\n", row.access.name, reason_of(row));
    return;
  }
  const AccessCost& cost = *row.cost;
  fmt::print("{:<18} {:>9} {:>11} {:>8} {:>8} {:>14} {:>11}\n", row.access.name, counted(cost.requests),
             counted(cost.wavefronts), counted(cost.ideal), counted(cost.excess()), cost.most, plain);
}

void print_report(const layout::Report& report) {
  const layout::Tile& tile = report.tile;
  fmt::print("{}  {}  {}\n", tile.layout.text, launch::name_of(tile.element),
             layout::name_of(tile.arrangement));
  fmt::print("{} rows, {} columns, {} bytes of shared memory", report.placed.rows(), report.placed.columns(),
             counted(report.placed.size_bytes));
  if (report.placed.size_bytes != report.plain.size_bytes)
    fmt::print(", {} without the {}", counted(report.plain.size_bytes), layout::name_of(tile.arrangement));
  fmt::print("\n\n{:<18} {:>9} {:>11} {:>8} {:>8} {:>14} {:>11}\n", "access", "requests", "wavefronts",
             "ideal", "excess", "worst request", "plain");
  for (const AccessRow& row : report.rows) print_row(row);
}

std::string found_text(const layout::Candidate& candidate, const layout::Report& report) {
  std::string name = layout::name_of(candidate.arrangement);
  if (const auto* padding = std::get_if<layout::Padding>(&candidate.arrangement))
    name = fmt::format("{} elements ({} bytes) after each row", padding->elements,
                       padding->elements * report.placed.element_bytes);
  return fmt::format("{}; {} bytes more", name, counted(candidate.size_bytes - report.plain.size_bytes));
}

void print_found(const layout::Found& found, const layout::Report& report) {
  if (found.plain_serves) {
    fmt::print("\nThe plain layout serves all accesses: no swizzle or padding is needed.\n");
    return;
  }
  const auto line = [&](const char* what, const std::optional<layout::Candidate>& candidate) {
    fmt::print("smallest {}: {}\n", what,
               candidate ? found_text(*candidate, report) : "none serves all accesses");
  };
  fmt::print("\n");
  line("swizzle", found.swizzle);
  line("padding", found.padding);
  if (found.swizzle || found.padding) return;
  if (found.best) {
    fmt::print("least excess: {}, with {} wavefronts above the ideal\n", found_text(*found.best, report),
               counted(found.best->excess));
  } else {
    fmt::print("not one of them makes all accesses possible\n");
  }
}

/// A kernel makes only accesses that are possible.
Result<void> require_possible(const layout::Report& report) {
  if (const AccessRow* row = report.impossible())
    return fail(ErrorKind::Unsupported,
                fmt::format("there is no kernel for an impossible access: {}; leave it "
                            "out with --access",
                            row->cost.error().message));
  return {};
}

Result<void> write_picture(const layout::Report& report, const LayoutArguments& arguments,
                           const Paths& paths) {
  exporting::Style style;
  style.font_directory = paths.fonts;
  style.theme = theme_of(arguments.look);
  const plot::Frame frame{.size = {960, 540}, .language = language_of(arguments.look)};
  return exporting::write_figure(plot::layout_figure(report, frame), arguments.figure, style);
}

Result<int> ask(const LayoutArguments& arguments, const Paths& paths) {
  layout::QuestionText text = arguments.text;
  if (text.accesses.empty()) text.accesses = {"st.row.16", "ldmatrix.x4"};
  if (text.accesses.front() == "help") {
    for (const layout::Access& access : layout::accesses()) fmt::print("{}\n", access.name);
    return 0;
  }
  if (text.layout.empty())
    return fail(ErrorKind::Usage,
                "the layout is missing; write for example lanescope layout \"(8,64):(64,1)\"");
  TRY(const layout::Question question, layout::parse(text));
  TRY(const layout::Report report, layout::report_of(question));
  if (!arguments.figure.empty()) TRY_VOID(exporting::check_format(arguments.figure));
  if (!arguments.kernel.empty() || arguments.run) TRY_VOID(require_possible(report));
  exporting::LayoutCounts counts;
  if (arguments.run) {
    const pipeline::Options options = session_options(paths);
    pipeline::Execution execution(options);
    TRY(counts.emulated, pipeline::run_layout(report, execution, options));
  }
  if (!arguments.kernel.empty()) TRY_VOID(write_file(arguments.kernel, layout::kernel_text(report)));
  if (arguments.search) {
    TRY(counts.found, layout::search(question.tile, question.accesses));
  }
  if (!arguments.figure.empty()) TRY_VOID(write_picture(report, arguments, paths));
  if (arguments.json.given())
    TRY_VOID(write_report(arguments.json, exporting::layout_report(report, counts)));
  if (!arguments.json.on_standard_output()) {
    print_report(report);
    if (arguments.run)
      fmt::print("\nThe kernels, run in the emulator, took the same wavefronts and found every element.\n");
    if (counts.found) print_found(*counts.found, report);
  }
  return report.impossible() == nullptr ? 0 : 1;
}

}  // namespace

void add_layout_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<LayoutArguments>();
  layout::QuestionText& text = arguments->text;
  const Verb verb = program.add_verb(
      "layout", "bank conflicts of a tile in shared memory, and the swizzle or padding without them");
  verb.add("LAYOUT", text.layout, "a CuTe layout of rows and columns: \"(8,64):(64,1)\"");
  verb.add("--element", text.element, "u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64 (default: f16)");
  verb.add("--swizzle", text.swizzle, "B,M,S: composed with CuTe's Swizzle<B,M,S>, in elements");
  verb.add("--triton", text.triton, "VEC,PER_PHASE,MAX_PHASE: composed with Triton's swizzle");
  verb.add("--pad", text.padding, "N: N unused elements after each row");
  verb.add("--access", text.accesses,
           "what a warp does with the whole tile; may be repeated; 'help' lists them (default: st.row.16 and "
           "ldmatrix.x4)")
      .repeatable();
  verb.add("--search", arguments->search,
           "the smallest swizzle and the smallest padding that serve all accesses");
  verb.add("--run", arguments->run,
           "compile a kernel for each access, run it in the emulator, and compare counts and elements");
  verb.add("--kernel", arguments->kernel, "FILE.cu: write these kernels to a file");
  verb.add("-o,--output", arguments->figure,
           "FILE.svg, .pdf, .png, .csv or .json: the banks of the tile, before and after");
  add_look_arguments(verb, arguments->look);
  add_json_argument(verb, arguments->json);
  verb.set_footer(
      "Accesses: ld.row.BYTES: neighboring lanes take BYTES bytes each along a row; ld.column: of "
      "neighboring rows;\nld.fragment: lane l takes unit l mod 4 of row l / 4, as mma wants it; st.*: the "
      "same as stores;\ncp.async.BYTES: copies along a row; ldmatrix.xN, stmatrix.xN: N matrices of 8 rows "
      "of "
      "16 bytes; .trans.\n"
      "Example:\n"
      "  lanescope layout \"(8,64):(64,1)\" --swizzle 3,3,3 --element f16 --access ldmatrix.x4");
  verb.on_chosen(
      [&action, arguments] { action = [arguments](const Paths& paths) { return ask(*arguments, paths); }; });
}

}  // namespace lanescope::shell
