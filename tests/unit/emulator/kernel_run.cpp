#include "kernel_run.h"

#include <optional>

namespace lanescope::emulator {

void ListSink::on_access(const trace::WarpAccess& access) {
  AccessList::Access kept{.cta = access.cta.value,
                          .warp = access.warp.value,
                          .step = access.step,
                          .site = access.site.value,
                          .mask = access.active.bits,
                          .affine = access.addresses.affine(),
                          .operation = access.operation,
                          .owner = access.owner,
                          .addresses = {},
                          .values = {}};
  trace::for_each_address(access, [&](int, int, uint64_t address) { kept.addresses.push_back(address); });
  if (access.values != nullptr)
    kept.values.assign(access.values,
                       access.values + kept.addresses.size() * access.operation.bytes_per_lane);
  accesses_.list.push_back(std::move(kept));
}

std::string kernel_text(std::string_view parameters, std::string_view body, std::string_view before) {
  return fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n{}\n.visible .entry k({})\n{{\n"
      ".reg .pred %p<32>; .reg .b16 %rs<32>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<32>; .reg "
      ".f64 %fd<32>;\n"
      "{}\n}}\n",
      before, parameters, body);
}

Result<ptx::Program> program_of(const std::string& text) {
  TRY(const ptx::Module module, ptx::parse(text, "test.ptx"));
  return ptx::lower(module, "k");
}

void run_kernel(KernelRun& run_of, const std::string& text, const launch::Launch& launch, Options options) {
  const Result<ptx::Program> program = program_of(text);
  ASSERT_TRUE(program) << describe(program.error()) << "\n" << text;
  options.threads = 1;
  ListSink sink(run_of.sink);
  Result<Outcome> outcome = run(*program, launch, [&](unsigned) -> trace::Sink& { return sink; }, options);
  ASSERT_TRUE(outcome) << describe(outcome.error());
  run_of.outcome = std::move(*outcome);
}

Error error_of(const std::string& text, const launch::Launch& launch, Options options) {
  const Result<ptx::Program> program = program_of(text);
  if (!program) return program.error();
  AccessList accesses;
  ListSink sink(accesses);
  options.threads = 1;
  Result<Outcome> outcome = run(*program, launch, [&](unsigned) -> trace::Sink& { return sink; }, options);
  return outcome ? Error{.kind = ErrorKind::Internal, .message = "it ran"} : outcome.error();
}

namespace evaluation {

uint64_t run_in_all_ways(std::string_view instruction, const std::string& setup,
                         const std::vector<uint64_t>& in, int d_bits, size_t bytes, std::string_view stored) {
  constexpr uint32_t kThreads = 80;  // two warps and a half
  const uint64_t low = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * bytes) - 1;
  std::optional<uint64_t> result;
  for (const Vectors vectors : kAllVectors) {
    for (const bool masked : {false, true}) {
      LaunchBuilder builder({1, 1, 1}, {kThreads, 1, 1});
      builder.buffer("in", in).buffer("out", std::vector<uint64_t>(kThreads));
      const std::string body = fmt::format(
          "{}mov.u32 %r_tid, %tid.x; and.b32 %r0, %r_tid, 1; setp.eq.u32 %odd, %r0, 1;\n{}{}\n{}"
          "mul.wide.u32 %rd0, %r_tid, 8; add.u64 %rd0, %rd0, %rd_out;\nst.global.b{} [%rd0], {};\nret;",
          setup, masked ? "@%odd " : "", instruction, stored == "%d" ? "" : "selp.u32 %d_word, 1, 0, %d;\n",
          d_bits, stored);
      KernelRun kernel;
      run_kernel(kernel, kernel_text(".param .u64 in, .param .u64 out", body), builder.launch,
                 {.vectors = vectors});
      if (kernel.outcome.buffers.size() != 2) return 0;
      EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
      const auto out = values_of<uint64_t>(kernel.outcome.buffers[1]);
      if (!result) result = out[0] & low;
      for (uint32_t thread = 0; thread < kThreads; ++thread) {
        const uint64_t expected = masked && thread % 2 == 0 ? 0 : *result;
        EXPECT_EQ(out[thread] & low, expected) << instruction << " thread " << thread << " masked " << masked;
        if ((out[thread] & low) != expected) return *result;
      }
    }
  }
  return *result;
}

}  // namespace evaluation

}  // namespace lanescope::emulator
