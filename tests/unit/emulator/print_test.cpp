// printf, assert and malloc from a kernel.

#include "emulator/memory/heap.h"
#include "emulator/schedule/print_format.h"
#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

/// format_print with the arguments as a GPU's compiler lays them out.
class Buffer {
 public:
  Buffer& word(uint32_t value) { return add(&value, sizeof value); }
  Buffer& two_words(uint64_t value) { return add(&value, sizeof value); }
  Buffer& number(double value) { return add(&value, sizeof value); }

  std::string format(std::string_view text) const {
    PrintArguments arguments([&](uint64_t offset, uint32_t bytes) -> std::optional<uint64_t> {
      if (offset + bytes > bytes_.size()) return std::nullopt;
      uint64_t value = 0;
      std::memcpy(&value, bytes_.data() + offset, bytes);
      return value;
    });
    return format_print(text, arguments, [](uint64_t address) { return address == 1 ? "one" : "(null)"; });
  }

 private:
  Buffer& add(const void* value, size_t bytes) {
    bytes_.resize((bytes_.size() + bytes - 1) / bytes * bytes + bytes);
    std::memcpy(bytes_.data() + bytes_.size() - bytes, value, bytes);
    return *this;
  }
  std::vector<std::byte> bytes_;
};

TEST(Print, integers) {
  EXPECT_EQ(Buffer().word(static_cast<uint32_t>(-5)).word(7).format("%d %i"), "-5 7");
  EXPECT_EQ(Buffer().word(static_cast<uint32_t>(-1)).word(255).word(255).word(8).format("%u %x %X %o"),
            "4294967295 ff FF 10");
  EXPECT_EQ(Buffer().word(1).two_words(static_cast<uint64_t>(-2)).two_words(3).format("%d %ld %lld"),
            "1 -2 3");
  EXPECT_EQ(Buffer().two_words(~uint64_t{0}).two_words(255).format("%lu %llx"), "18446744073709551615 ff");
  EXPECT_EQ(Buffer().word(300).word(70000).format("%hhu %hd"), "44 4464");
}

TEST(Print, widths_flags_and_stars) {
  EXPECT_EQ(Buffer().word(42).word(42).word(42).format("[%5d][%-5d][%05d]"), "[   42][42   ][00042]");
  EXPECT_EQ(Buffer().word(5).word(42).word(static_cast<uint32_t>(-5)).word(42).format("[%*d][%*d]"),
            "[   42][42   ]");
  EXPECT_EQ(Buffer().word(3).word(255).format("%+d %#x"), "+3 0xff");
}

TEST(Print, floating_point_and_letters) {
  EXPECT_EQ(Buffer().number(3.14159).number(0.5).format("%5.2f|%f"), " 3.14|0.500000");
  EXPECT_EQ(Buffer().number(12345.678).number(0.0001).number(1.0).format("%e %g %a"),
            "1.234568e+04 0.0001 0x1p+0");
  EXPECT_EQ(Buffer().word('x').two_words(1).two_words(0).format("%c %s %s"), "x one (null)");
  EXPECT_EQ(Buffer().two_words(0x10000000000).two_words(0).format("%p %p"), "0x10000000000 (nil)");
  EXPECT_EQ(Buffer().word(2).number(1.0).format("%.*f"), "1.00");
}

TEST(Print, what_is_no_conversion_stays_as_it_is) {
  EXPECT_EQ(Buffer().format("100%% sure"), "100% sure");
  EXPECT_EQ(Buffer().word(1).format("%y %n"), "%y %n");
  EXPECT_EQ(Buffer().format("%d"), "%d");  // no argument left
  EXPECT_EQ(Buffer().format("%"), "%");
  EXPECT_EQ(Buffer().word(5).format("%99999999999d").size(), 4096u);
}

/// A kernel whose threads print "block thread half" each.
std::string printing_kernel(std::string_view guard) {
  return fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
      ".global .align 1 .b8 text[13] = {{37, 117, 32, 37, 117, 32, 37, 46, 49, 102, 10, 0, 0}};\n"  // %u %u
                                                                                                    // %.1f
      ".visible .entry k()\n{{ .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f64 %fd<3>; .local "
      ".align 8 .b8 values[16]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; cvt.rn.f64.u32 %fd1, %r2; "
      "mul.f64 "
      "%fd1, %fd1, 0d3FE0000000000000; st.local.u32 [values], %r1; st.local.u32 [values+4], %r2; "
      "st.local.f64 "
      "[values+8], %fd1; mov.u64 %rd1, text; mov.u64 %rd2, values; cvta.local.u64 %rd2, %rd2; {}\n"
      "{{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; "
      "call.uni "
      "(c), vprintf, (a, b); ld.param.b32 %r3, [c]; }} ret; }}\n",
      guard);
}

Recording record_of(const std::string& text, Dim3 grid, uint32_t threads, unsigned workers) {
  const Result<ptx::Program> program = program_of(text);
  EXPECT_TRUE(program) << describe(program.error());
  LaunchBuilder builder(grid, {threads, 1, 1});
  auto recording = record(*program, builder.launch, [](const trace::WarpAccess&) { return trace::Cost{}; },
                          {}, {.threads = workers});
  EXPECT_TRUE(recording) << describe(recording.error());
  return recording ? std::move(*recording) : Recording{};
}

TEST(Print, threads_print_in_order_whatever_the_number_of_workers) {
  const std::string expected =
      "0 0 0.0\n0 1 0.5\n0 2 1.0\n1 0 0.0\n1 1 0.5\n1 2 1.0\n2 0 0.0\n2 1 0.5\n2 2 1.0\n";
  for (const unsigned workers : {1u, 3u}) {
    const Recording recording = record_of(printing_kernel(""), {3, 1, 1}, 3, workers);
    EXPECT_EQ(recording.trace.output.text, expected);
    EXPECT_FALSE(recording.trace.output.is_cut);
  }
}

TEST(Print, only_lanes_that_reach_it_print) {
  const Recording recording =
      record_of(printing_kernel("setp.ne.u32 %p1, %r2, 33; @%p1 ret;"), {1, 1, 1}, 64, 1);
  EXPECT_EQ(recording.trace.output.text, "0 33 16.5\n");
}

TEST(Print, too_much_is_cut_at_the_same_place_always) {
  std::string first;
  for (const unsigned workers : {1u, 2u}) {
    const Recording recording = record_of(printing_kernel(""), {200, 1, 1}, 1024, workers);
    EXPECT_TRUE(recording.trace.output.is_cut);
    EXPECT_EQ(recording.trace.output.text.size(), trace::Output::kMostBytes);
    if (first.empty()) first = recording.trace.output.text;
    EXPECT_TRUE(recording.trace.output.text == first);
  }
}

TEST(Print, a_failed_assertion_says_what_failed_where) {
  // "x < 3", "a.cu", 12, "k"
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
      "e);\n"
      ".global .b8 what[6] = {120, 32, 60, 32, 51, 0}; .global .b8 file[5] = {97, 46, 99, 117, 0}; .global "
      ".b8 "
      "name[2] = {107, 0};\n"
      ".visible .entry k()\n{ .reg .pred %p<3>; .reg .b32 %r<3>; .reg .b64 %rd<5>; mov.u32 %r1, %tid.x; "
      "setp.lt.u32 %p1, %r1, 3; @%p1 bra OK; mov.u64 %rd1, what; mov.u64 %rd2, file; mov.u64 %rd3, name;\n"
      "call __assertfail, (%rd1, %rd2, 12, %rd3, 1); OK: ret; }\n";
  const Recording recording = record_of(text, {1, 1, 1}, 32, 1);
  ASSERT_EQ(recording.trace.hazards.size(), 1u);
  const trace::Hazard& hazard = recording.trace.hazards[0];
  EXPECT_EQ(hazard.kind, trace::HazardKind::Assertion);
  EXPECT_EQ(hazard.thread, (Dim3{3, 0, 0}));
  EXPECT_NE(hazard.message.find("fails the assertion `x < 3` in k (a.cu:12)"), std::string::npos)
      << hazard.message;
}

TEST(Print, malloc_gives_memory_that_free_takes_back) {
  const std::string functions =
      ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);";
  LaunchBuilder builder({1, 1, 1}, {32, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(32));
  KernelRun kernel;
  run_kernel(kernel,
             kernel_text(".param .u64 out",
                         "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 "
                         "%rd1, %rd1, %rd2; call (%rd3), malloc, (16); st.u32 [%rd3+12], %r1; ld.u32 %r2, "
                         "[%rd3+12]; call free, (%rd3); st.global.u32 [%rd1], %r2; ret;",
                         functions),
             builder.launch);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.at(0));
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t);
  KernelRun twice;
  run_kernel(
      twice,
      kernel_text("", "call (%rd3), malloc, (16); call free, (%rd3);\ncall free, (%rd3); ret;", functions),
      LaunchBuilder({1, 1, 1}, {1, 1, 1}).launch);
  ASSERT_EQ(twice.outcome.hazards.size(), 1u);
  EXPECT_EQ(twice.outcome.hazards[0].ptx_line, 9);
}

/// Every block, one after the other, or at the same time, takes `bytes`, writes them with all its warps,
/// reads them and gives them back, `rounds` times.
std::string borrowing_kernel(int bytes, int rounds) {
  return kernel_text(
      "",
      fmt::format(
          "mov.u32 %r1, %tid.x; mov.u32 %r9, 0; mov.u64 %rd9, place;\nLOOP:\nsetp.ne.u32 %p1, %r1, 0; @%p1 "
          "bra WAIT;\ncall (%rd3), malloc, ({}); st.shared.u64 [%rd9], %rd3;\nWAIT:\nbar.sync 0; "
          "ld.shared.u64 %rd3, [%rd9]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd4, %rd3, %rd2; st.u32 [%rd4], "
          "%r1; bar.sync 0; ld.u32 %r2, [%rd3]; bar.sync 0; @%p1 bra NEXT;\ncall free, (%rd3);\nNEXT:\n"
          "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, {}; @%p2 bra LOOP; ret;",
          bytes, rounds),
      ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p); .shared "
      ".align 8 .b8 "
      "place[8];");
}

Outcome borrow(int bytes, int rounds, unsigned workers) {
  const auto program = program_of(borrowing_kernel(bytes, rounds));
  EXPECT_TRUE(program) << describe(program.error());
  std::vector<AccessList> lists(workers);
  std::vector<std::unique_ptr<ListSink>> each;
  for (AccessList& list : lists) each.push_back(std::make_unique<ListSink>(list));
  auto outcome = run(*program, LaunchBuilder({6, 1, 1}, {64, 1, 1}).launch,
                     [&](unsigned worker) -> trace::Sink& { return *each[worker]; },
                     {.threads = workers, .checks = Checks::All});
  EXPECT_TRUE(outcome) << describe(outcome.error());
  return outcome ? std::move(*outcome) : Outcome{};
}

TEST(Print, owners_of_a_piece_one_after_the_other_do_not_race) {
  for (const unsigned workers : {1u, 2u}) {
    const Outcome outcome = borrow(256, 3, workers);
    EXPECT_TRUE(outcome.hazards.empty()) << outcome.hazards[0].message;
    EXPECT_TRUE(outcome.notes.empty());
    EXPECT_TRUE(outcome.unchecked.empty());
  }
}

TEST(Print, a_full_heap_gives_freed_pieces_again_and_says_that_it_is_not_checked) {
  const Outcome outcome = borrow(1 << 20, 3, 1);
  EXPECT_TRUE(outcome.hazards.empty()) << outcome.hazards[0].message;
  ASSERT_EQ(outcome.unchecked.size(), 1u);
  EXPECT_NE(outcome.unchecked[0].find("device heap"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::emulator
