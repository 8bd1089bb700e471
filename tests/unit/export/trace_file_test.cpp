#include "export/trace_file.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

namespace lanescope::exporting {
namespace {

namespace fs = std::filesystem;

/// One site, one block with an affine access and a listed one.
trace::Trace small_trace() {
  trace::Trace trace;
  trace.kernel = "f";
  trace.buffers = {{"in", 256, 4, 0}};
  trace.sites.resize(1);
  trace.sites[0].ptx_text = "ld.global.f32 %f1, [%rd1]";
  trace.totals.resize(1);
  trace.totals[0].requests = 2;
  trace::StoredBlock block;
  block.cta = CtaId{7};
  block.accesses.resize(2);
  block.accesses[0].active = kAllLanes;
  block.accesses[0].base = trace::global_address(0, 64);
  block.accesses[0].stride = 4;
  block.accesses[1].active = LaneMask{0b101};
  block.accesses[1].affine = false;
  block.accesses[1].step = 1;
  block.list = {trace::global_address(0, 0), trace::global_address(0, 12)};
  trace.blocks.push_back(block);
  return trace;
}

int64_t number(const fs::path& file, const char* query) {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  sqlite3_open(file.c_str(), &database);
  sqlite3_prepare_v2(database, query, -1, &statement, nullptr);
  const int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return value;
}

TEST(TraceFile, holds_totals_and_every_kept_access) {
  const fs::path file =
      fs::temp_directory_path() / ("lanescope_trace_file." + std::to_string(getpid()) + ".lane");
  ASSERT_TRUE(save_trace(small_trace(), file));
  EXPECT_EQ(number(file, "PRAGMA user_version"), kTraceFileVersion);
  EXPECT_EQ(number(file, "SELECT requests FROM sites"), 2);
  EXPECT_EQ(number(file, "SELECT COUNT(*) FROM accesses WHERE cta = 7"), 2);
  EXPECT_EQ(number(file, "SELECT base & 0xffffffffff FROM accesses WHERE step = 0"), 64);
  EXPECT_EQ(number(file, "SELECT length(list) FROM accesses WHERE step = 1"), 16);
  EXPECT_TRUE(save_trace(small_trace(), file)) << "an old file is replaced";
  EXPECT_EQ(number(file, "SELECT COUNT(*) FROM accesses"), 2);
  fs::remove(file);
}

TEST(TraceFile, a_folder_that_is_not_there_is_an_error_and_leaves_nothing) {
  const auto saved = save_trace(small_trace(), "/nowhere/x.lane");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, ErrorKind::File);
  EXPECT_EQ(saved.error().where->file, "/nowhere/x.lane");
}

}  // namespace
}  // namespace lanescope::exporting
