#include "emulator/exec.h"
namespace lanescope::emulator::LANESCOPE_VECTORS {
Handler video_handler(const ptx::Program&, const ptx::Step&) { return nullptr; }
}  // namespace lanescope::emulator::LANESCOPE_VECTORS
