// The memory of a process over its kernels: the heap of malloc, and what is uninitialized.

#include "trace/access.h"
#include "unit/driver/process_fixture.h"

#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

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

class HeapProcess : public ProcessFixture {
 protected:
  int32_t run(const std::string& kernel) {
    if (module_ == 0) module_ = ask(kLanescopeLoadModule, 0, 0, kHeapPtx).reply.r[0];
    return ask_to_launch(ask(kLanescopeGetFunction, module_, 0, kernel).reply.r[0], shape_of(1, 1))
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
constexpr const char* kCopyingPtx = R"(.version 8.0
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

class CopyProcess : public ProcessFixture {
 protected:
  /// The record of a launch of one warp.
  LaunchRecord copy(uint64_t in, uint64_t out, uint32_t has_inputs = 1) {
    if (module_ == 0) module_ = ask(kLanescopeLoadModule, 0, 0, kCopyingPtx).reply.r[0];
    LanescopeLaunch shape = shape_of(1, 32);
    shape.has_inputs = has_inputs;
    const Answer kernel = ask(kLanescopeGetFunction, module_, 0, "copy");
    EXPECT_EQ(ask_to_launch(kernel.reply.r[0], shape, in, out).reply.result, 0);
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
  EXPECT_THAT(first.findings[0], HasSubstr("(one of 64 times)"));
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

}  // namespace
}  // namespace lanescope::driver
