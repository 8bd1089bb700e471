#include "support/project.h"

namespace lanescope::tests {

std::filesystem::path source_dir() { return LANESCOPE_SOURCE_DIR; }
std::string lanescope_program() { return LANESCOPE_PROGRAM; }
std::string fake_driver_library() { return LANESCOPE_FAKE_DRIVER; }
std::string fake_gpu_server() { return LANESCOPE_FAKE_GPU_SERVER; }

}  // namespace lanescope::tests
