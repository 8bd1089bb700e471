// Uninitialized memory of programs: its pattern, and reads of it in a checked run.

#include "emulator/memory/fresh_memory.h"

#include "emulator/run.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "trace/access.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

constexpr uint32_t kKey = 12;

TEST(FreshMemory, a_word_of_the_pattern_is_no_number_and_depends_on_its_place) {
  for (uint64_t word = 0; word < 1000; ++word) {
    const uint32_t bits = fresh_word(kKey, word);
    EXPECT_TRUE(looks_fresh(bits));
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(bits)));
    EXPECT_TRUE(std::isnan(std::bit_cast<double>(uint64_t{bits} << 32 | fresh_word(kKey, word + 1))));
    EXPECT_NE(bits, fresh_word(kKey, word + 1));
    EXPECT_NE(bits, fresh_word(kKey + 2, word));
  }
  // NaNs of computations, the largest integer, small negative ones.
  for (const uint32_t common : {0x7fffffffu, 0x7fc00000u, 0x7ff80000u, 0xfff80000u, 0u, ~0u})
    EXPECT_FALSE(looks_fresh(common)) << common;
}

TEST(FreshMemory, what_was_written_or_copied_there_counts_as_written) {
  std::vector<std::byte> bytes(64);
  const Region region{bytes.data(), bytes.size()};
  write_pattern(region, kKey, 0, bytes.size());
  EXPECT_TRUE(is_fresh(region, kKey, 0, 4));
  EXPECT_TRUE(is_fresh(region, kKey, 48, 16));
  EXPECT_TRUE(is_fresh(region, kKey, 7, 1));
  std::memcpy(bytes.data() + 32, bytes.data(), 16);
  EXPECT_FALSE(is_fresh(region, kKey, 32, 4));
  bytes[5] ^= std::byte{1};
  EXPECT_FALSE(is_fresh(region, kKey, 7, 1)) << "bytes of one word are written together";
  EXPECT_FALSE(is_fresh(region, kKey, 0, 8)) << "some of it is written";
  EXPECT_TRUE(is_fresh(region, kKey, 0, 4));
}

TEST(FreshMemory, the_last_bytes_of_an_odd_size_count_as_written) {
  std::vector<std::byte> bytes(12);
  const Region region{bytes.data(), 10};
  write_pattern(region, kKey, 0, 8);
  EXPECT_TRUE(is_fresh(region, kKey, 4, 4));
  EXPECT_FALSE(is_fresh(region, kKey, 8, 2));
}

TEST(FreshMemory, in_a_large_buffer_one_word_alone_may_be_chance) {
  std::vector<std::byte> bytes(size_t{1} << 20);
  const Region region{bytes.data(), bytes.size()};
  const uint32_t word = fresh_word(kKey, 100);
  std::memcpy(bytes.data() + 400, &word, sizeof word);
  EXPECT_FALSE(is_fresh(region, kKey, 400, 4));
  const uint32_t next = fresh_word(kKey, 101);
  std::memcpy(bytes.data() + 404, &next, sizeof next);
  EXPECT_TRUE(is_fresh(region, kKey, 400, 4));
  EXPECT_TRUE(is_fresh(region, kKey, 404, 4));
}

/// out[i] = in[i] + 1, of all threads of a grid; BODY is between the addresses and the return.
class FreshRun : public testing::Test {
 protected:
  static constexpr uint32_t kWords = 256;

  FreshRun() : in_(kWords), out_(kWords), pages_(1) {
    place_.buffers = {region(in_), region(out_)};
    write_pattern(place_.buffers[0], kKey, 0, kWords * 4);
    write_pattern(place_.buffers[1], kKey + 2, 0, kWords * 4);
    place_.fresh = {{.key = kKey}, {.key = kKey + 2}};
  }
  static Region region(std::vector<uint32_t>& words) {
    return {reinterpret_cast<std::byte*>(words.data()), words.size() * sizeof(uint32_t)};
  }
  std::vector<trace::Hazard> run(const std::string& body, Dim3 grid = {2, 1, 1}, Dim3 block = {64, 1, 1}) {
    return trace_of(body, grid, block).hazards;
  }
  trace::Trace trace_of(const std::string& body, Dim3 grid, Dim3 block) {
    const std::string text = fmt::format(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) "
        "{{\n"
        ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>;\n"
        "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
        "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n{}\nret;\n}}\n",
        body);
    const auto module = ptx::parse(text, "test.ptx");
    EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
    const auto program = ptx::lower(*module, "k");
    EXPECT_TRUE(program) << (program ? "" : describe(program.error()));
    launch::Launch launch;
    launch.grid = grid;
    launch.block = block;
    for (uint32_t n = 0; n < 2; ++n) {
      launch.buffers.push_back({.name = n == 0 ? "in" : "out", .shape = {0}, .initial = {}});
      if (own_contents_) {
        const Region& from = place_.buffers[n];
        launch.buffers[n].shape = {kWords};
        launch.buffers[n].initial =
            std::make_shared<const launch::Bytes>(from.data, from.data + from.size_bytes);
        launch.buffers[n].pattern_key = place_.fresh[n].key;
      }
      const uint64_t address = trace::global_address(n, 0);
      std::vector<std::byte> bytes(sizeof address);
      std::memcpy(bytes.data(), &address, sizeof address);
      launch.arguments.emplace_back(launch::Value{.bytes = bytes});
    }
    Options options;
    options.threads = 1;
    if (!own_contents_) options.in_place = &place_;
    options.checks = Checks::All;
    const auto recording =
        record(*program, launch, [](const trace::WarpAccess&) { return trace::Cost{}; }, {}, options);
    EXPECT_TRUE(recording) << (recording ? "" : describe(recording.error()));
    return recording ? recording->trace : trace::Trace{};
  }

  std::vector<uint32_t> in_, out_;
  std::vector<std::atomic<uint8_t>> pages_;
  MemoryInPlace place_;
  bool own_contents_ = false;  // of the launch, in place of memory in place
};

constexpr const char* kAddOne = "ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2], %r4;";

TEST_F(FreshRun, a_read_of_uninitialized_memory_is_found_once) {
  const auto hazards = run(kAddOne);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(hazards[0].message,
            "reads 4 bytes at offset 0 of 'in', which are uninitialized: nothing has written them since they "
            "were allocated; copy or fill them, or write them in a kernel first");
}

TEST_F(FreshRun, it_is_a_note_in_a_program_that_has_put_nothing_on_the_device) {
  place_.has_inputs = false;
  const trace::Trace trace = trace_of(kAddOne, {2, 1, 1}, {64, 1, 1});
  EXPECT_TRUE(trace.hazards.empty());
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].message.find("put no data on the device"), std::string::npos)
      << trace.notes[0].message;
}

TEST_F(FreshRun, the_first_word_that_was_left_out_is_named) {
  for (uint32_t n = 0; n < 100; ++n) in_[n] = n;
  const auto hazards = run(kAddOne);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_NE(hazards[0].message.find("at offset 400 of 'in'"), std::string::npos) << hazards[0].message;
}

TEST_F(FreshRun, nothing_is_found_where_all_was_written) {
  for (uint32_t n = 0; n < kWords; ++n) in_[n] = n;
  EXPECT_TRUE(run(kAddOne).empty());
  EXPECT_EQ(out_[77], 78u);
  EXPECT_TRUE(run("ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;").empty())
      << "by the kernel before";
}

TEST_F(FreshRun, what_the_kernel_itself_has_written_may_be_read) {
  EXPECT_TRUE(
      run("st.global.u32 [%rd2], %r1; ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd1], %r4;").empty());
}

TEST_F(FreshRun, a_read_of_which_a_part_was_written_is_no_finding) {
  for (uint32_t n = 0; n < kWords; n += 2) in_[n] = n;  // structs of which the second half is padding
  EXPECT_TRUE(run("add.u64 %rd1, %rd1, %rd3; ld.global.v2.u32 {%r4, %r5}, [%rd1]; st.global.u32 [%rd2], %r4;",
                  {2, 1, 1}, {32, 1, 1})
                  .empty());
}

TEST_F(FreshRun, an_atomic_on_it_is_found_and_a_store_is_not) {
  const auto hazards = run("ld.param.u64 %rd1, [in]; atom.global.add.u32 %r4, [%rd1], 1;");
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, trace::HazardKind::Uninitialized);
  EXPECT_TRUE(run("st.global.u32 [%rd2], %r1;").empty());
}

TEST_F(FreshRun, parts_of_a_launch_s_own_contents_may_be_uninitialized) {
  own_contents_ = true;
  for (uint32_t n = 0; n < 100; ++n) in_[n] = n;
  const auto hazards = run(kAddOne);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(hazards[0].thread, (Dim3{36, 0, 0})) << "element 100 is read by thread 36 of block 1";
  for (uint32_t& word : in_) word = 0;
  EXPECT_TRUE(run(kAddOne).empty());
}

TEST_F(FreshRun, a_page_gets_its_pattern_when_it_is_first_read) {
  std::vector<uint32_t> asked;
  for (uint32_t& word : in_) word = 0;
  place_.fresh[0].pages = pages_.data();
  place_.give_pattern = [&](uint32_t buffer, uint64_t page) {
    asked.push_back(buffer);
    EXPECT_EQ(page, 0u);
    write_pattern(place_.buffers[0], kKey, 0, kWords * 4);
    pages_[0] = 1;
  };
  EXPECT_EQ(run(kAddOne).size(), 1u);
  EXPECT_EQ(asked, std::vector<uint32_t>{0});
}

}  // namespace
}  // namespace lanescope::emulator
