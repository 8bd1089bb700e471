#include "export/trace_file.h"

#include "base/file.h"

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <sqlite3.h>

namespace lanescope::exporting {
namespace {

const char* const kSchema = R"(
CREATE TABLE trace (key TEXT PRIMARY KEY, value);
CREATE TABLE buffers (number INTEGER PRIMARY KEY, name TEXT, size_bytes INTEGER, element_bytes INTEGER,
                      row_elements INTEGER);
CREATE TABLE sites (number INTEGER PRIMARY KEY, space TEXT, kind TEXT, bytes_per_lane INTEGER, detail TEXT,
                    file TEXT, line INTEGER, text TEXT, ptx_line INTEGER, ptx TEXT, requests INTEGER, lanes INTEGER, bytes INTEGER,
                    sectors INTEGER, ideal_sectors INTEGER, lines INTEGER, wavefronts INTEGER,
                    ideal_wavefronts INTEGER);
CREATE TABLE calls (site INTEGER, file TEXT, line INTEGER);
CREATE TABLE cache_uses (site INTEGER, level1 TEXT, fetched_bytes INTEGER, leaves_l2_first INTEGER);
CREATE TABLE waits (site INTEGER, block INTEGER, step INTEGER, fills_register INTEGER, is_used INTEGER,
                    spans_rounds INTEGER);
CREATE TABLE needs (site INTEGER, needed INTEGER);
CREATE TABLE hazards (kind TEXT, file TEXT, line INTEGER, ptx_line INTEGER, message TEXT, block TEXT, thread TEXT,
                      lanes INTEGER, is_note INTEGER);
CREATE TABLE unchecked (what TEXT);
CREATE TABLE accesses (cta INTEGER, warp INTEGER, step INTEGER, site INTEGER, active INTEGER, base INTEGER,
                       stride INTEGER, list BLOB);
)";

/// A database in memory and its first failure; statements after a failure do nothing.
class Database {
 public:
  Database() {
    if (sqlite3_open(":memory:", &handle_) != SQLITE_OK) note();
  }
  /// The database as the bytes of its file.
  std::string bytes() const {
    sqlite3_int64 size = 0;
    unsigned char* const copy = sqlite3_serialize(handle_, "main", &size, 0);
    std::string result;
    if (copy != nullptr) result.assign(reinterpret_cast<const char*>(copy), static_cast<size_t>(size));
    sqlite3_free(copy);
    return result;
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close(handle_); }

  const std::string& failure() const { return failure_; }

  void run(const std::string& sql) {
    if (failure_.empty() && sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      note();
  }

  /// Prepares `sql` for many rows; insert() binds one row's values in order.
  void prepare(const char* sql) {
    statement_ = nullptr;
    if (!failure_.empty()) return;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr) != SQLITE_OK) note();
    statement_.reset(statement);
  }

  template <class... Values>
  void insert(const Values&... values) {
    if (!failure_.empty()) return;
    int column = 0;
    (bind(++column, values), ...);
    if (sqlite3_step(statement_.get()) != SQLITE_DONE) note();
    sqlite3_reset(statement_.get());
  }

  void finish() { statement_ = nullptr; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  void bind(int column, std::string_view text) {
    sqlite3_bind_text(statement_.get(), column, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int column, std::span<const uint64_t> list) {
    if (list.empty())
      sqlite3_bind_null(statement_.get(), column);
    else
      sqlite3_bind_blob(statement_.get(), column, list.data(), static_cast<int>(list.size_bytes()),
                        SQLITE_TRANSIENT);
  }
  template <class Number>
    requires std::is_integral_v<Number>
  void bind(int column, Number number) {
    sqlite3_bind_int64(statement_.get(), column, static_cast<sqlite3_int64>(number));
  }

  void note() {
    if (failure_.empty()) failure_ = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
  }

  sqlite3* handle_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string failure_;
};

std::string stored_extent(Dim3 value) { return fmt::format("{},{},{}", value.x, value.y, value.z); }

void write_header(Database& database, const trace::Trace& trace) {
  database.prepare("INSERT INTO trace VALUES (?, ?)");
  database.insert("lanescope", LANESCOPE_VERSION);
  database.insert("kernel", trace.kernel);
  database.insert("provenance", name_of(trace.provenance));
  database.insert("grid", stored_extent(trace.grid));
  database.insert("block", stored_extent(trace.block));
  database.insert("level", name_of(trace.level));
  database.insert("shared_bytes", trace.shared_bytes);
  database.insert("dropped", trace.dropped);
  database.insert("warp_instructions", trace.warp_instructions);
  database.insert("lane_instructions", trace.lane_instructions);
  database.insert("is_complete", trace.is_complete ? 1 : 0);
  database.insert("registers_per_thread", trace.registers_per_thread);
  database.insert("fp16", trace.operations.fp16);
  database.insert("fp32", trace.operations.fp32);
  database.insert("fp64", trace.operations.fp64);
  database.insert("integer", trace.operations.integer);
  database.insert("tensor", trace.operations.tensor);
  database.insert("tensor8", trace.operations.tensor8);
  database.insert("output", trace.output.text);
  database.insert("output_is_cut", trace.output.is_cut ? 1 : 0);
  database.prepare("INSERT INTO buffers VALUES (?, ?, ?, ?, ?)");
  for (size_t i = 0; i < trace.buffers.size(); ++i) {
    const trace::BufferInfo& buffer = trace.buffers[i];
    database.insert(i, buffer.name, buffer.size_bytes, buffer.element_bytes, buffer.row_elements);
  }
}

void write_sites(Database& database, const trace::Trace& trace) {
  database.prepare("INSERT INTO sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const trace::Site& site : trace.sites) {
    // A trace header from before the run has no totals yet.
    const trace::Totals totals =
        site.id.value < trace.totals.size() ? trace.totals[site.id.value] : trace::Totals();
    database.insert(site.id.value, name_of(site.operation.space), name_of(site.operation.kind),
                    site.operation.bytes_per_lane, name_of(site.operation.detail), site.source.file,
                    site.source.line, site.source_text, site.ptx_line, site.ptx_text, totals.requests,
                    totals.lanes, totals.bytes, totals.sectors, totals.ideal_sectors, totals.lines,
                    totals.wavefronts, totals.ideal_wavefronts);
  }
}

/// The calls that lead to inlined sites, innermost first.
void write_calls(Database& database, const trace::Trace& trace) {
  database.prepare("INSERT INTO calls VALUES (?, ?, ?)");
  for (const trace::Site& site : trace.sites)
    for (const Location& call : site.called_from) database.insert(site.id.value, call.file, call.line);
}

/// How sites use the caches, where not as others do, and what warps wait for at them.
void write_cache_uses(Database& database, const trace::Trace& trace) {
  database.prepare("INSERT INTO cache_uses VALUES (?, ?, ?, ?)");
  for (const trace::Site& site : trace.sites)
    if (site.cache_use != CacheUse{})
      database.insert(site.id.value, name_of(site.cache_use.level1), site.cache_use.fetched_bytes,
                      site.cache_use.leaves_l2_first ? 1 : 0);
  database.prepare("INSERT INTO waits VALUES (?, ?, ?, ?, ?, ?)");
  for (const trace::Site& site : trace.sites)
    if (site.wait != LoadWait{})
      database.insert(site.id.value, site.wait.block, site.wait.step, site.wait.fills_register ? 1 : 0,
                      site.wait.is_used ? 1 : 0, site.wait.spans_rounds ? 1 : 0);
  database.prepare("INSERT INTO needs VALUES (?, ?)");
  for (const trace::Site& site : trace.sites)
    for (const uint16_t needed : site.wait.needs) database.insert(site.id.value, needed);
}

void write_hazards(Database& database, const trace::Trace& trace) {
  database.prepare("INSERT INTO hazards VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const auto insert = [&](const trace::Hazard& hazard, int is_note) {
    database.insert(name_of(hazard.kind), hazard.where.file, hazard.where.line, hazard.ptx_line,
                    hazard.message, stored_extent(hazard.block), stored_extent(hazard.thread), hazard.count,
                    is_note);
  };
  for (const trace::Hazard& hazard : trace.hazards) insert(hazard, 0);
  for (const trace::Hazard& note : trace.notes) insert(note, 1);
  database.prepare("INSERT INTO unchecked VALUES (?)");
  for (const std::string& what : trace.unchecked) database.insert(what);
}

void write_accesses(Database& database, const trace::Trace& trace) {
  database.prepare("INSERT INTO accesses VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const trace::StoredBlock& block : trace.blocks)
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::WarpAccess access = trace::view(trace, block, stored);
      std::span<const uint64_t> list;
      if (!access.addresses.affine())
        list = {access.addresses.list, static_cast<size_t>(access.active.count())};
      database.insert(block.cta.value, stored.warp.value, stored.step, stored.site.value, stored.active.bits,
                      access.addresses.affine() ? access.addresses.base : 0, access.addresses.stride, list);
    }
}

/// Writes everything into a new database, which is discarded on any failure: no journal is needed.
void write_all(Database& database, const trace::Trace& trace) {
  database.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;");
  database.run(kSchema);
  database.run(fmt::format("PRAGMA user_version = {};", kTraceFileVersion));
  write_header(database, trace);
  write_sites(database, trace);
  write_calls(database, trace);
  write_cache_uses(database, trace);
  write_hazards(database, trace);
  write_accesses(database, trace);
  database.finish();
  database.run("COMMIT;");
}

}  // namespace

Result<std::string> trace_bytes(const trace::Trace& trace) {
  Database database;
  write_all(database, trace);
  if (!database.failure().empty())
    return fail(ErrorKind::Limit, fmt::format("the trace cannot be serialized: {}", database.failure()));
  return database.bytes();
}

Result<void> save_trace(const trace::Trace& trace, const std::filesystem::path& file) {
  TRY(const std::string bytes, trace_bytes(trace));
  return write_file(file, bytes);
}

}  // namespace lanescope::exporting
