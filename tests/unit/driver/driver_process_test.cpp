// A program's requests: memory, modules, kernels and launches as a process sees them, and wrong ones.

#include "driver/driver_process.h"

#include "support/project_options.h"
#include "support/temporary_folder.h"
#include "trace/access.h"

#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

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

class Process : public testing::Test {
 protected:
  Answer ask(uint32_t kind, uint64_t a = 0, uint64_t b = 0, const std::string& payload = {}) {
    return process_.answer({kind, static_cast<uint32_t>(payload.size()), {a, b}}, payload);
  }
  uint64_t allocate(uint64_t bytes) { return ask(kLanescopeAllocate, bytes).reply.r[0]; }
  uint64_t load() { return ask(kLanescopeLoadModule, 0, 0, kPtx).reply.r[0]; }
  uint64_t function(uint64_t module) { return ask(kLanescopeGetFunction, module, 0, "fill").reply.r[0]; }
  Answer launch(uint64_t function, uint64_t out, uint32_t offset, uint32_t threads = 32,
                uint32_t blocks = 1) {
    const LanescopeLaunch shape{.grid = {blocks, 1, 1},
                                .block = {threads, 1, 1},
                                .dynamic_shared_bytes = 0,
                                .cluster = {0, 0, 0},
                                .is_cooperative = 0,
                                .has_inputs = 1,
                                .stream = 0};
    std::string payload(reinterpret_cast<const char*>(&shape), sizeof shape);
    payload.append(reinterpret_cast<const char*>(&out), sizeof out);
    payload.append(reinterpret_cast<const char*>(&offset), sizeof offset);
    return ask(kLanescopeLaunch, function, 0, payload);
  }
  static ProgramRun run_of(ProgramLog& log, emulator::Pool& pool, LaunchTurn& turn, KeptLaunches keeps) {
    return {.device = *model::find_device(tests::kProject / "assets/devices", "ampere"),
            .keeps = keeps,
            .memory_bytes = uint64_t{1} << 24,
            .limit_steps = 100000000,
            .log = log,
            .pool = pool,
            .turn = turn};
  }

  tests::TemporaryFolder folder_{"driver-process"};
  ProgramLog log_{folder_.path(), {"program"}, "device"};
  emulator::Pool pool_{1};
  LaunchTurn turn_;
  ProgramRun run_ = run_of(log_, pool_, turn_, KeptLaunches::First);
  DriverProcess process_{run_};
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
  EXPECT_EQ(device.attribute[16], 108);  // multiprocessors of an A100
  EXPECT_NE(ask(kLanescopeHello, kLanescopeProtocol + 1).reply.result, 0);
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

/// `make` leaves the address of 8 bytes of the heap in a variable, and 41 there; `add` adds 1 and calls a
/// function of a table of the module, which adds the thread's `scale`; `end` frees them.
constexpr const char* kHeapPtx = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.global .align 8 .u64 list;
.func (.param .b32 r) twice(.param .b32 x) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [r], %r2;
  ret;
}
.global .align 8 .u64 table[1] = {twice};
.visible .entry make() {
  .reg .b64 %rd<4>; .reg .b32 %r<2>;
  { .param .b64 n; .param .b64 r;
    st.param.b64 [n], 8;
    call.uni (r), malloc, (n);
    ld.param.b64 %rd1, [r]; }
  mov.u32 %r1, 41;
  st.u32 [%rd1], %r1;
  st.global.u64 [list], %rd1;
  ret;
}
.visible .entry add() {
  .reg .b64 %rd<4>; .reg .b32 %r<4>;
  ld.global.u64 %rd1, [list];
  ld.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  ld.global.u64 %rd2, [table];
  { .param .b32 x; .param .b32 r;
    st.param.b32 [x], %r1;
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), %rd2, (x), prototype;
    ld.param.b32 %r2, [r]; }
  st.u32 [%rd1], %r2;
  ret;
}
.visible .entry read_second() {
  .reg .b64 %rd<4>; .reg .b32 %r<4>;
  ld.global.u64 %rd1, [list];
  ld.u32 %r1, [%rd1+8];
  st.u32 [%rd1], %r1;
  ret;
}
.visible .entry end() {
  .reg .b64 %rd<4>;
  ld.global.u64 %rd1, [list];
  { .param .b64 p;
    st.param.b64 [p], %rd1;
    call.uni free, (p); }
  ret;
}
)";

class HeapProcess : public Process {
 protected:
  int32_t run(const std::string& kernel) {
    if (module_ == 0) module_ = ask(kLanescopeLoadModule, 0, 0, kHeapPtx).reply.r[0];
    const LanescopeLaunch shape{.grid = {1, 1, 1},
                                .block = {1, 1, 1},
                                .dynamic_shared_bytes = 0,
                                .cluster = {0, 0, 0},
                                .is_cooperative = 0,
                                .has_inputs = 1,
                                .stream = 0};
    const std::string payload(reinterpret_cast<const char*>(&shape), sizeof shape);
    return ask(kLanescopeLaunch, ask(kLanescopeGetFunction, module_, 0, kernel).reply.r[0], 0, payload)
        .reply.result;
  }
  uint64_t word_at(uint64_t address) {
    uint64_t word = 0;
    std::memcpy(&word,
                process_.memory().regions()[trace::buffer_of(address)].data + trace::offset_of(address),
                sizeof word);
    return word;
  }
  uint64_t list() { return word_at(ask(kLanescopeGetGlobal, module_, 0, "list").reply.r[0]); }
  uint64_t module_ = 0;
};

TEST_F(HeapProcess, what_malloc_gave_in_one_kernel_is_there_in_the_next) {
  EXPECT_EQ(run("make"), 0);
  EXPECT_EQ(word_at(list()) & 0xffffffff, 41u);
  EXPECT_EQ(run("add"), 0) << "the table leads to the function in this kernel too";
  EXPECT_EQ(word_at(list()) & 0xffffffff, 84u);
  EXPECT_EQ(run("add"), 0) << "in place";
  EXPECT_EQ(word_at(list()) & 0xffffffff, 170u);
  EXPECT_EQ(run("end"), 0);
  for (const LaunchRecord& record : log_.records()) EXPECT_THAT(record.findings, IsEmpty()) << record.kernel;
}

TEST_F(HeapProcess, what_an_earlier_kernel_freed_and_what_is_beyond_a_piece_is_found) {
  EXPECT_EQ(run("make"), 0);
  EXPECT_NE(run("read_second"), 0);
  EXPECT_THAT(log_.records().back().error, HasSubstr("beyond its end"));
  EXPECT_EQ(run("end"), 0);
  EXPECT_NE(run("add"), 0);
  EXPECT_THAT(log_.records().back().error, HasSubstr("has been freed"));
}

TEST_F(HeapProcess, its_size_is_fixed_when_a_kernel_first_uses_it) {
  EXPECT_EQ(ask(kLanescopeHeapSize, 4096).reply.result, 0);
  EXPECT_EQ(run("make"), 0);
  EXPECT_EQ(process_.memory().regions()[trace::buffer_of(list())].size_bytes, 4096u);
  EXPECT_NE(ask(kLanescopeHeapSize, 8192).reply.result, 0);
  EXPECT_EQ(ask(kLanescopeHeapSize, 4096).reply.result, 0);
}

/// out[i] = in[i] + in[i], read at two instructions of one line.
constexpr const char* kCopyPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  .loc 1 7 3
  ld.global.u32 %r2, [%rd1];
  ld.global.u32 %r3, [%rd1];
  add.u32 %r2, %r2, %r3;
  st.global.u32 [%rd2], %r2;
  ret;
}
.file 1 "not/there.cu"
)";

class CopyProcess : public Process {
 protected:
  /// The record of a launch of one warp.
  LaunchRecord copy(uint64_t in, uint64_t out, uint32_t has_inputs = 1) {
    if (module_ == 0) module_ = ask(kLanescopeLoadModule, 0, 0, kCopyPtx).reply.r[0];
    LanescopeLaunch shape{};
    shape.grid[0] = shape.grid[1] = shape.grid[2] = 1;
    shape.block[0] = 32;
    shape.block[1] = shape.block[2] = 1;
    shape.has_inputs = has_inputs;
    std::string payload(reinterpret_cast<const char*>(&shape), sizeof shape);
    payload.append(reinterpret_cast<const char*>(&in), sizeof in);
    payload.append(reinterpret_cast<const char*>(&out), sizeof out);
    const Answer kernel = ask(kLanescopeGetFunction, module_, 0, "copy");
    EXPECT_EQ(ask(kLanescopeLaunch, kernel.reply.r[0], 0, payload).reply.result, 0);
    return log_.records().back();
  }
  /// As the program writes it.
  std::byte* bytes(uint64_t address) {
    return process_.memory().regions()[trace::buffer_of(address)].data + trace::offset_of(address);
  }
  uint64_t module_ = 0;
};

TEST_F(CopyProcess, a_read_of_memory_that_nothing_has_written_is_found_once_for_a_line) {
  const uint64_t in = allocate(128), out = allocate(128), next = allocate(128);
  const LaunchRecord first = copy(in, out);
  ASSERT_THAT(first.findings, SizeIs(1));
  EXPECT_THAT(first.findings[0],
              HasSubstr("reads 4 bytes at offset 0 of 'parameter 0', which are uninitialized"));
  EXPECT_THAT(first.findings[0], HasSubstr("(and 1 more at this line)"));
  EXPECT_THAT(copy(out, next).findings, IsEmpty()) << "the kernel before has written it";
  std::memset(bytes(in), 0, 128);
  EXPECT_THAT(copy(in, next).findings, IsEmpty());
}

TEST_F(CopyProcess, while_the_program_has_put_no_data_there_it_is_a_note) {
  const LaunchRecord record = copy(allocate(128), allocate(128), 0);
  EXPECT_THAT(record.findings, IsEmpty());
  ASSERT_THAT(record.notes, SizeIs(1));
  EXPECT_THAT(record.notes[0], HasSubstr("put no data on the device"));
  EXPECT_THAT(to_json(record)["notes"], SizeIs(1));
}

TEST_F(CopyProcess, managed_memory_is_never_uninitialized) {
  const uint64_t in = ask(kLanescopeAllocate, 128, kLanescopeSharedMemory).reply.r[0];
  EXPECT_THAT(copy(in, allocate(128)).findings, IsEmpty());
}

TEST_F(CopyProcess, of_a_large_allocation_pages_count) {
  const uint64_t in = allocate(8 << 20), out = allocate(128);
  EXPECT_THAT(copy(in + 4096, out).findings, SizeIs(1));
  EXPECT_THAT(copy(in + 4096 + 128, out).findings, SizeIs(1)) << "still, though it was read";
  bytes(in)[2 * 4096 + 5] = std::byte{1};
  EXPECT_THAT(copy(in + 2 * 4096, out).findings, IsEmpty()) << "a byte of the page was written";
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
  EXPECT_EQ(ask(kLanescopeLoadModule, 0, 0, "\177ELF").reply.result, 209);
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
    const LanescopeLaunch shape{.grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .dynamic_shared_bytes = 0,
                                .cluster = {0, 0, 0},
                                .is_cooperative = 0,
                                .has_inputs = 1,
                                .stream = 0};
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
  EXPECT_THAT(log_.notes(), testing::ElementsAre("launch 2 of fill was not captured: it has no PTX"));
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
