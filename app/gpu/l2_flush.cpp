#include "gpu/l2_flush.h"

namespace lanescope::gpu {

Result<L2Flush> L2Flush::make(const Context& context) {
  constexpr uint64_t kTimesTheCache = 4;
  TRY(SectorReads reads, SectorReads::make(context));
  TRY(Buffer buffer, Buffer::allocate(context, kTimesTheCache * context.device().l2_bytes));
  TRY_VOID(buffer.clear());
  return L2Flush(std::move(reads), std::move(buffer));
}

}  // namespace lanescope::gpu
