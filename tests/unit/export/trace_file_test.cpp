#include "export/trace_file.h"

#include "support/temporary_folder.h"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
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

/// 300 blocks of 4 accesses, each with a list of 32 addresses: 256 bytes.
trace::Trace large_trace() {
  trace::Trace trace = small_trace();
  trace.grid = {300, 1, 1};
  trace.block = {32, 1, 1};
  trace.buffers[0].size_bytes = 1 << 20;
  trace.blocks.clear();
  for (uint32_t number = 0; number < 300; ++number) {
    trace::StoredBlock block;
    block.cta = CtaId{number};
    for (uint32_t step = 0; step < 4; ++step) {
      trace::StoredAccess access;
      access.active = kAllLanes;
      access.affine = false;
      access.step = step;
      access.base = block.list.size();
      for (uint64_t lane = 0; lane < 32; ++lane)
        block.list.push_back(trace::global_address(0, 4 * (lane * lane + number)));
      block.accesses.push_back(access);
    }
    trace.blocks.push_back(std::move(block));
  }
  return trace;
}

/// Bytes that this process has read so far, from files and otherwise.
uint64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  uint64_t bytes = 0;
  file >> name >> bytes;
  return name == "rchar:" ? bytes : 0;
}

TEST(TraceFile, one_block_is_read_without_the_others) {
  const tests::TemporaryFolder folder("trace_part");
  const fs::path file = folder / "large.lane";
  const trace::Trace whole = large_trace();
  ASSERT_TRUE(save_trace(whole, file));
  const uint64_t before = bytes_read();
  if (before == 0) GTEST_SKIP() << "this system does not count what a process reads (/proc/self/io)";
  const auto read_part = read_trace_part(file, {.also = CtaId{250}});
  const uint64_t read = bytes_read() - before;
  ASSERT_TRUE(read_part) << describe(read_part.error());
  const trace::Trace* const part = &read_part->trace;
  ASSERT_EQ(part->blocks.size(), 1u);
  EXPECT_EQ(part->blocks[0].cta, CtaId{250});
  EXPECT_EQ(part->blocks[0].list, whole.blocks[250].list);
  EXPECT_EQ(part->blocks[0].accesses.size(), 4u);
  EXPECT_EQ(part->dropped, 4u * 299);
  EXPECT_EQ(part->totals[0].requests, whole.totals[0].requests);
  // 300 x 4 lists of 256 bytes are 300 KB; the search looks at ten pages of 4 KB and those that lead to them.
  EXPECT_GT(fs::file_size(file), 300'000u);
  EXPECT_LT(read, 150'000u);
}

TEST(TraceFile, whole_blocks_are_read_until_the_memory_is_full) {
  const tests::TemporaryFolder folder("trace_part");
  const fs::path file = folder / "large.lane";
  ASSERT_TRUE(save_trace(large_trace(), file));
  const uint64_t of_block = 4 * (sizeof(trace::StoredAccess) + 256);
  const uint64_t five = 5 * of_block + of_block / 2;
  const auto first = read_trace_part(file, {.most_bytes = five, .also = CtaId{5}});
  ASSERT_TRUE(first) << describe(first.error());
  EXPECT_EQ(first->trace.blocks.size(), 6u);
  EXPECT_EQ(first->next, CtaId{5});
  EXPECT_EQ(first->trace.dropped, 4u * 294);
  EXPECT_EQ(read_trace_part(file, {.most_bytes = 1})->trace.blocks.size(), 1u);
  EXPECT_EQ(read_trace_part(file, {})->trace.blocks.size(), 0u);
  const auto all = read_trace_part(file, {.most_bytes = 301 * of_block});
  EXPECT_EQ(all->trace.blocks.size(), 300u);
  EXPECT_EQ(all->trace.dropped, 0u);
  EXPECT_FALSE(all->next);
}

TEST(TraceFile, parts_one_after_the_other_are_the_whole) {
  const tests::TemporaryFolder folder("trace_part");
  const fs::path file = folder / "large.lane";
  const trace::Trace whole = large_trace();
  ASSERT_TRUE(save_trace(whole, file));
  std::vector<uint64_t> addresses, wanted;
  std::optional<CtaId> next = CtaId{};
  int parts = 0;
  while (next) {
    const auto part = read_trace_part(file, {.first = *next, .most_bytes = 50'000});
    ASSERT_TRUE(part) << describe(part.error());
    for (const trace::StoredBlock& block : part->trace.blocks)
      addresses.insert(addresses.end(), block.list.begin(), block.list.end());
    next = part->next;
    ASSERT_LT(++parts, 100);
  }
  for (const trace::StoredBlock& block : whole.blocks)
    wanted.insert(wanted.end(), block.list.begin(), block.list.end());
  EXPECT_EQ(addresses, wanted);
  EXPECT_GT(parts, 5);
}

TEST(TraceFile, a_block_that_was_not_stored_is_not_read) {
  const tests::TemporaryFolder folder("trace_part");
  trace::Trace some = large_trace();
  some.blocks.erase(some.blocks.begin() + 7);
  ASSERT_TRUE(save_trace(some, folder / "some.lane"));
  for (const uint32_t block : {7u, 299u, 5000u}) {
    const auto part = read_trace_part(folder / "some.lane", {.also = CtaId{block}});
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(part->trace.blocks.size(), block == 299 ? 1u : 0u) << block;
  }
}

TEST(TraceFile, holds_totals_and_every_stored_access) {
  const fs::path file =
      fs::temp_directory_path() / ("lanescope_trace_file." + std::to_string(getpid()) + ".lane");
  ASSERT_TRUE(save_trace(small_trace(), file));
  EXPECT_EQ(number(file, "PRAGMA user_version"), kTraceFileVersion);
  EXPECT_EQ(number(file, "SELECT requests FROM sites"), 2);
  EXPECT_EQ(number(file, "SELECT value FROM trace WHERE key = 'is_complete'"), 1);
  EXPECT_EQ(number(file, "SELECT COUNT(*) FROM accesses WHERE cta = 7"), 2);
  EXPECT_EQ(number(file, "SELECT base & 0xffffffffff FROM accesses WHERE step = 0"), 64);
  EXPECT_EQ(number(file, "SELECT length(list) FROM accesses WHERE step = 1"), 16);
  EXPECT_TRUE(save_trace(small_trace(), file)) << "an old file is replaced";
  EXPECT_EQ(number(file, "SELECT COUNT(*) FROM accesses"), 2);
  fs::remove(file);
}

TEST(TraceFile, a_missing_folder_is_an_error_and_leaves_nothing) {
  const auto saved = save_trace(small_trace(), "/nowhere/x.lane");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, ErrorKind::File);
  EXPECT_NE(saved.error().message.find("'/nowhere/x.lane' cannot be written"), std::string::npos)
      << saved.error().message;
}

TEST(TraceFile, a_device_is_written_and_not_replaced) {
  ASSERT_TRUE(save_trace(small_trace(), "/dev/null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(TraceFile, a_link_is_followed_and_the_old_files_mode_stays) {
  const tests::TemporaryFolder folder("trace-file");
  std::ofstream(folder.path() / "real.lane") << "old";
  fs::permissions(folder.path() / "real.lane", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.lane", folder.path() / "link.lane");
  ASSERT_TRUE(save_trace(small_trace(), folder.path() / "link.lane"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link.lane"));
  EXPECT_EQ(fs::status(folder.path() / "real.lane").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(number(folder.path() / "real.lane", "SELECT requests FROM sites"), 2);
}

/// Every field of a file, with no value at its default.
trace::Trace full_trace() {
  trace::Trace trace = small_trace();
  trace.provenance = Provenance::Measured;
  trace.level = trace::CountLevel::MachineCode;
  trace.grid = {4, 2, 1};
  trace.block = {32, 2, 1};
  trace.shared_bytes = 4096;
  trace.buffers = {{"in", 256, 4, 8}, {"out", 512, 8, 0}};
  trace.sites[0].operation = {trace::Space::Shared, trace::Kind::Atomic, 8, trace::Detail::CompareAndSwap};
  trace.sites[0].source = {"a.cu", 12};
  trace.sites[0].source_text = "atomicCAS(...)";
  trace.sites[0].ptx_line = 40;
  trace.totals[0] = {1, 2, 3, 4, 5, 6, 7, 8};
  trace.dropped = 9;
  trace::Hazard hazard;
  hazard.kind = trace::HazardKind::Race;
  hazard.where = {"a.cu", 13};
  hazard.ptx_line = 41;
  hazard.message = "two threads write one element";
  hazard.block = {1, 1, 0};
  hazard.thread = {5, 1, 0};
  hazard.count = 3;
  trace.hazards = {hazard};
  hazard.message = "the same value";
  trace.notes = {hazard, hazard};
  trace.unchecked = {"local memory"};
  trace.output = {"hello\n", true};
  trace.warp_instructions = 10;
  trace.lane_instructions = 320;
  trace.registers_per_thread = 24;
  trace.operations = {1, 2, 3, 4, 5, 6};
  trace.sites[0].called_from = {{"b.h", 3}, {"a.cu", 20}};
  trace.sites[0].cache_use = {
      .level1 = CacheUse::Level1::EvictFirst, .leaves_l2_first = true, .fetched_bytes = 128};
  trace.sites[0].wait = {
      .block = 2, .step = 7, .fills_register = true, .is_used = true, .spans_rounds = true, .needs = {0}};
  return trace;
}

TEST(ReadTrace, gives_back_what_was_saved) {
  const trace::Trace saved = full_trace();
  const auto bytes = trace_bytes(saved);
  ASSERT_TRUE(bytes);
  const auto read = read_trace_bytes(*bytes, "x.lane");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->kernel, "f");
  EXPECT_EQ(read->provenance, Provenance::Measured);
  EXPECT_EQ(read->level, trace::CountLevel::MachineCode);
  EXPECT_EQ(read->grid, saved.grid);
  EXPECT_EQ(read->block, saved.block);
  EXPECT_EQ(read->shared_bytes, 4096u);
  ASSERT_EQ(read->buffers.size(), 2u);
  EXPECT_EQ(read->buffers[0].row_elements, 8u);
  EXPECT_EQ(read->buffers[1].name, "out");
  ASSERT_EQ(read->sites.size(), 1u);
  EXPECT_EQ(read->sites[0].operation, saved.sites[0].operation);
  EXPECT_EQ(read->sites[0].source, saved.sites[0].source);
  EXPECT_EQ(read->sites[0].source_text, "atomicCAS(...)");
  EXPECT_EQ(read->sites[0].cache_use, saved.sites[0].cache_use);
  EXPECT_EQ(read->sites[0].wait, saved.sites[0].wait);
  EXPECT_EQ(read->sites[0].ptx_text, saved.sites[0].ptx_text);
  EXPECT_EQ(read->totals, saved.totals);
  EXPECT_EQ(read->dropped, 9u);
  ASSERT_EQ(read->hazards.size(), 1u);
  EXPECT_EQ(read->hazards[0].kind, trace::HazardKind::Race);
  EXPECT_EQ(read->hazards[0].message, "two threads write one element");
  EXPECT_EQ(read->hazards[0].thread, (Dim3{5, 1, 0}));
  EXPECT_EQ(read->hazards[0].count, 3u);
  EXPECT_EQ(read->notes.size(), 2u);
  EXPECT_EQ(read->unchecked, saved.unchecked);
  EXPECT_EQ(read->output.text, "hello\n");
  EXPECT_TRUE(read->output.is_cut);
  EXPECT_EQ(read->lane_instructions, 320u);
  EXPECT_EQ(read->registers_per_thread, 24u);
  EXPECT_EQ(read->operations, saved.operations);
  EXPECT_EQ(read->sites[0].called_from, saved.sites[0].called_from);
  ASSERT_EQ(read->blocks.size(), 1u);
  const trace::StoredBlock& block = read->blocks[0];
  EXPECT_EQ(block.cta, CtaId{7});
  ASSERT_EQ(block.accesses.size(), 2u);
  EXPECT_EQ(block.accesses[0].base, trace::global_address(0, 64));
  EXPECT_EQ(block.accesses[0].stride, 4);
  const trace::WarpAccess listed = view(*read, block, block.accesses[1]);
  EXPECT_EQ(listed.addresses.at(1, 2), trace::global_address(0, 12));
}

TEST(ReadTrace, says_why_a_file_is_not_a_trace) {
  const auto nothing = read_trace("/nowhere/x.lane");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::File);
  const auto text = read_trace_bytes(std::string(200, 'x'), "x.lane");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::Syntax);
  EXPECT_EQ(text.error().where->file, "x.lane");
}

/// The error of reading after `sql` changed a good file.
std::string after(const std::string& sql) {
  const fs::path file =
      fs::temp_directory_path() / ("lanescope_damaged_trace." + std::to_string(getpid()) + ".lane");
  EXPECT_TRUE(save_trace(full_trace(), file));
  sqlite3* database = nullptr;
  sqlite3_open(file.c_str(), &database);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  sqlite3_close(database);
  const auto read = read_trace(file);
  fs::remove(file);
  return read ? "" : read.error().message;
}

TEST(ReadTrace, checks_every_number) {
  using ::testing::HasSubstr;
  EXPECT_EQ(after("SELECT 1"), "");
  EXPECT_THAT(after("PRAGMA user_version = 1"), HasSubstr("format 2 was expected, the file has format 1"));
  EXPECT_THAT(after("UPDATE accesses SET cta = 8"), HasSubstr("an access of block 8"));
  EXPECT_THAT(after("UPDATE accesses SET warp = 2"), HasSubstr("warp 2"));
  EXPECT_THAT(after("UPDATE accesses SET site = 1"), HasSubstr("site 1"));
  EXPECT_THAT(after("UPDATE accesses SET active = 0"), HasSubstr("lanes 0"));
  EXPECT_THAT(after("UPDATE accesses SET active = 7 WHERE step = 1"), HasSubstr("each of 3 lanes"));
  EXPECT_THAT(after("UPDATE accesses SET step = 2 WHERE step = 0"),
              HasSubstr("rising order of warp and step"));
  EXPECT_THAT(after("UPDATE accesses SET stride = 5000000000 WHERE step = 0"), HasSubstr("32 bits"));
  EXPECT_THAT(after("UPDATE sites SET number = 4"), HasSubstr("site 0 was expected, site 4"));
  EXPECT_THAT(after("INSERT INTO cache_uses VALUES (1, 'bypass', 0, 0)"), HasSubstr("site 1 fits no site"));
  EXPECT_THAT(after("INSERT INTO cache_uses VALUES (0, 'drum', 0, 0)"), HasSubstr("'drum'"));
  EXPECT_THAT(after("INSERT INTO cache_uses VALUES (0, 'bypass', 257, 0)"), HasSubstr("not 257"));
  EXPECT_THAT(after("INSERT INTO waits VALUES (-1, 0, 0, 1, 1, 0)"), HasSubstr("a wait of site -1"));
  EXPECT_THAT(after("INSERT INTO waits VALUES (0, 0, -7, 1, 1, 0)"), HasSubstr("no place of a program"));
  EXPECT_THAT(after("INSERT INTO needs VALUES (0, 1)"), HasSubstr("needs no site"));
  EXPECT_THAT(after("UPDATE sites SET space = 'drum'"), HasSubstr("'drum'"));
  EXPECT_THAT(after("UPDATE sites SET bytes_per_lane = 33"), HasSubstr("33 were found"));
  EXPECT_THAT(after("UPDATE trace SET value = '0,1,1' WHERE key = 'block'"), HasSubstr("limits of a GPU"));
  EXPECT_THAT(after("UPDATE trace SET value = '9' WHERE key = 'grid'"), HasSubstr("X,Y,Z was expected"));
  EXPECT_THAT(after("DROP TABLE accesses"), HasSubstr("not a Lanescope trace"));
  EXPECT_THAT(after("DROP TABLE accesses; CREATE VIEW accesses AS SELECT 1"), HasSubstr("only tables"));
}

TEST(ReadTrace, survives_every_damage) {
  const std::string whole = trace_bytes(full_trace()).value();
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(seed);
    std::string damaged = whole;
    if (i % 5 == 0) damaged.resize(random() % damaged.size());
    for (unsigned flips = random() % 8; flips > 0 && !damaged.empty(); --flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    [[maybe_unused]] const auto read = read_trace_bytes(damaged, "x.lane");
  }
}

}  // namespace
}  // namespace lanescope::exporting
