// A run as a whole: arguments, limits, cancelling, progress, hazards and totals whatever the number of
// workers.

#include "kernel_run.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

/// Block b, thread t stores 4 b + t / 8; blocks from 5 on that are odd write past the buffer's end.
std::string storing_kernel() {
  return kernel_text(".param .u64 out, .param .u32 stride",
                     "ld.param.u64 %rd1, [out]; ld.param.u32 %r9, [stride]; mov.u32 %r1, %tid.x; mov.u32 "
                     "%r2, %ctaid.x; mul.lo.u32 %r3, %r2, %r9;\n"
                     "add.u32 %r3, %r3, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd1, %rd2; shr.u32 "
                     "%r4, %r1, 3; mad.lo.u32 %r4, %r2, 4, %r4;\n"
                     "and.b32 %r5, %r2, 1; setp.ne.u32 %p1, %r5, 0; setp.ge.and.u32 %p1, %r2, 5, %p1; @%p1 "
                     "add.u64 %rd1, %rd1, 1000000;\n"
                     "st.global.u32 [%rd1], %r4; ret;");
}

LaunchBuilder storing_launch(uint32_t blocks) {
  LaunchBuilder builder({blocks, 1, 1}, {32, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(blocks * 32)).value(uint32_t{32});
  return builder;
}

trace::Cost no_cost(const trace::WarpAccess&) { return {}; }

TEST(Run, a_missing_argument_is_named) {
  LaunchBuilder builder;
  builder.buffer("out", std::vector<uint32_t>(32));
  const Error error = error_of(storing_kernel(), builder.launch);
  EXPECT_EQ(error.kind, ErrorKind::Launch);
  EXPECT_EQ(error.message, "kernel k takes 2 arguments, 1 were given; add --arg for 'stride'");
}

TEST(Run, messages_name_the_kernel_as_its_source_does) {
  const auto program = [](std::string text) {
    text.replace(text.find(".entry k("), 9, ".entry _Z5saxpyifPKfPf(");
    return ptx::lower(ptx::parse(text, "test.ptx").value(), "_Z5saxpyifPKfPf").value();
  }(storing_kernel());
  AccessList accesses;
  ListSink sink(accesses);
  const auto outcome =
      run(program, LaunchBuilder().launch, [&](unsigned) -> trace::Sink& { return sink; }, {});
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().message.starts_with("kernel saxpy takes 2 arguments"))
      << outcome.error().message;
}

TEST(Run, arguments_must_fit_their_parameters) {
  LaunchBuilder wrong_size;
  wrong_size.buffer("out", std::vector<uint32_t>(32)).value(uint64_t{1});
  EXPECT_EQ(error_of(storing_kernel(), wrong_size.launch).message,
            "parameter 'stride' of kernel k takes 4 bytes, 8 were given");
  LaunchBuilder buffer_for_value;
  buffer_for_value.buffer("out", std::vector<uint32_t>(32)).buffer("other", std::vector<uint32_t>(32));
  EXPECT_EQ(error_of(storing_kernel(), buffer_for_value.launch).kind, ErrorKind::Launch);
  LaunchBuilder in_another_order;
  in_another_order.value(uint32_t{32}).buffer("out", std::vector<uint32_t>(32));
  std::get<launch::Value>(in_another_order.launch.arguments.front()).name = "stride";
  EXPECT_EQ(error_of(storing_kernel(), in_another_order.launch).message,
            "parameter 'out' of kernel k takes 8 bytes, 4 were given; 'stride' is in its place, and "
            "arguments have the order of the parameters");
  LaunchBuilder too_many = storing_launch(1);
  too_many.value(1);
  EXPECT_EQ(error_of(storing_kernel(), too_many.launch).kind, ErrorKind::Launch);
  LaunchBuilder no_threads = storing_launch(1);
  no_threads.launch.block = {0, 1, 1};
  EXPECT_EQ(error_of(storing_kernel(), no_threads.launch).kind, ErrorKind::Launch);
}

std::string message_of(const std::string& text, const LaunchBuilder& builder) {
  return error_of(text, builder.launch).message;
}

std::string bounded_kernel(std::string_view bounds) {
  return fmt::format(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {} {{ ret; }}\n",
                     bounds);
}

TEST(Run, a_launch_stays_within_the_bounds_that_the_kernel_was_compiled_for) {
  const std::string bounded = bounded_kernel(".maxntid 32, 2, 1");
  EXPECT_EQ(message_of(bounded, LaunchBuilder({1, 1, 1}, {65, 1, 1})),
            "kernel k is bounded to 64 threads per block (__launch_bounds__), a block of 65 x 1 x 1 has 65; "
            "launch smaller blocks, or raise the bound");
  EXPECT_EQ(message_of(bounded, LaunchBuilder({1, 1, 1}, {64, 1, 1})), "it ran") << "their product counts";
  const std::string exact = bounded_kernel(".reqntid 32, 2");
  EXPECT_EQ(message_of(exact, LaunchBuilder({1, 1, 1}, {64, 1, 1})),
            "kernel k demands blocks of 32 x 2 x 1 threads, the launch has 64 x 1 x 1; use --block 32,2,1");
  EXPECT_EQ(message_of(exact, LaunchBuilder({1, 1, 1}, {32, 2, 1})), "it ran");
}

TEST(Run, a_launch_stays_within_the_memory_that_a_block_has) {
  const auto shared = [](uint32_t bytes, uint32_t dynamic) {
    LaunchBuilder builder;
    builder.launch.dynamic_shared_bytes = dynamic;
    return message_of(
        kernel_text("", "mov.u32 %r1, s; ret;", fmt::format(".shared .align 16 .b8 s[{}];", bytes)), builder);
  };
  EXPECT_EQ(shared(48 << 10, 179 << 10), "it ran") << "48 and 179 are 227 KiB";
  EXPECT_EQ(shared((48 << 10) + 16, 0),
            "kernel k declares 49168 bytes of shared memory, a block has at most 49152 of a fixed size; "
            "declare it extern __shared__, and give its bytes with --shared");
  EXPECT_EQ(shared(48 << 10, (179 << 10) + 4),
            "kernel k needs 232452 bytes of shared memory per block, 183300 of them from the launch; no "
            "device has more than 232448");
  const auto constant = [](uint32_t bytes) {
    return message_of(kernel_text("", "ret;", fmt::format(".const .align 4 .b8 c[{}];", bytes)),
                      LaunchBuilder());
  };
  EXPECT_EQ(constant(64 << 10), "it ran");
  EXPECT_NE(constant((64 << 10) + 4).find("65540 bytes of __constant__ memory"), std::string::npos);
}

TEST(Run, a_number_is_of_the_kind_of_its_parameter) {
  const auto result_of = [](std::string_view parameter, launch::ElementType type, auto number) {
    LaunchBuilder builder;
    builder.value(number);
    std::get<launch::Value>(builder.launch.arguments.back()).type = type;
    return message_of(kernel_text(fmt::format(".param .{} a", parameter), "ret;"), builder);
  };
  using enum launch::ElementType;
  EXPECT_EQ(
      result_of("f32", I32, 2),
      "parameter 'a' of kernel k is a floating-point number of 32 bits, i32 was given; write f32:VALUE");
  EXPECT_EQ(result_of("u32", F32, 1000.0f),
            "parameter 'a' of kernel k is an integer of 32 bits, f32 was given; write i32:VALUE");
  EXPECT_EQ(
      result_of("f64", U64, uint64_t{1}),
      "parameter 'a' of kernel k is a floating-point number of 64 bits, u64 was given; write f64:VALUE");
  EXPECT_EQ(result_of("f32", F32, 2.0f), "it ran");
  EXPECT_EQ(result_of("u32", I32, -1), "it ran");
  EXPECT_EQ(result_of("b32", F32, 2.0f), "it ran") << "bits are of any kind";
  EXPECT_EQ(result_of("align 4 .b8", U8, uint8_t{2}), "it ran");
}

TEST(Run, what_cannot_be_executed_is_an_error_with_its_line) {
  const Error error = error_of(kernel_text("", "mov.f32 %f1, 0f00000000;\nmin.relu.f32 %f1, %f1, %f1;\nret;"),
                               LaunchBuilder().launch);
  EXPECT_EQ(error.kind, ErrorKind::Unsupported);
  EXPECT_NE(error.message.find("min.relu.f32 %f1, %f1, %f1"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("PTX line 9"), std::string::npos) << error.message;
}

TEST(Run, a_kernel_that_does_not_end_reaches_the_limit) {
  const Error error = error_of(kernel_text("", "L: add.u32 %r1, %r1, 1; bra L;"), LaunchBuilder().launch,
                               {.limit_steps = 100'000});
  EXPECT_EQ(error.kind, ErrorKind::Limit);
  EXPECT_NE(error.message.find("100000"), std::string::npos);
  const Error divergent = error_of(kernel_text("",
                                               "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4; @%p1 bra A; "
                                               "bra B; A: L: add.u32 %r1, %r1, 1; bra L; B: "
                                               "ret;"),
                                   LaunchBuilder().launch, {.limit_steps = 100'000});
  EXPECT_EQ(divergent.kind, ErrorKind::Limit);
}

TEST(Run, findings_before_the_limit_are_reported) {
  const std::string kernel = kernel_text(
      "", "mov.u32 %r1, %tid.x;\nst.shared.u32 [s], %r1;\nLOOP:\nadd.u32 %r1, %r1, 1;\nbra LOOP;\nret;",
      ".shared .align 4 .b8 s[4];");
  const Error error = error_of(kernel, LaunchBuilder({1, 1, 1}, {64, 1, 1}).launch,
                               {.limit_steps = 100'000, .checks = Checks::All});
  EXPECT_EQ(error.kind, ErrorKind::Limit);
  EXPECT_NE(error.message.find("--limit-steps\n"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("writes offset 0 of 's' in shared memory"), std::string::npos)
      << error.message;
}

TEST(Run, the_limit_is_exact) {
  // 16 instructions by each of 8 blocks of one warp.
  EXPECT_EQ(error_of(storing_kernel(), storing_launch(5).launch, {.limit_steps = 5 * 16}).message, "it ran");
  EXPECT_EQ(error_of(storing_kernel(), storing_launch(5).launch, {.limit_steps = 5 * 16 - 1}).kind,
            ErrorKind::Limit);
}

TEST(Run, a_request_to_stop_ends_an_endless_kernel) {
  std::stop_source source;
  std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  EXPECT_EQ(error_of(kernel_text("", "L: add.u32 %r1, %r1, 1; bra L;"), LaunchBuilder().launch,
                     {.stop = source.get_token()})
                .kind,
            ErrorKind::Cancelled);
}

TEST(Run, finished_blocks_are_counted) {
  std::atomic<uint64_t> finished = 0;
  KernelRun kernel;
  run_kernel(kernel, storing_kernel(), storing_launch(5).launch, {.finished_blocks = &finished});
  EXPECT_EQ(finished, 5u);
  EXPECT_EQ(kernel.sink.begun, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(Run, only_the_first_blocks_run_where_no_more_are_wanted) {
  KernelRun run;
  run_kernel(run, storing_kernel(), storing_launch(4).launch, {.first_blocks = 3});
  EXPECT_EQ(run.sink.begun, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_TRUE(run.outcome.hazards.empty());
}

TEST(Run, a_sample_of_blocks_is_spread_over_the_grid) {
  for (const unsigned threads : {1u, 2u}) {
    KernelRun run;
    run_kernel(run, storing_kernel(), storing_launch(10).launch, {.threads = threads, .spread_blocks = 3});
    std::vector<uint32_t> blocks = run.sink.begun;
    std::ranges::sort(blocks);
    EXPECT_EQ(blocks, (std::vector<uint32_t>{0, 3, 6}));
  }
  KernelRun all;
  run_kernel(all, storing_kernel(), storing_launch(5).launch, {.spread_blocks = 20});
  EXPECT_EQ(all.sink.begun.size(), 5u);
}

TEST(Run, instructions_are_counted_by_warp_and_lane) {
  LaunchBuilder builder({2, 1, 1}, {40, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(128)).value(uint32_t{40});
  KernelRun kernel;
  run_kernel(kernel, storing_kernel(), builder.launch);
  EXPECT_EQ(kernel.outcome.warp_instructions, 2u * 2 * 16);
  EXPECT_EQ(kernel.outcome.lane_instructions, 2u * 40 * 16);
}

TEST(Run, the_hazard_of_the_lowest_block_is_reported_whatever_the_number_of_workers) {
  const auto program = program_of(storing_kernel());
  ASSERT_TRUE(program);
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    Pool pool(threads);
    for (int round = 0; round < 5; ++round) {
      const auto recording = record(*program, storing_launch(300).launch, no_cost, {}, {.pool = &pool});
      ASSERT_TRUE(recording) << describe(recording.error());
      ASSERT_EQ(recording->trace.hazards.size(), 1u);
      EXPECT_EQ(recording->trace.hazards[0].block, (Dim3{5, 0, 0}));
      EXPECT_EQ(recording->trace.totals[0].requests, 5u);
      EXPECT_EQ(recording->trace.blocks.size(), 6u);
      EXPECT_EQ(values_of<uint32_t>(recording->buffers[0])[4 * 32 + 31], 19u);
      EXPECT_EQ(values_of<uint32_t>(recording->buffers[0])[6 * 32 + 31], 0u);
    }
  }
}

TEST(Run, a_trace_does_not_depend_on_the_number_of_workers) {
  const auto program =
      program_of(kernel_text(".param .u64 out",
                             "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; "
                             "mad.lo.u32 %r3, %r2, 64, %r1; mul.wide.u32 %rd2, %r3, 4;\n"
                             "add.u64 %rd1, %rd1, %rd2; rem.u32 %r4, %r3, 7; L: st.global.u32 [%rd1], %r4; "
                             "sub.u32 %r4, %r4, 1; setp.gt.s32 %p1, %r4, 0; @%p1 bra L; ret;"));
  ASSERT_TRUE(program) << describe(program.error());
  const auto record_with = [&](unsigned threads) {
    LaunchBuilder builder({64, 1, 1}, {64, 1, 1});
    builder.buffer("out", std::vector<uint32_t>(64 * 64));
    Pool pool(threads);
    trace::Keep keep;
    keep.budget_bytes = 20'000;
    return record(*program, builder.launch, no_cost, keep, {.pool = &pool});
  };
  const auto one = record_with(1);
  ASSERT_TRUE(one);
  EXPECT_GT(one->trace.dropped, 0u);
  EXPECT_FALSE(one->trace.blocks.empty());
  for (const unsigned threads : {2u, 5u}) {
    const auto many = record_with(threads);
    ASSERT_TRUE(many);
    EXPECT_EQ(many->trace.totals, one->trace.totals);
    EXPECT_EQ(many->trace.dropped, one->trace.dropped);
    EXPECT_EQ(many->trace.warp_instructions, one->trace.warp_instructions);
    EXPECT_EQ(many->trace.lane_instructions, one->trace.lane_instructions);
    EXPECT_EQ(*many->buffers[0], *one->buffers[0]);
    ASSERT_EQ(many->trace.blocks.size(), one->trace.blocks.size());
    for (size_t n = 0; n < one->trace.blocks.size(); ++n) {
      EXPECT_EQ(many->trace.blocks[n].cta, one->trace.blocks[n].cta);
      EXPECT_EQ(many->trace.blocks[n].accesses.size(), one->trace.blocks[n].accesses.size());
    }
  }
}

TEST(Run, the_header_of_a_trace_lists_buffers_and_sites) {
  const auto program = program_of(storing_kernel());
  ASSERT_TRUE(program);
  LaunchBuilder builder = storing_launch(2);
  builder.launch.buffers[0].shape = {2, 32};
  const trace::Trace trace = trace_header(*program, builder.launch);
  EXPECT_EQ(trace.kernel, "k");
  EXPECT_EQ(trace.grid, (Dim3{2, 1, 1}));
  ASSERT_EQ(trace.buffers.size(), 1u);
  EXPECT_EQ(trace.buffers[0].name, "out");
  EXPECT_EQ(trace.buffers[0].size_bytes, 256u);
  EXPECT_EQ(trace.buffers[0].row_elements, 32u);
  ASSERT_EQ(trace.sites.size(), 1u);
  EXPECT_EQ(trace.sites[0].ptx_text, "st.global.u32 [%rd1], %r4");
  EXPECT_EQ(trace.sites[0].operation, (trace::Operation{trace::Space::Global, trace::Kind::Store, 4}));
}

}  // namespace
}  // namespace lanescope::emulator
