// A running block reports what it does to its observer, and makes no access before.

#include "emulator/block/access_observer.h"

#include "emulator/decoder.h"
#include "emulator/memory/spare_buffers.h"
#include "emulator/schedule/batch_runner.h"
#include "emulator/schedule/block_runner.h"
#include "kernel_run.h"

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using testing::ElementsAre;

enum class Answer : uint8_t { Proceed, OneByOne };

/// Writes down what is reported. OneByOne: refuses accesses of groups and of whole warps, and asks for
/// values.
class Journal final : public AccessObserver {
 public:
  explicit Journal(Answer answer) : may_(answer == Answer::Proceed) {}

  void begin_block(CtaId first, AsyncCopies&) override { add("begin {}", first.value); }
  void end_block() override { add("end"); }
  void suspend_block() override { add("suspend"); }

  uint32_t on_group(const ObservedGroup& access) override {
    add("{} warps at {}", access.warps, access.first);
    return may_ ? first_warps(access.warps) : 0;
  }
  bool on_whole_warp(const Step&, uint64_t, int64_t, uint32_t, uint32_t warp) override {
    add("warp {}", warp);
    return may_;
  }
  bool on_access(const ObservedAccess& access) override {
    add("access of block {}, warp {} by {:#x} at {}", access.block, access.warp, access.mask,
        access.address[0]);
    return access.step.kind == trace::Kind::Store;
  }
  void on_values(const ObservedAccess& access, const std::byte* values, uintptr_t data) override {
    uint32_t now = 0;
    std::memcpy(&now, reinterpret_cast<const void*>(data + access.address[1]), sizeof now);
    uint32_t next = 0;
    std::memcpy(&next, values + access.bytes, sizeof next);
    add("lane 1 writes {} over {}", next, now);
  }
  void after_access(const ObservedAccess&) override { add("made"); }

  void on_warp_synchronized(uint32_t warp) override { add("warp {} synchronized", warp); }
  void on_member_masks(uint32_t, uint32_t warp, uint32_t, std::span<const uint32_t>, uint32_t) override {
    add("members of warp {}", warp);
  }
  void on_values_taken(uint32_t, uint32_t warp, uint32_t, std::span<const int>) override {
    add("values of warp {}", warp);
  }
  void on_barrier(uint32_t block) override { add("barrier of block {}", block); }
  void on_barrier_of(uint32_t barrier, std::span<const uint32_t>) override { add("barrier {}", barrier); }
  void on_arrival(uint32_t barrier, uint32_t) override { add("arrival at {}", barrier); }
  void on_threads_at_barrier(uint32_t, uint32_t, uint32_t, uint64_t running) override {
    add("{} threads", running);
  }

  void on_fence(uint32_t warp, Reach) override { add("fence of warp {}", warp); }
  void on_release(ptx::Space, uint64_t, uint32_t) override { add("release"); }
  void on_acquire(ptx::Space, uint64_t, uint32_t) override { add("acquire"); }
  void on_cluster_arrival(uint32_t) override { add("cluster arrival"); }
  void on_cluster_complete() override { add("cluster complete"); }
  void on_cluster_barrier() override { add("cluster barrier"); }
  void on_cluster_signal() override { add("cluster signal"); }
  void on_copy_begun(AsyncCopy&) override { add("copy begun"); }
  void on_copy_ended(const AsyncCopy&) override { add("copy ended"); }
  void on_local_allocated(uint32_t, int, uint64_t, uint64_t) override { add("local memory"); }
  void on_heap_reused() override { add("heap"); }

  std::vector<std::string> events;

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> text, Values&&... values) {
    events.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  bool may_;
};

class NoSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

/// Each thread stores its number in shared memory.
constexpr std::string_view kStore =
    "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2;\n"
    "st.shared.u32 [%r3], %r1;\n";

/// Runs a block, or a batch of `blocks`, of a kernel with 256 bytes of shared memory; returns the journal.
std::vector<std::string> events_of(const std::string& body, uint32_t threads, Answer answer,
                                   uint32_t blocks = 1) {
  const Result<ptx::Program> program =
      program_of(kernel_text("", body + "ret;", ".shared .align 4 .b8 s[256];"));
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  const LaunchBuilder builder({blocks, 1, 1}, {threads, 1, 1});
  const launch::Launch& launch = builder.launch;
  const Result<Code> code = decode(*program, launch.grid, launch.block, 0, {}, blocks);
  EXPECT_TRUE(code) << describe(code.error());
  if (!code) return {};
  SpareBuffers spare(nullptr);  // there are no buffers
  const Memory memory(*program, launch, spare);
  Journal journal(answer);
  NoSink sink;
  const auto may_go_on = [](uint64_t) { return true; };
  if (blocks > 1) {
    BatchRunner(*code, memory, &journal, may_go_on).run({0}, sink);
  } else {
    BlockRunner(*code, memory, &journal, Scheduling::Independent, may_go_on).run({0}, sink);
  }
  return journal.events;
}

TEST(AccessObserver, group_is_one_access_and_one_barrier) {
  EXPECT_THAT(
      events_of(std::string(kStore) + "bar.sync 0;\nld.shared.u32 %r4, [%r3];\n", 64, Answer::Proceed),
      ElementsAre("begin 0", "2 warps at 0", "barrier of block 0", "64 threads", "2 warps at 0", "end"));
}

TEST(AccessObserver, refused_accesses_come_one_by_one_before_they_are_made) {
  EXPECT_THAT(events_of(std::string(kStore), 64, Answer::OneByOne),
              ElementsAre("begin 0", "2 warps at 0", "warp 0", "access of block 0, warp 0 by 0xffffffff at 0",
                          "lane 1 writes 1 over 0", "made", "warp 1",
                          "access of block 0, warp 1 by 0xffffffff at 128", "lane 1 writes 33 over 0", "made",
                          "end"));
}

TEST(AccessObserver, batch_names_the_block_of_each_access) {
  EXPECT_THAT(events_of("st.shared.u32 [s+4], 7;\nbar.sync 0;\n", 32, Answer::Proceed, 2),
              ElementsAre("begin 0", "2 warps at 4", "barrier of block 0", "32 threads", "barrier of block 1",
                          "32 threads", "end"));
  EXPECT_THAT(events_of(std::string(kStore), 64, Answer::OneByOne, 2),
              ElementsAre("begin 0", "4 warps at 0",  //
                          "warp 0", "access of block 0, warp 0 by 0xffffffff at 0", "lane 1 writes 1 over 0",
                          "made",  //
                          "warp 1", "access of block 1, warp 0 by 0xffffffff at 0", "lane 1 writes 1 over 0",
                          "made",  //
                          "warp 2", "access of block 0, warp 1 by 0xffffffff at 128",
                          "lane 1 writes 33 over 0", "made",  //
                          "warp 3", "access of block 1, warp 1 by 0xffffffff at 128",
                          "lane 1 writes 33 over 0", "made", "end"));
}

TEST(AccessObserver, fences_and_shuffles_are_those_of_each_warp) {
  EXPECT_THAT(
      events_of("membar.gl;\nmov.u32 %r1, %tid.x;\nshfl.sync.bfly.b32 %r2|%p1, %r1, 1, 31, 0xffffffff;\n", 64,
                Answer::Proceed),
      ElementsAre("begin 0", "fence of warp 0", "fence of warp 1", "warp 0 synchronized",
                  "warp 1 synchronized", "end"));
}

}  // namespace
}  // namespace lanescope::emulator
