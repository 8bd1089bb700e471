#include "emulator/exec.h"
namespace lanescope::emulator::LANESCOPE_VECTORS {
Handler atomic_handler(const ptx::Program&, const ptx::Step&) { return nullptr; }
}
