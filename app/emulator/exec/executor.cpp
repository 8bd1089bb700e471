#include "emulator/exec/executor.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {

Handler find_handler(const ptx::Program& program, const ptx::Step& step) {
  for (const FindHandler family :
       {cluster_handler,        move_handler,        convert_handler,      any_conversion_handler,
        integer_handler,        carry_handler,       bits_handler,         float_handler,
        directed_handler,       half_handler,        compare_handler,      memory_handler,
        atomic_handler,         warp_handler,        async_copy_handler,   bulk_reduction_handler,
        mbarrier_handler,       matrix_move_handler, quad_product_handler, sparse_product_handler,
        matrix_product_handler, video_handler,       stack_handler,        image_handler}) {
    if (const Handler handler = family(program, step)) return handler;
  }
  return nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
