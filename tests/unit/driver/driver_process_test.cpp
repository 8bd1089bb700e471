// A program's requests: memory, modules, kernels and launches as a process sees them, and wrong ones.

#include "driver/server/driver_process.h"

#include "driver/server/launch_table.h"
#include "trace/access.h"
#include "unit/driver/process_fixture.h"

#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// out[i] = table[i % 4] + count++ of the block's first thread, with a shift of `offset` elements.
constexpr const char* kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 launches = 5;
.const .align 4 .u32 table[4] = {10, 20, 30, 40};
.visible .entry fill(.param .u64 out, .param .u32 offset) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [offset];
  mov.u32 %r2, %tid.x;
  and.b32 %r3, %r2, 3;
  mul.wide.u32 %rd2, %r3, 4;
  mov.u64 %rd3, table;
  add.s64 %rd3, %rd3, %rd2;
  ld.const.u32 %r4, [%rd3];
  ld.global.u32 %r5, [launches];
  add.u32 %r4, %r4, %r5;
  add.u32 %r6, %r2, %r1;
  mul.wide.u32 %rd4, %r6, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5], %r4;
  bar.sync 0;
  setp.ne.u32 %p, %r2, 0;
  @%p bra done;
  add.u32 %r5, %r5, 1;
  st.global.u32 [launches], %r5;
done:
  ret;
}
)";

class Process : public ProcessFixture {
 protected:
  uint64_t load() { return ask(kLanescopeLoadModule, 0, 0, kPtx).reply.r[0]; }
  uint64_t function(uint64_t module) { return ask(kLanescopeGetFunction, module, 0, "fill").reply.r[0]; }
  Answer launch(uint64_t function, uint64_t out, uint32_t offset, uint32_t threads = 32,
                uint32_t blocks = 1) {
    return ask_to_launch(function, shape_of(blocks, threads), out, offset);
  }
};

TEST_F(Process, greets_with_its_device) {
  const Answer answer = ask(kLanescopeHello, kLanescopeProtocol, 17);
  EXPECT_EQ(answer.reply.result, 0);
  EXPECT_EQ(answer.reply.r[0], 80u);
  LanescopeDevice device;
  ASSERT_EQ(answer.payload.size(), sizeof device);
  std::memcpy(&device, answer.payload.data(), sizeof device);
  EXPECT_STREQ(device.name, "Lanescope emulator (sm_80)");
  EXPECT_EQ(device.attribute[75], 8);
  EXPECT_EQ(device.attribute[16], 108);     // multiprocessors of an A100
  EXPECT_EQ(device.attribute[22], 131072);  // texels of a row of a texture of two dimensions
  EXPECT_EQ(device.attribute[30], 512);     // alignment of a surface
  EXPECT_NE(ask(kLanescopeHello, kLanescopeProtocol + 1).reply.result, 0);
}

TEST_F(Process, wants_to_know_of_copies_where_launches_find_an_l2) {
  const auto wants = [&] {
    LanescopeDevice device;
    std::memcpy(&device, ask(kLanescopeHello, kLanescopeProtocol, 17).payload.data(), sizeof device);
    return device.wants_uses != 0;
  };
  EXPECT_FALSE(wants());
  const uint64_t memory = allocate(4096);
  EXPECT_EQ(ask(kLanescopeUsed, memory, 4096 * 4 + kLanescopeWrites).reply.result, 0)
      << "nothing is modelled";
  run_.models_caches = true;
  EXPECT_TRUE(wants());
  EXPECT_EQ(ask(kLanescopeUsed, memory, 4096 * 4 + kLanescopeWrites).reply.result, 0);
  EXPECT_EQ(ask(kLanescopeUsed, memory + 96, 4000 * 4).reply.result, 0);
  for (const auto& [address, bytes] : {std::pair<uint64_t, uint64_t>{memory, 4097},
                                       {memory + 4096, 1},
                                       {memory, 0},
                                       {5, 1},
                                       {memory + (uint64_t{1} << 45), 1},
                                       {memory + 8192, 1},
                                       {memory, ~uint64_t{0} / 4}})
    EXPECT_NE(ask(kLanescopeUsed, address, bytes * 4).reply.result, 0) << address << " " << bytes;
  run_.flushes_l2 = true;
  EXPECT_FALSE(wants());
}

TEST_F(Process, a_launch_writes_in_place_and_variables_live_on) {
  const uint64_t module = load(), out = allocate(128);
  ASSERT_NE(module, 0u);
  const uint64_t kernel = function(module);
  ASSERT_NE(kernel, 0u);
  const auto* values =
      reinterpret_cast<const uint32_t*>(process_.memory().regions()[trace::buffer_of(out)].data);
  EXPECT_EQ(launch(kernel, out, 0).reply.result, 0);
  EXPECT_EQ(values[0], 15u);
  EXPECT_EQ(values[5], 25u);
  // The first launch of a shape runs on a view, with the checks; the next in place.
  EXPECT_EQ(launch(kernel, out, 0).reply.result, 0);
  EXPECT_EQ(values[0], 16u);
  const Answer global = ask(kLanescopeGetGlobal, module, 0, "launches");
  ASSERT_EQ(global.reply.result, 0);
  EXPECT_EQ(global.reply.r[1], 4u);
  EXPECT_GE(global.descriptor, 0);
  auto* counter =
      reinterpret_cast<uint32_t*>(process_.memory().regions()[trace::buffer_of(global.reply.r[0])].data);
  EXPECT_EQ(*counter, 7u);
  *counter = 100;
  EXPECT_EQ(launch(kernel, out, 0).reply.result, 0);
  EXPECT_EQ(values[0], 110u);
}

TEST_F(Process, what_the_host_writes_to_a_constant_is_what_kernels_read) {
  const uint64_t module = load(), out = allocate(128);
  const Answer table = ask(kLanescopeGetGlobal, module, 0, "table");
  ASSERT_EQ(table.reply.result, 0);
  const auto regions = process_.memory().regions();
  reinterpret_cast<uint32_t*>(regions[trace::buffer_of(table.reply.r[0])].data)[2] = 300;
  ASSERT_EQ(launch(function(module), out, 0).reply.result, 0);
  EXPECT_EQ(reinterpret_cast<const uint32_t*>(regions[trace::buffer_of(out)].data)[2], 305u);
}

TEST_F(Process, a_store_out_of_bounds_is_an_illegal_address_and_changes_nothing) {
  const uint64_t module = load(), out = allocate(128);
  const uint64_t kernel = function(module);
  const Answer answer = launch(kernel, out, 1);
  EXPECT_EQ(answer.reply.result, 700);
  EXPECT_THAT(answer.payload, HasSubstr("fill"));
  EXPECT_THAT(log_.records(), SizeIs(1));
  EXPECT_FALSE(log_.records()[0].error.empty());
  EXPECT_EQ(to_json(log_.records()[0])["stopped"], true);
  EXPECT_EQ(launch(kernel, out, 0).reply.result, 0) << "the next one runs";
}

TEST_F(Process, totals_are_noted_and_the_first_of_a_shape_is_kept) {
  const uint64_t module = load(), out = allocate(1024);
  const uint64_t kernel = function(module);
  for (const uint32_t threads : {32u, 32u, 64u}) EXPECT_EQ(launch(kernel, out, 0, threads).reply.result, 0);
  const auto records = log_.records();
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_EQ(records[0].file, "0000-fill.lane");
  EXPECT_EQ(records[1].file, "");
  EXPECT_EQ(records[2].file, "0002-fill.lane");
  EXPECT_TRUE(records[0].was_checked);
  EXPECT_FALSE(records[1].was_checked);
  EXPECT_EQ(records[0].cost, records[1].cost) << "checked or not, the counts are exact";
  // Stores of 32 words are 4 sectors; each warp reads one sector of the counter, and its first lane writes
  // it.
  EXPECT_EQ(records[0].cost.sectors, 6u);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "0000-fill.lane"));
  const auto json = nlohmann::json::parse(ask(kLanescopeLaunches).payload);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["kernel"], "fill");
  EXPECT_EQ(json[2]["block"][0], 64);
  EXPECT_EQ(nlohmann::json::parse(ask(kLanescopeLaunches).payload).size(), 0u) << "those since the last time";
  launch(kernel, out, 0);
  EXPECT_TRUE(log_.records()[3].was_checked) << "after the program asked, the next ones are first again";
  launch(kernel, allocate(1024), 0);
  EXPECT_TRUE(log_.records()[4].was_checked) << "with other parameters";
}

TEST_F(Process, of_a_large_launch_the_first_blocks_are_checked_and_all_are_counted) {
  const uint64_t module = load(), out = allocate(4096);
  const uint64_t kernel = function(module);
  // 2048 blocks of 1024 threads all write the same values.
  EXPECT_EQ(launch(kernel, out, 0, 1024, 2048).reply.result, 0);
  EXPECT_EQ(launch(kernel, out, 0, 1024, 2048).reply.result, 0);
  const auto records = log_.records();
  EXPECT_TRUE(records[0].was_checked);
  EXPECT_FALSE(records[1].was_checked);
  EXPECT_EQ(records[0].cost.requests, records[1].cost.requests);
  EXPECT_GE(records[0].cost.requests, 2048u * 32 * 3);
}

TEST_F(Process, a_module_that_is_unloaded_takes_its_kernels_and_variables_along) {
  const uint64_t module = load();
  const uint64_t kernel = function(module), out = allocate(128);
  const uint64_t used = process_.memory().used_bytes();
  EXPECT_EQ(ask(kLanescopeUnloadModule, module).reply.result, 0);
  EXPECT_EQ(process_.memory().used_bytes(), used - 4 - 16);
  EXPECT_EQ(launch(kernel, out, 0).reply.result, 1);
  EXPECT_EQ(ask(kLanescopeUnloadModule, module).reply.result, 1);
}

TEST_F(Process, what_is_not_there_and_what_is_wrong_says_so) {
  const uint64_t module = load();
  EXPECT_EQ(ask(kLanescopeGetFunction, module, 0, "none").reply.result, 500);
  EXPECT_EQ(ask(kLanescopeGetFunction, 999, 0, "fill").reply.result, 1);
  EXPECT_EQ(ask(kLanescopeGetGlobal, module, 0, "none").reply.result, 500);
  EXPECT_EQ(ask(kLanescopeLoadModule, 0, 0, ".version 8.0\n.target sm_80\n.visible .entry f( {").reply.result,
            218);
  EXPECT_THAT(log_.notes(), ElementsAre(HasSubstr("module 2:3: ")));
  EXPECT_EQ(ask(kLanescopeLoadModule, 0, 0, "\177ELF").reply.result, 209);
  EXPECT_THAT(log_.notes(), SizeIs(2));
  EXPECT_EQ(ask(kLanescopeLaunch, function(module), 0, "short").reply.result, 1);
  EXPECT_EQ(ask(kLanescopeAllocate, uint64_t{200} << 30).reply.result, 2);
  EXPECT_EQ(ask(kLanescopeSource, 0, 0, "no zero byte").reply.result, 1);
  EXPECT_EQ(ask(12345).reply.result, 801);
  const Answer global = ask(kLanescopeGetGlobal, module, 0, "launches");
  EXPECT_EQ(ask(kLanescopeFree, global.reply.r[0]).reply.result, 1) << "a variable is not freed";
}

TEST_F(Process, unsupported_functions_and_notes_are_counted) {
  ask(kLanescopeUnsupported, 3, 0, "cuTexRefCreate");
  ask(kLanescopeUnsupported, 1, 0, "cuTexRefCreate");
  ask(kLanescopeNote, 0, 0, "relink");
  ask(kLanescopeNote, 0, 0, "relink");
  EXPECT_EQ(log_.unsupported().at("cuTexRefCreate"), 4u);
  EXPECT_THAT(log_.notes(), SizeIs(1));
}

TEST_F(Process, random_requests_get_an_answer_each) {
  std::mt19937_64 random(7);
  const uint64_t module = load();
  (void)function(module);
  for (int n = 0; n < 3000; ++n) {
    std::string payload(random() % 200, '\0');
    for (char& c : payload) c = static_cast<char>(random());
    const uint64_t a = random() % 3 == 0 ? random() : random() % 4;
    const auto kind = static_cast<uint32_t>(random() % 15);
    if (kind == kLanescopeAllocate && a > (uint64_t{1} << 24)) continue;
    (void)ask(kind, a, random() % 2, payload);
  }
}

/// The same process with its kernels on a GPU.
class GpuProcess : public Process {
 protected:
  void SetUp() override { run_.captures = &captures_; }
  /// Reports a launch. {its number, 1 if it is wanted}
  std::pair<uint64_t, uint64_t> report(const std::string& kernel) {
    const LanescopeLaunch shape = shape_of(1, 32);
    shape_.assign(reinterpret_cast<const char*>(&shape), sizeof shape);
    const Answer answer = ask(kLanescopeForwarded, 5, 0, shape_ + kernel);
    EXPECT_EQ(answer.reply.result, 0) << answer.payload;
    return {answer.reply.r[0], answer.reply.r[1]};
  }
  template <class T>
  static std::string text_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  Captures captures_{{{"fill", 1}}};
  std::string shape_;
};

TEST_F(GpuProcess, launches_are_noted_and_times_arrive_later) {
  EXPECT_EQ(ask(kLanescopeWantsCaptures).reply.r[0], 1u);
  EXPECT_EQ(report("fill"), std::pair(uint64_t{0}, uint64_t{0}));
  EXPECT_EQ(report("fill"), std::pair(uint64_t{1}, uint64_t{1}));
  EXPECT_EQ(report("fill"), std::pair(uint64_t{2}, uint64_t{0}));
  const LanescopeMeasured times[] = {{2, 3000}, {0, 1000}, {77, 5}};
  ask(kLanescopeMeasured, 0, 0, {reinterpret_cast<const char*>(times), sizeof times});
  ask(kLanescopeNotMade, 1, 0, "the driver answered no");
  ask(kLanescopeNotCaptured, 1, 0, "it has no PTX");
  const auto records = log_.records();
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_DOUBLE_EQ(records[0].measured_seconds.value(), 1e-6);
  EXPECT_DOUBLE_EQ(records[2].measured_seconds.value(), 3e-6);
  EXPECT_EQ(records[1].error, "the driver answered no");
  EXPECT_FALSE(records[0].was_emulated);
  EXPECT_THAT(log_.notes(), ElementsAre("launch 2 of fill was not captured: it has no PTX"));
  EXPECT_EQ(table_of(records),
            "launch  kernel  launches  grid, block  sectors  wavefronts  hazards   emulated  measured\n"
            "1       fill    3         1, 32        -        -           1 failed  -         4.0 us of 2\n");
}

TEST_F(GpuProcess, a_captured_launch_is_repeated_at_other_addresses_and_compared) {
  const auto [number, ignored] = report("fill");
  const uint64_t module = load(), kernel = function(module);
  EXPECT_EQ(ask(kLanescopeListVariables, module).payload, std::string("launches\0table\0", 15));
  const Answer variable = ask(kLanescopeGetGlobal, module, 0, "launches");
  const uint64_t out = allocate(128),
                 after_out = ask(kLanescopeAllocate, 128, kLanescopeCapturedAfter).reply.r[0],
                 after_variable = ask(kLanescopeAllocate, 4, kLanescopeCapturedAfter).reply.r[0];
  const LanescopeCaptured captured[] = {{0x7f0000000000, 128, out, after_out},
                                        {0x7f0000001000, 4, variable.reply.r[0], after_variable}};
  std::string payload = shape_ + text_of(uint64_t{0x7f0000000000}) + text_of(uint32_t{0});
  payload.append(reinterpret_cast<const char*>(captured), sizeof captured);
  // What the "GPU" left is all zeros: the kernel's sums and the counter differ.
  EXPECT_EQ(ask(kLanescopeReplay, kernel, number, payload).reply.result, 0);
  const auto record = log_.record(static_cast<uint32_t>(number));
  ASSERT_TRUE(record && record->comparison);
  EXPECT_TRUE(record->was_emulated);
  EXPECT_FALSE(record->file.empty());
  ASSERT_THAT(record->comparison->differences, SizeIs(2));
  EXPECT_EQ(record->comparison->differences[0].element, "parameter 0[0]");
  EXPECT_EQ(record->comparison->differences[0].emulator, "15");
  EXPECT_EQ(record->comparison->differences[1].element, "launches[0]");
  EXPECT_EQ(record->comparison->differences[1].emulator, "6");
  EXPECT_EQ(process_.memory().used_bytes(), 0u) << "the capture is over";
}

TEST_F(GpuProcess, a_capture_that_is_not_as_described_is_refused) {
  const auto [number, ignored] = report("fill");
  const uint64_t kernel = function(load()), out = allocate(128);
  for (const LanescopeCaptured wrong :
       {LanescopeCaptured{1, 128, out, 0}, LanescopeCaptured{1, 64, out, out}, LanescopeCaptured{1, 0, 7, 7},
        LanescopeCaptured{1, 128, ~uint64_t{0}, ~uint64_t{0}}})
    EXPECT_NE(ask(kLanescopeReplay, kernel, number,
                  shape_ + text_of(uint64_t{1}) + text_of(uint32_t{0}) + text_of(wrong))
                  .reply.result,
              0);
  EXPECT_NE(ask(kLanescopeReplay, kernel, number, shape_).reply.result, 0);
  EXPECT_NE(ask(kLanescopeReplay, kernel + 100, number, shape_).reply.result, 0);
  EXPECT_NE(ask(kLanescopeForwarded, 0, 0, "x").reply.result, 0);
}

}  // namespace
}  // namespace lanescope::driver
