#include "emulator/exec.h"
namespace lanescope::emulator::LANESCOPE_VECTORS {
Handler float_handler(const ptx::Program&, const ptx::Step&) { return nullptr; }
}
