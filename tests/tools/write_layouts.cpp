// Writes random tiles and accesses as kernels into a folder, for a run on a GPU under Nsight Compute: N.ptx,
// manifest.csv with a row each, and run_layouts.py and run.sh, which run them. The folder needs nothing else.

#include "layout/kernel_text.h"
#include "pipeline/execution.h"
#include "support/layout_cases.h"
#include "support/project.h"
#include "support/project_options.h"

#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

Result<void> write(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  fs::create_directories(folder);
  pipeline::Execution execution(project_options());
  std::ofstream manifest(folder / "manifest.csv");
  manifest << "case,kernel,bytes,shared_bytes,layout,element,swizzle,triton,padding,access\n";
  const auto cases = random_layouts(kLayoutCases, kLayoutSeed);
  for (size_t n = 0; n < cases.size(); ++n) {
    const layout::QuestionText& text = cases[n];
    TRY(const layout::Question question, layout::parse(text));
    TRY(const layout::Report report, layout::report_of(question));
    pipeline::Job job;
    job.source = {fmt::format("{}.cu", n), layout::kernel_text(report), {}};
    job.options.cache_directory = project_options().cache;
    TRY(const std::string ptx, execution.compiler().ptx_text(job));
    std::ofstream(folder / fmt::format("{}.ptx", n)) << ptx;
    const layout::PlacedTile& placed = report.placed;
    manifest << fmt::format(
        "{},{},{},{},\"{}\",{},\"{}\",\"{}\",{},{}\n", n, layout::kernel_name(question.accesses[0]),
        placed.lines * placed.line_elements * placed.element_bytes, placed.size_bytes, text.layout,
        text.element, text.swizzle, text.triton, text.padding, text.accesses[0]);
  }
  for (const char* name : {"run_layouts.py", "run_layouts.sh"})
    fs::copy_file(source_dir() / "tests/tools" / name, folder / name, fs::copy_options::overwrite_existing);
  if (!manifest.flush()) return fail(ErrorKind::File, "manifest.csv cannot be written");
  return {};
}

}  // namespace
}  // namespace lanescope::tests

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: write_layouts FOLDER\n";
    return 1;
  }
  if (const auto done = lanescope::tests::write(arguments[1]); !done) {
    std::cerr << lanescope::describe(done.error()) << '\n';
    return 1;
  }
  return 0;
}
