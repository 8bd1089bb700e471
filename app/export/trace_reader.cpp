// Reads the files of trace_file.cpp. Files are untrusted: they are opened read-only, may contain tables but
// nothing executable, and each value is validated before it becomes part of a trace.

#include "base/pipe.h"
#include "export/trace_file.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <sqlite3.h>

namespace lanescope::exporting {
namespace {

namespace fs = std::filesystem;

/// A file may hold somewhat more than a run may.
constexpr uint64_t kMostAccesses = uint64_t{1} << 26;
constexpr uint64_t kMostSites = uint64_t{1} << 20;
constexpr int64_t kMostLines = std::numeric_limits<int32_t>::max();

/// The current row of a query.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  uint64_t count(int column) const { return static_cast<uint64_t>(number(column)); }
  std::string text(int column) const {
    const auto* const text = sqlite3_column_text(statement_, column);
    if (text == nullptr) return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
  }
  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string_view blob(int column) const {
    const void* const bytes = sqlite3_column_blob(statement_, column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes), static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3_stmt* statement_;
};

struct CloseDatabase {
  void operator()(sqlite3* handle) const { sqlite3_close(handle); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// A damaged or foreign file: what was expected, what was found.
std::unexpected<Error> damaged(std::string what) {
  return fail(ErrorKind::Syntax, std::move(what) + "; save the trace again with this version");
}

class Reader {
 public:
  /// `wanted`: null for all accesses.
  Reader(sqlite3* handle, const trace::WantedBlocks* wanted) : handle_(handle), wanted_(wanted) {}

  Result<trace::TracePart> read() {
    TRY_VOID(check_kind());
    TRY_VOID(read_header());
    TRY_VOID(read_buffers());
    TRY_VOID(read_sites());
    TRY_VOID(read_calls());
    TRY_VOID(read_cache_uses());
    TRY_VOID(read_hazards());
    TRY_VOID(wanted_ == nullptr ? read_accesses() : read_part());
    return trace::TracePart{std::move(trace_), next_};
  }

 private:
  /// Calls `take` for each row of the query.
  Result<void> each(const char* query, const std::function<Result<void>(const Row&)>& take) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(handle_, query, -1, &prepared, nullptr) != SQLITE_OK)
      return damaged(fmt::format("not a Lanescope trace ({})", sqlite3_errmsg(handle_)));
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
    int status = SQLITE_ROW;
    while ((status = sqlite3_step(prepared)) == SQLITE_ROW) TRY_VOID(take(Row(prepared)));
    if (status != SQLITE_DONE)
      return damaged(fmt::format("the file is truncated ({})", sqlite3_errmsg(handle_)));
    return {};
  }

  Result<void> check_kind() {
    TRY_VOID(each("PRAGMA user_version", [](const Row& row) -> Result<void> {
      if (row.number(0) == kTraceFileVersion) return {};
      return damaged(fmt::format("a trace in format {} was expected, the file has format {}",
                                 kTraceFileVersion, row.number(0)));
    }));
    // A view or a virtual table would execute SQL from the file.
    return each(
        "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'",
        [](const Row& row) -> Result<void> {
          return damaged(fmt::format("a trace has only tables, '{}' is not one", row.text(0)));
        });
  }

  static Result<Dim3> extent_of(const std::string& text) {
    Dim3 extent;
    int end = 0;
    if (std::sscanf(text.c_str(), "%u,%u,%u%n", &extent.x, &extent.y, &extent.z, &end) != 3 ||
        static_cast<size_t>(end) != text.size())
      return damaged(fmt::format("an extent X,Y,Z was expected, '{}' was found", text));
    return extent;
  }

  template <class Enum>
  static Result<Enum> named(const std::string& name, Enum last) {
    for (unsigned value = 0; value <= static_cast<unsigned>(last); ++value)
      if (name_of(static_cast<Enum>(value)) == name) return static_cast<Enum>(value);
    return damaged(fmt::format("this version does not know '{}'", name));
  }

  Result<void> read_header() {
    TRY_VOID(each("SELECT key, value FROM trace", [&](const Row& row) -> Result<void> {
      const std::string key = row.text(0);
      if (key == "kernel") trace_.kernel = row.text(1);
      if (key == "provenance") {
        TRY(trace_.provenance, named(row.text(1), Provenance::Modelled));
      }
      if (key == "level") {
        TRY(trace_.level, named(row.text(1), trace::CountLevel::MachineCode));
      }
      if (key == "is_complete") trace_.is_complete = row.number(1) != 0;
      if (key == "grid") {
        TRY(trace_.grid, extent_of(row.text(1)));
      }
      if (key == "block") {
        TRY(trace_.block, extent_of(row.text(1)));
      }
      if (key == "shared_bytes") trace_.shared_bytes = static_cast<uint32_t>(row.number(1));
      if (key == "dropped") trace_.dropped = row.count(1);
      if (key == "warp_instructions") trace_.warp_instructions = row.count(1);
      if (key == "lane_instructions") trace_.lane_instructions = row.count(1);
      if (key == "registers_per_thread") trace_.registers_per_thread = static_cast<uint32_t>(row.number(1));
      trace::Operations& operations = trace_.operations;
      if (key == "fp16") operations.fp16 = row.count(1);
      if (key == "fp32") operations.fp32 = row.count(1);
      if (key == "fp64") operations.fp64 = row.count(1);
      if (key == "integer") operations.integer = row.count(1);
      if (key == "tensor") operations.tensor = row.count(1);
      if (key == "tensor8") operations.tensor8 = row.count(1);
      if (key == "output") trace_.output.text = row.text(1);
      if (key == "output_is_cut") trace_.output.is_cut = row.number(1) != 0;
      return {};
    }));
    constexpr uint64_t kMostThreads = 1024;
    const bool block_fits = trace_.block.x <= kMostThreads && trace_.block.y <= kMostThreads &&
                            trace_.block.z <= kMostThreads && volume(trace_.block) <= kMostThreads;
    const bool grid_fits =
        trace_.grid.y <= 0xffff && trace_.grid.z <= 0xffff &&
        volume({trace_.grid.x, trace_.grid.y, 1}) <= 0xffffffffu / std::max(trace_.grid.z, 1u);
    if (!block_fits || !grid_fits || volume(trace_.block) == 0 || volume(trace_.grid) == 0)
      return damaged("the grid or the block exceeds the limits of a GPU");
    return {};
  }

  Result<void> read_buffers() {
    return each("SELECT name, size_bytes, element_bytes, row_elements FROM buffers ORDER BY number",
                [&](const Row& row) -> Result<void> {
                  if (trace_.buffers.size() >= 4096) return damaged("at most 4096 buffers were expected");
                  trace_.buffers.push_back(
                      {row.text(0), row.count(1), static_cast<uint32_t>(row.number(2)), row.count(3)});
                  if (trace_.buffers.back().element_bytes == 0)
                    return damaged("elements of at least one byte were expected");
                  return {};
                });
  }

  Result<void> read_sites() {
    return each(
        "SELECT number, space, kind, bytes_per_lane, detail, file, line, text, ptx_line, ptx, requests, "
        "lanes, bytes, "
        "sectors, ideal_sectors, lines, wavefronts, ideal_wavefronts FROM sites ORDER BY number",
        [&](const Row& row) -> Result<void> {
          const size_t number = trace_.sites.size();
          if (row.count(0) != number || number >= kMostSites)
            return damaged(fmt::format("site {} was expected, site {} was found", number, row.number(0)));
          trace::Site site;
          site.id = SiteId{static_cast<uint32_t>(number)};
          TRY(site.operation.space, named(row.text(1), trace::Space::Surface));
          TRY(site.operation.kind, named(row.text(2), trace::Kind::AsyncCopy));
          if (row.number(3) < 1 || row.number(3) > 32)
            return damaged(fmt::format("1 to 32 bytes per lane were expected, {} were found", row.number(3)));
          site.operation.bytes_per_lane = static_cast<uint8_t>(row.number(3));
          TRY(site.operation.detail, named(row.text(4), trace::Detail::Tensor));
          site.source = {row.text(5), static_cast<int>(row.number(6))};
          site.source_text = row.text(7);
          site.ptx_line = static_cast<int>(row.number(8));
          site.ptx_text = row.text(9);
          trace_.sites.push_back(std::move(site));
          trace_.totals.push_back({row.count(10), row.count(11), row.count(12), row.count(13), row.count(14),
                                   row.count(15), row.count(16), row.count(17)});
          return {};
        });
  }

  Result<bool> has_table(std::string_view name) {
    bool has = false;
    TRY_VOID(each("SELECT name FROM sqlite_master", [&](const Row& row) -> Result<void> {
      has |= row.text(0) == name;
      return {};
    }));
    return has;
  }

  /// The site of a row's first column. Errors: Syntax where there is no such site.
  Result<trace::Site*> site_of(const Row& row, std::string_view what) {
    if (row.count(0) >= trace_.sites.size())
      return damaged(fmt::format("{} of site {} fits no site", what, row.number(0)));
    return &trace_.sites[static_cast<size_t>(row.count(0))];
  }

  /// How sites use the caches, and what warps wait for; a trace of an earlier version does not say it.
  Result<void> read_cache_uses() {
    TRY(const bool knows, has_table("needs"));
    if (!knows) return {};
    TRY_VOID(each("SELECT site, level1, fetched_bytes, leaves_l2_first FROM cache_uses",
                  [&](const Row& row) -> Result<void> {
                    TRY(trace::Site* const site, site_of(row, "a use of the caches"));
                    TRY(site->cache_use.level1, named(row.text(1), CacheUse::Level1::EvictFirst));
                    if (row.count(2) > 256)
                      return damaged(fmt::format("a miss reads at most 256 bytes, not {}", row.number(2)));
                    site->cache_use.fetched_bytes = static_cast<uint16_t>(row.count(2));
                    site->cache_use.leaves_l2_first = row.number(3) != 0;
                    return {};
                  }));
    TRY_VOID(each("SELECT site, block, step, fills_register, is_used, spans_rounds FROM waits",
                  [&](const Row& row) -> Result<void> {
                    TRY(trace::Site* const site, site_of(row, "a wait"));
                    if (row.count(1) > 0xffffffffu || row.count(2) > 0xffffffffu)
                      return damaged(
                          fmt::format("the wait of site {} has no place of a program", row.number(0)));
                    site->wait = {.block = static_cast<uint32_t>(row.count(1)),
                                  .step = static_cast<uint32_t>(row.count(2)),
                                  .fills_register = row.number(3) != 0,
                                  .is_used = row.number(4) != 0,
                                  .spans_rounds = row.number(5) != 0};
                    return {};
                  }));
    return each("SELECT site, needed FROM needs ORDER BY rowid", [&](const Row& row) -> Result<void> {
      TRY(trace::Site* const site, site_of(row, "a wait"));
      constexpr uint64_t kMostNeeds = 0xffff;
      if (row.count(1) >= trace_.sites.size() || row.count(1) > kMostNeeds ||
          site->wait.needs.size() >= kMostNeeds)
        return damaged(fmt::format("the wait of site {} needs no site", row.number(0)));
      site->wait.needs.push_back(static_cast<uint16_t>(row.count(1)));
      return {};
    });
  }

  /// The calls that lead to inlined sites; a trace of an earlier version has none.
  Result<void> read_calls() {
    TRY(const bool has_calls, has_table("calls"));
    if (!has_calls) return {};
    return each("SELECT site, file, line FROM calls ORDER BY rowid", [&](const Row& row) -> Result<void> {
      constexpr size_t kMostCalls = 256;
      if (row.count(0) >= trace_.sites.size() || row.number(2) < 0 || row.number(2) > kMostLines)
        return damaged(fmt::format("a call of site {} fits no site", row.number(0)));
      std::vector<Location>& calls = trace_.sites[static_cast<size_t>(row.count(0))].called_from;
      if (calls.size() >= kMostCalls) return damaged("at most 256 calls that lead to a site were expected");
      calls.push_back({row.text(1), static_cast<int>(row.number(2))});
      return {};
    });
  }

  Result<void> read_hazards() {
    TRY_VOID(each("SELECT kind, file, line, ptx_line, message, block, thread, lanes, is_note FROM hazards",
                  [&](const Row& row) -> Result<void> {
                    trace::Hazard hazard;
                    TRY(hazard.kind, named(row.text(0), trace::HazardKind::WrongImage));
                    hazard.where = {row.text(1), static_cast<int>(row.number(2))};
                    hazard.ptx_line = static_cast<int>(row.number(3));
                    hazard.message = row.text(4);
                    TRY(hazard.block, extent_of(row.text(5)));
                    TRY(hazard.thread, extent_of(row.text(6)));
                    hazard.count = row.count(7);
                    (row.number(8) != 0 ? trace_.notes : trace_.hazards).push_back(std::move(hazard));
                    return {};
                  }));
    return each("SELECT what FROM unchecked", [&](const Row& row) -> Result<void> {
      trace_.unchecked.push_back(row.text(0));
      return {};
    });
  }

  /// The addresses of an access that is not affine, at the end of the block's list.
  static Result<void> read_list(std::string_view bytes, trace::StoredAccess& access,
                                trace::StoredBlock& block) {
    if (bytes.size() != static_cast<size_t>(access.active.count()) * sizeof(uint64_t))
      return damaged(fmt::format("an address for each of {} lanes was expected, {} bytes were found",
                                 access.active.count(), bytes.size()));
    access.affine = false;
    access.base = block.list.size();
    block.list.resize(block.list.size() + bytes.size() / sizeof(uint64_t));
    std::memcpy(block.list.data() + access.base, bytes.data(), bytes.size());
    return {};
  }

  Result<void> read_access(const Row& row) {
    const uint64_t cta = row.count(0), warp = row.count(1), step = row.count(2), site = row.count(3);
    const uint64_t active = row.count(4);
    const uint64_t warps = (volume(trace_.block) + 31) / 32;
    if (cta >= volume(trace_.grid) || warp >= warps || step > 0xffffffffu || site >= trace_.sites.size() ||
        active == 0 || active > 0xffffffffu)
      return damaged(
          fmt::format("an access of block {}, warp {}, step {}, site {}, lanes {:x} fits neither grid, "
                      "block nor sites",
                      cta, warp, step, site, active));
    if (++accesses_ > kMostAccesses)
      return damaged(fmt::format("at most {} accesses were expected", kMostAccesses));
    if (trace_.blocks.empty() || trace_.blocks.back().cta.value != cta) {
      if (!trace_.blocks.empty() && trace_.blocks.back().cta.value > cta)
        return damaged("accesses in rising order of their blocks were expected");
      trace_.blocks.push_back({CtaId{static_cast<uint32_t>(cta)}, {}, {}, {}});
    }
    trace::StoredBlock& block = trace_.blocks.back();
    trace::StoredAccess access;
    access.site = SiteId{static_cast<uint32_t>(site)};
    access.warp = WarpId{static_cast<uint32_t>(warp)};
    access.step = static_cast<uint32_t>(step);
    access.active = LaneMask{static_cast<uint32_t>(active)};
    if (!block.accesses.empty()) {
      const trace::StoredAccess& last = block.accesses.back();
      if (std::pair{last.warp.value, last.step} > std::pair{access.warp.value, access.step})
        return damaged("accesses in rising order of warp and step were expected");
    }
    if (row.is_null(7)) {
      if (row.number(6) < std::numeric_limits<int32_t>::min() ||
          row.number(6) > std::numeric_limits<int32_t>::max())
        return damaged("a stride of 32 bits was expected");
      access.base = row.count(5);
      access.stride = static_cast<int32_t>(row.number(6));
    } else {
      TRY_VOID(read_list(row.blob(7), access, block));
    }
    block.accesses.push_back(access);
    return {};
  }

  Result<void> read_accesses() {
    return each("SELECT cta, warp, step, site, active, base, stride, list FROM accesses ORDER BY rowid",
                [&](const Row& row) { return read_access(row); });
  }

  /// A number of the first row that the query has; 0 where it has none.
  Result<int64_t> number_of(const char* query, int64_t value) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(handle_, query, -1, &prepared, nullptr) != SQLITE_OK)
      return damaged(fmt::format("not a Lanescope trace ({})", sqlite3_errmsg(handle_)));
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
    sqlite3_bind_int64(prepared, 1, value);
    const int status = sqlite3_step(prepared);
    if (status != SQLITE_ROW && status != SQLITE_DONE)
      return damaged(fmt::format("the file is truncated ({})", sqlite3_errmsg(handle_)));
    return status == SQLITE_ROW ? sqlite3_column_int64(prepared, 0) : 0;
  }

  /// The first row of a block, or of one after it, among rows up to `last`.
  Result<int64_t> first_row_of(uint32_t cta, int64_t last) {
    int64_t low = 1, high = last + 1;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      TRY(const int64_t block,
          number_of("SELECT cta FROM accesses WHERE rowid >= ? ORDER BY rowid LIMIT 1", middle));
      if (block < cta)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /// Reads rows in whole blocks, from the first of block `first` on, until their accesses have `most_bytes`,
  /// but at least one block. The value is the block that did not fit.
  Result<std::optional<CtaId>> read_blocks(CtaId first, uint64_t most_bytes, int64_t last_row) {
    TRY(const int64_t first_row, first_row_of(first.value, last_row));
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(handle_,
                           "SELECT cta, warp, step, site, active, base, stride, list FROM accesses WHERE "
                           "rowid >= ? ORDER BY rowid",
                           -1, &prepared, nullptr) != SQLITE_OK)
      return damaged(fmt::format("not a Lanescope trace ({})", sqlite3_errmsg(handle_)));
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
    sqlite3_bind_int64(prepared, 1, first_row);
    const size_t blocks_before = trace_.blocks.size();
    uint64_t bytes = 0;
    int status = SQLITE_ROW;
    while ((status = sqlite3_step(prepared)) == SQLITE_ROW) {
      const Row row(prepared);
      bytes += sizeof(trace::StoredAccess) + row.blob(7).size();
      const size_t blocks = trace_.blocks.size() - blocks_before;
      const bool is_begun = blocks > 0 && trace_.blocks.back().cta.value == row.count(0);
      if (bytes > most_bytes && blocks > (is_begun ? 1 : 0)) {
        // The block that does not fit is left out whole.
        if (is_begun) {
          accesses_ -= trace_.blocks.back().accesses.size();
          trace_.blocks.pop_back();
        }
        if (row.count(0) >= volume(trace_.grid))
          return damaged(fmt::format("block {} is not of the grid", row.count(0)));
        return std::optional(CtaId{static_cast<uint32_t>(row.count(0))});
      }
      TRY_VOID(read_access(row));
    }
    if (status != SQLITE_ROW && status != SQLITE_DONE)
      return damaged(fmt::format("the file is truncated ({})", sqlite3_errmsg(handle_)));
    return std::optional<CtaId>();
  }

  /// The block alone; nothing where it has no accesses.
  Result<void> read_block(CtaId cta, int64_t last_row) {
    TRY_VOID(read_blocks(cta, 1, last_row));
    if (trace_.blocks.empty() || trace_.blocks.back().cta.value <= cta.value) return {};
    accesses_ -= trace_.blocks.back().accesses.size();
    trace_.blocks.pop_back();
    return {};
  }

  /// The wanted blocks; counts the accesses of the others as dropped.
  Result<void> read_part() {
    TRY(const int64_t last, number_of("SELECT max(rowid) FROM accesses WHERE rowid >= ?", 0));
    if (wanted_->most_bytes > 0) {
      TRY(next_, read_blocks(wanted_->first, wanted_->most_bytes, last));
    }
    const bool has_also = !wanted_->also || trace::find_block(trace_, *wanted_->also) != nullptr;
    if (!has_also) TRY_VOID(read_block(*wanted_->also, last));
    const auto rows = static_cast<uint64_t>(std::max<int64_t>(last, 0));
    trace_.dropped += rows > accesses_ ? rows - accesses_ : 0;
    return {};
  }

  sqlite3* handle_;
  const trace::WantedBlocks* wanted_;
  trace::Trace trace_;
  std::optional<CtaId> next_;
  uint64_t accesses_ = 0;
};

Result<trace::TracePart> read_database(sqlite3* handle, const std::string& name,
                                       const trace::WantedBlocks* wanted = nullptr) {
  constexpr int kMostTextBytes = 16 << 20;
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostTextBytes);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  auto part = Reader(handle, wanted).read();
  if (!part) return fail(part.error().kind, part.error().message, Location{name, 0});
  return part;
}

Result<trace::TracePart> read_file(const fs::path& file, const trace::WantedBlocks* wanted) {
  TRY_VOID(refuse_pipe(file));
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, CloseDatabase> database(opened);
  if (status == SQLITE_NOMEM)
    return fail(ErrorKind::Limit, "not enough memory to open the trace", Location{file.string(), 0});
  if (status != SQLITE_OK)
    return fail(ErrorKind::File, "the trace cannot be opened; check its name and that you may read it",
                Location{file.string(), 0});
  return read_database(database.get(), file.string(), wanted);
}

}  // namespace

Result<trace::Trace> read_trace(const fs::path& file) {
  TRY(trace::TracePart part, read_file(file, nullptr));
  return std::move(part.trace);
}

Result<trace::TracePart> read_trace_part(const fs::path& file, const trace::WantedBlocks& wanted) {
  return read_file(file, &wanted);
}

Result<trace::Trace> read_trace_bytes(std::string bytes, const std::string& name) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open(":memory:", &opened);
  const std::unique_ptr<sqlite3, CloseDatabase> database(opened);
  // The database borrows the bytes, which outlive it.
  if (status != SQLITE_OK ||
      sqlite3_deserialize(database.get(), "main", reinterpret_cast<unsigned char*>(bytes.data()),
                          static_cast<sqlite3_int64>(bytes.size()), static_cast<sqlite3_int64>(bytes.size()),
                          SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
    return fail(ErrorKind::Limit, "the trace cannot be opened", Location{name, 0});
  TRY(trace::TracePart part, read_database(database.get(), name));
  return std::move(part.trace);
}

}  // namespace lanescope::exporting
