#include "gpu/probe/line_reads.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

/// Warp w of all reads items w, w + warps, ... of count x rounds; item i is line i mod count of the list;
/// four of them in flight, a lane 4 bytes of each. The places in the list (%j) are led along without a
/// division, which would take longer than the reads.
constexpr std::string_view kReader = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry read_lines(.param .u64 memory, .param .u64 list, .param .u32 count, .param .u32 rounds,
                           .param .u64 sink) {
  .reg .pred %p<8>; .reg .b32 %r<20>; .reg .b32 %j<4>; .reg .b32 %n<4>; .reg .b32 %v<4>; .reg .b64 %rd<4>;
  .reg .b64 %a<4>;
  ld.param.u64 %rd1, [memory]; ld.param.u64 %rd2, [list]; ld.param.u32 %r1, [count]; ld.param.u32 %r2, [rounds];
  mul.lo.u32 %r2, %r2, %r1;
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.u32 %r6, %r3, %r4, %r5;
  shr.u32 %r7, %r6, 5; mov.u32 %r8, %nctaid.x; mul.lo.u32 %r8, %r8, %r4; shr.u32 %r8, %r8, 5;
  and.b32 %r9, %r5, 31; mul.wide.u32 %rd3, %r9, 4; add.u64 %rd1, %rd1, %rd3; mov.u32 %r11, 0;
  add.u32 %r12, %r7, %r8; add.u32 %r13, %r12, %r8; add.u32 %r14, %r13, %r8;
  rem.u32 %j0, %r7, %r1; rem.u32 %j1, %r12, %r1; rem.u32 %j2, %r13, %r1; rem.u32 %j3, %r14, %r1;
  shl.b32 %r16, %r8, 2; rem.u32 %r17, %r16, %r1;
ITEM:
  setp.ge.u32 %p0, %r7, %r2; @%p0 bra DONE;
  setp.lt.u32 %p1, %r12, %r2; setp.lt.u32 %p2, %r13, %r2; setp.lt.u32 %p3, %r14, %r2;
  mad.wide.u32 %a0, %j0, 4, %rd2; ld.global.nc.u32 %n0, [%a0];
  mad.wide.u32 %a1, %j1, 4, %rd2; @%p1 ld.global.nc.u32 %n1, [%a1];
  mad.wide.u32 %a2, %j2, 4, %rd2; @%p2 ld.global.nc.u32 %n2, [%a2];
  mad.wide.u32 %a3, %j3, 4, %rd2; @%p3 ld.global.nc.u32 %n3, [%a3];
  mov.u32 %v1, 0; mov.u32 %v2, 0; mov.u32 %v3, 0;
  mad.wide.u32 %a0, %n0, 128, %rd1; ld.global.cg.u32 %v0, [%a0];
  mad.wide.u32 %a1, %n1, 128, %rd1; @%p1 ld.global.cg.u32 %v1, [%a1];
  mad.wide.u32 %a2, %n2, 128, %rd1; @%p2 ld.global.cg.u32 %v2, [%a2];
  mad.wide.u32 %a3, %n3, 128, %rd1; @%p3 ld.global.cg.u32 %v3, [%a3];
  add.u32 %j0, %j0, %r17; setp.ge.u32 %p4, %j0, %r1; @%p4 sub.u32 %j0, %j0, %r1;
  add.u32 %j1, %j1, %r17; setp.ge.u32 %p5, %j1, %r1; @%p5 sub.u32 %j1, %j1, %r1;
  add.u32 %j2, %j2, %r17; setp.ge.u32 %p6, %j2, %r1; @%p6 sub.u32 %j2, %j2, %r1;
  add.u32 %j3, %j3, %r17; setp.ge.u32 %p7, %j3, %r1; @%p7 sub.u32 %j3, %j3, %r1;
  add.u32 %r7, %r7, %r16; add.u32 %r12, %r12, %r16; add.u32 %r13, %r13, %r16; add.u32 %r14, %r14, %r16;
  add.u32 %v0, %v0, %v1; add.u32 %v2, %v2, %v3; add.u32 %v0, %v0, %v2; add.u32 %r11, %r11, %v0;
  bra ITEM;
DONE:
  setp.ne.u32 %p1, %r11, 305419896; @%p1 bra END;
  ld.param.u64 %rd3, [sink]; st.global.u32 [%rd3], %r11;
END:
  ret;
})";

constexpr uint32_t kReadingThreads = 1024;
constexpr uint32_t kBlocksEach = 2;  // per multiprocessor
constexpr unsigned kRepetitions = 9;
constexpr uint32_t kRounds = 256;
constexpr uint64_t kLineBytes = 128;

/// The kernel with its list and what drives the L2 empty.
struct Reader {
  Context context;
  Module module;
  Buffer list, list_copy, sink;
  std::vector<Buffer> flushing;
  uint64_t memory = 0;
  uint32_t count = 0;

  /// Drives everything out of the L2 but the list: the lines are to come from afar, not their numbers.
  Result<void> flush() {
    TRY_VOID(flushing[0].queue_copy(flushing[1]));
    return list_copy.queue_copy(list);
  }
  Result<void> launch(uint32_t rounds) const {
    uint64_t memory_at = memory;
    uint64_t list_at = list.address();
    uint64_t sink_at = sink.address();
    uint32_t lines = count;
    std::array<void*, 5> arguments{&memory_at, &list_at, &lines, &rounds, &sink_at};
    const auto blocks = kBlocksEach * static_cast<uint32_t>(context.device().multiprocessors);
    return module.launch("read_lines", {blocks, 1, 1}, {kReadingThreads, 1, 1}, 0, arguments);
  }
};

Result<Reader> make_reader(const Context& context, const Buffer& memory, const std::vector<uint32_t>& lines) {
  TRY(Module module, Module::load(context, kReader, "the reader of lines"));
  TRY(Buffer list, Buffer::allocate(context, lines.size() * sizeof lines[0]));
  TRY_VOID(list.upload(std::as_bytes(std::span(lines))));
  TRY(Buffer list_copy, Buffer::allocate(context, list.size_bytes()));
  TRY(Buffer sink, Buffer::allocate(context, sizeof(uint32_t)));
  Reader reader{context,          std::move(module),
                std::move(list),  std::move(list_copy),
                std::move(sink),  {},
                memory.address(), static_cast<uint32_t>(lines.size())};
  for (int n = 0; n < 2; ++n) {
    TRY(Buffer buffer, Buffer::allocate(context, 2 * context.device().l2_bytes));
    reader.flushing.push_back(std::move(buffer));
  }
  return reader;
}

/// Seconds of the median launch.
Result<double> time_launch(const Context& context, Reader& reader, ReadFrom from) {
  std::vector<double> seconds;
  TRY(Event begin, Event::make(context));
  TRY(Event end, Event::make(context));
  for (unsigned n = 0; n < kRepetitions; ++n) {
    // Before the clock starts: the list is brought into the L2, or all of it is driven out.
    if (from == ReadFrom::L2)
      TRY_VOID(reader.launch(2));
    else
      TRY_VOID(reader.flush());
    TRY_VOID(begin.record());
    TRY_VOID(reader.launch(from == ReadFrom::L2 ? kRounds : 1));
    TRY_VOID(end.record());
    TRY(const double one, end.seconds_since(begin));
    seconds.push_back(one);
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

Result<LineReads> read_lines(const Context& context, const Cupti& cupti, const Buffer& memory,
                             const std::vector<uint32_t>& lines, ReadFrom from) {
  if (lines.empty()) return fail(ErrorKind::Internal, "a list of lines was expected, it is empty");
  TRY(Reader reader, make_reader(context, memory, lines));
  TRY(const double seconds, time_launch(context, reader, from));
  const double rounds = from == ReadFrom::L2 ? kRounds : 1;
  LineReads reads;
  reads.gb_per_second = rounds * static_cast<double>(lines.size() * kLineBytes) / seconds * 1e-9;
  TRY(RangeProfiler profiler,
      RangeProfiler::make(
          context, cupti,
          {"lts__t_requests_srcunit_tex_op_read.max", "lts__t_requests_srcunit_tex_op_read.sum"}, 1));
  TRY(const auto counts, profiler.count(
                             1, [&](size_t) { return reader.flush(); },
                             [&](size_t) { return reader.launch(static_cast<uint32_t>(rounds)); }));
  if (counts[0][1] > 0) reads.busiest_slice_share = counts[0][0] / counts[0][1];
  return reads;
}

}  // namespace lanescope::gpu
