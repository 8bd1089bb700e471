// A trace for other programs: as CSV, a row for each lane of each stored access, or as .npz, arrays for
// NumPy. Method: CSV is written block by block, so that memory does not grow with it, to a file that is
// renamed when it is complete. The formats are in app/docs/trace_files.md. Source: NumPy documentation,
// "numpy.lib.format" and numpy.savez; PKWARE's APPNOTE, entries that are stored. Tests:
// tests/unit/export/trace_export_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"

#include <filesystem>
#include <string>

namespace lanescope::exporting {

/// Version of both formats: a column or an array is added without a new one, and changed with one.
inline constexpr int kTraceExportFormat = 1;

/// Errors: File.
Result<void> write_trace_csv(const trace::Trace& trace, const std::filesystem::path& file);

/// The bytes of an .npz. Errors: Limit above 4 GiB, which its archive has no room for.
Result<std::string> trace_npz(const trace::Trace& trace);

}  // namespace lanescope::exporting
