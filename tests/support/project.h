// Where the project is, and the programs that its tests start. project.cpp alone is compiled with paths of
// this machine, so that everything else compiles to the same objects in every checkout.

#pragma once

#include <filesystem>
#include <string>

namespace lanescope::tests {

/// The folder that holds app/, assets/, tests/.
std::filesystem::path source_dir();

/// Files of this build. A test that uses one needs add_dependencies() on its target.
std::string lanescope_program();
std::string fake_driver_library();  // support/fake_driver.cpp; empty in a build without CUDA's headers
std::string fake_gpu_server();      // support/fake_gpu_server.cpp; likewise

}  // namespace lanescope::tests
