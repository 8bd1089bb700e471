#include "gpu/probe/slices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

/// A block of 64 threads on every multiprocessor, of which one works: thread t follows sheet[t].count loads
/// through zeroed memory at sheet[t].address; then the last thread makes dependent atomics at its own.
constexpr std::string_view kProbe = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry probe(.param .u64 sheet, .param .u32 multiprocessor, .param .u32 atomics) {
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u32 %r1, [multiprocessor]; mov.u32 %r2, %smid; setp.ne.u32 %p1, %r1, %r2; @%p1 bra END;
  ld.param.u64 %rd1, [sheet]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 16; add.u64 %rd1, %rd1, %rd2;
  ld.global.v2.u64 {%rd3, %rd4}, [%rd1];
  cvt.u32.u64 %r4, %rd4; mov.u32 %r5, 0;
READ:
  setp.ge.u32 %p1, %r5, %r4; @%p1 bra DONE;
  ld.relaxed.gpu.global.u64 %rd5, [%rd3]; add.u64 %rd3, %rd3, %rd5; add.u32 %r5, %r5, 1; bra READ;
DONE:
  bar.sync 0;
  setp.ne.u32 %p1, %r3, 63; @%p1 bra END;
  ld.param.u32 %r4, [atomics]; mov.u32 %r5, 0; mov.u64 %rd6, 0;
ADD:
  setp.ge.u32 %p1, %r5, %r4; @%p1 bra END;
  atom.relaxed.gpu.global.add.u64 %rd5, [%rd3], %rd6; add.u64 %rd3, %rd3, %rd5; add.u32 %r5, %r5, 1; bra ADD;
END:
  ret;
})";

constexpr uint32_t kThreads = 64;
/// Shared memory that leaves room for one block on a multiprocessor.
constexpr uint32_t kSharedBytes = 120 << 10;
constexpr uint32_t kStep = 16;           // loads between one pair and the next: more than the noise
constexpr uint32_t kUnknownLoads = 784;  // more than any pair's own
constexpr uint32_t kAtomics = 512;       // more than the lines that cross the fabric once
constexpr uint32_t kLineBytes = 128;
constexpr size_t kBatch = 512;  // launches of one count

struct Entry {
  uint64_t address = 0;
  uint64_t loads = 0;
};
using Sheet = std::array<Entry, kThreads>;

}  // namespace

SliceProbe::SliceProbe(Context context, RangeProfiler profiler, Module module, Buffer sheets)
    : context_(std::move(context)),
      profiler_(std::move(profiler)),
      module_(std::move(module)),
      sheets_(std::move(sheets)) {}

Result<SliceProbe> SliceProbe::make(const Context& context, const Cupti& cupti) {
  TRY(Module module, Module::load(context, kProbe, "the probe of the slices"));
  TRY(Buffer sheets, Buffer::allocate(context, kBatch * sizeof(Sheet)));
  TRY(RangeProfiler profiler,
      RangeProfiler::make(
          context, cupti,
          {"lts__t_requests_srcunit_tex_op_read.max", "lts__t_requests_srcunit_ltcfabric.sum"}, kBatch));
  return SliceProbe(context, std::move(profiler), std::move(module), std::move(sheets));
}

Result<std::vector<SliceProbe::Outcome>> SliceProbe::launch(std::span<const uint64_t> addresses) {
  std::vector<Sheet> sheets(addresses.size());
  for (size_t n = 0; n < addresses.size(); ++n) {
    for (size_t pair = 0; pair < representatives_.size(); ++pair)
      sheets[n][pair] = {representatives_[pair], kStep * (pair + 1)};
    // The second line of the granule: the first may be a representative, and reads of one line merge.
    sheets[n][kThreads - 1] = {addresses[n] + kLineBytes, kUnknownLoads};
  }
  TRY_VOID(sheets_.upload(std::as_bytes(std::span(sheets))));
  uint64_t sheet = 0;
  uint32_t multiprocessor = 0;
  uint32_t atomics = kAtomics;
  std::array<void*, 3> arguments{&sheet, &multiprocessor, &atomics};
  const auto blocks = static_cast<uint32_t>(context_.device().multiprocessors);
  TRY(const auto values, profiler_.count(addresses.size(), {}, [&](size_t n) {
    sheet = sheets_.address() + n * sizeof(Sheet);
    return module_.launch("probe", {blocks, 1, 1}, {kThreads, 1, 1}, kSharedBytes, arguments);
  }));
  std::vector<Outcome> outcomes;
  for (const auto& value : values) outcomes.push_back({value[0], value[1]});
  return outcomes;
}

Result<std::optional<uint8_t>> SliceProbe::pair_of(const Outcome& outcome, size_t known) {
  const double above = (outcome.most - kUnknownLoads) / kStep;
  const auto nearest = static_cast<long>(std::lround(above));
  if (!std::isfinite(above) || std::abs(above - static_cast<double>(nearest)) > 0.45 || nearest < 0 ||
      nearest > static_cast<long>(known))
    return fail(
        ErrorKind::Unsupported,
        fmt::format("the busiest slice was expected to count {} requests and a multiple of {} up to {}, "
                    "it counted {}; end other programs that use the GPU and try again",
                    kUnknownLoads, kStep, known, outcome.most));
  if (nearest == 0) return std::optional<uint8_t>();
  return static_cast<uint8_t>(nearest - 1);
}

Result<void> SliceProbe::find_pairs(const std::vector<uint64_t>& addresses) {
  for (size_t n = 0; n < addresses.size() && representatives_.size() < kMostPairs; ++n) {
    TRY(const auto outcomes, launch(std::span(addresses).subspan(n, 1)));
    TRY(const auto pair, pair_of(outcomes[0], representatives_.size()));
    if (!pair) representatives_.push_back(addresses[n]);
  }
  return {};
}

Result<std::vector<ProbedSlice>> SliceProbe::probe(const std::vector<uint64_t>& addresses) {
  if (representatives_.empty()) TRY_VOID(find_pairs(addresses));
  std::vector<ProbedSlice> slices;
  for (size_t first = 0; first < addresses.size(); first += kBatch) {
    const auto batch = std::span(addresses).subspan(first, std::min(kBatch, addresses.size() - first));
    TRY(const auto outcomes, launch(batch));
    for (const Outcome& outcome : outcomes) {
      TRY(const auto pair, pair_of(outcome, representatives_.size()));
      if (!pair)
        return fail(
            ErrorKind::Unsupported,
            fmt::format("an L2 of {} pairs of slices was expected, this GPU has more; the probe knows "
                        "the H100 and the H200",
                        representatives_.size()));
      slices.push_back({*pair, static_cast<uint8_t>(outcome.fabric > kAtomics / 2.0 ? 1 : 0)});
    }
  }
  return slices;
}

}  // namespace lanescope::gpu
