#include "gpu/l2_flush.h"

namespace lanescope::gpu {

Result<L2Flush> L2Flush::make(const Context& context) {
  const uint64_t bytes = 2 * context.device().l2_bytes;
  TRY(Buffer from, Buffer::allocate(context, bytes));
  TRY(Buffer to, Buffer::allocate(context, bytes));
  return L2Flush(std::move(from), std::move(to));
}

}  // namespace lanescope::gpu
