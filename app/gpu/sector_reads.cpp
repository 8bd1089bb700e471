#include "gpu/sector_reads.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope::gpu {
namespace {

constexpr std::string_view kReading = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry reading(.param .u64 from, .param .u64 bytes) {
  .reg .pred %outside; .reg .b32 %r<5>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [bytes];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; cvt.u64.u32 %rd3, %r3;
  mad.wide.u32 %rd3, %r1, %r2, %rd3; shl.b64 %rd3, %rd3, 5;
  setp.ge.u64 %outside, %rd3, %rd2; @%outside bra END;
  add.u64 %rd1, %rd1, %rd3; ld.volatile.global.u8 %r4, [%rd1];
END:
  ret;
})";

constexpr uint32_t kThreads = 256;
constexpr uint64_t kSectorBytes = 32;

}  // namespace

Result<SectorReads> SectorReads::make(const Context& context) {
  TRY(Module module, Module::load(context, kReading, "the kernel that reads sectors"));
  return SectorReads(std::move(module));
}

Result<void> SectorReads::queue(const Buffer& buffer) const {
  uint64_t address = buffer.address();
  uint64_t bytes = buffer.size_bytes();
  std::array<void*, 2> arguments{&address, &bytes};
  constexpr uint64_t kOfBlock = kThreads * kSectorBytes;
  const auto blocks = static_cast<uint32_t>(std::max<uint64_t>((bytes + kOfBlock - 1) / kOfBlock, 1));
  return module_.launch("reading", {blocks, 1, 1}, {kThreads, 1, 1}, 0, arguments);
}

}  // namespace lanescope::gpu
