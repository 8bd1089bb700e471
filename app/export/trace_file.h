// A trace as a file (.lane): an SQLite database, which any SQLite tool opens and any language reads. Tables:
// trace (key, value), buffers, sites with their totals, the calls that lead to them, hazards, accesses of the
// stored blocks. An affine access has base and stride (the address of lane l is base + l * stride); any other
// has its addresses as little-endian 64-bit numbers in `list`, one for each set bit of `active`. Global
// addresses are buffer index
// + 1 in the bits from 40 up, offset in bytes below. `PRAGMA user_version` is the format's version. The
// totals are of the level that the key `level` names; without it, of the PTX. Not stored: the values of the
// chosen block, and the second access of a race. The reader validates every field against the grid, the block
// and the sites. Tests: tests/unit/export/trace_file_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"
#include "trace/trace_part.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lanescope::exporting {

inline constexpr int kTraceFileVersion = 2;

/// Writes the whole trace as write_file() does. Errors: File; Limit if it cannot be packed.
Result<void> save_trace(const trace::Trace& trace, const std::filesystem::path& file);

/// The same as bytes, for a pipe.
Result<std::string> trace_bytes(const trace::Trace& trace);

/// Errors: File if it cannot be opened; Syntax if it is not a trace, of another version or damaged, with what
/// was found.
Result<trace::Trace> read_trace(const std::filesystem::path& file);
/// The same with a part of the accesses. What is not read costs no time: rows are found by their number, in
/// which blocks rise. Errors: those of read_trace().
Result<trace::TracePart> read_trace_part(const std::filesystem::path& file,
                                         const trace::WantedBlocks& wanted);

/// `name` is used in messages.
Result<trace::Trace> read_trace_bytes(std::string bytes, const std::string& name);

}  // namespace lanescope::exporting
