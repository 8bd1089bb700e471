// The CSV of a trace: export/trace_export.h. Test: tests/unit/export/trace_export_test.cpp

#include "base/utf8.h"
#include "export/trace_export.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A cell in quotation marks, which are doubled in it; line ends become spaces.
std::string quoted(const std::string& text) {
  std::string cell = "\"";
  for (const char c : valid_utf8(text)) {
    if (c == '"') cell += '"';
    cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell + '"';
}

std::string csv_head(const trace::Trace& trace) {
  std::string head = fmt::format(
      "# lanescope trace, format {}\n# kernel {}\n# grid {} {} {}\n# block {} {} {}\n# provenance {}\n# "
      "dropped "
      "{}\n",
      kTraceExportFormat, quoted(trace.kernel), trace.grid.x, trace.grid.y, trace.grid.z, trace.block.x,
      trace.block.y, trace.block.z, name_of(trace.provenance), trace.dropped);
  for (size_t n = 0; n < trace.buffers.size(); ++n)
    if (trace.buffers[n].size_bytes != 0)  // a program's launch has the numbers of what it does not access
      head += fmt::format("# buffer {} {} {} bytes, elements of {}, rows of {}\n", n,
                          quoted(trace.buffers[n].name), trace.buffers[n].size_bytes,
                          trace.buffers[n].element_bytes, trace.buffers[n].row_elements);
  return head + "block,warp,step,site,space,kind,bytes,file,line,lane,buffer,offset\n";
}

/// [site] the cells that all its accesses have.
std::vector<std::string> site_cells(const trace::Trace& trace) {
  std::vector<std::string> cells;
  for (const trace::Site& site : trace.sites)
    cells.push_back(fmt::format("{},{},{},{},{},{}", site.id.value, name_of(site.operation.space),
                                name_of(site.operation.kind), site.operation.bytes_per_lane,
                                quoted(site.source.file), site.source.line));
  return cells;
}

std::string rows_of_block(const trace::Trace& trace, const trace::StoredBlock& block,
                          const std::vector<std::string>& sites) {
  std::string rows;
  for (const trace::StoredAccess& stored : block.accesses) {
    const trace::WarpAccess access = trace::view(trace, block, stored);
    const bool is_global = access.operation.space == trace::Space::Global;
    trace::for_each_address(access, [&](int, int lane, uint64_t address) {
      const bool has_buffer = is_global && trace::has_buffer(address);
      rows += fmt::format("{},{},{},{},{},", block.cta.value, stored.warp.value, stored.step,
                          sites[stored.site.value], lane);
      rows += has_buffer ? fmt::format("{},{}\n", trace::buffer_of(address), trace::offset_of(address))
                         : fmt::format(",{}\n", address);
    });
  }
  return rows;
}

std::unexpected<Error> not_written(const fs::path& file) {
  return fail(ErrorKind::File,
              fmt::format("the file cannot be written: {}", std::generic_category().message(errno)),
              Location{file.string(), 0});
}

}  // namespace

Result<void> write_trace_csv(const trace::Trace& trace, const fs::path& file) {
  // A pipe or a device is written itself, since it cannot be renamed onto.
  std::error_code unknown;
  const bool is_renamed = !fs::exists(file, unknown) || fs::is_regular_file(file, unknown);
  const std::string partial = file.string() + (is_renamed ? ".part" : "");
  std::unique_ptr<std::FILE, CloseFile> out(std::fopen(partial.c_str(), "wb"));
  if (!out) return not_written(file);
  const auto put = [&](const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), out.get()) == text.size();
  };
  const std::vector<std::string> sites = site_cells(trace);
  bool is_written = put(csv_head(trace));
  for (const trace::StoredBlock& block : trace.blocks)
    is_written = is_written && put(rows_of_block(trace, block, sites));
  is_written = is_written && std::fflush(out.get()) == 0;
  if (!is_written) {
    auto error = not_written(file);
    out.reset();
    if (is_renamed) std::remove(partial.c_str());
    return error;
  }
  out.reset();
  if (!is_renamed) return {};
  std::error_code problem;
  fs::rename(partial, file, problem);
  if (!problem) return {};
  errno = problem.value();
  return not_written(file);
}

}  // namespace lanescope::exporting
