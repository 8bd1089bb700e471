// The fixture of tests that compile a program by nvcc and run it on Lanescope's driver: skipped, with the
// reason, where a build cannot.

#pragma once

#include "support/project.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace lanescope::tests {

class SourceProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(std::filesystem::path(lanescope_program()).parent_path() /
                                 "driver/libcuda.so.1"))
      GTEST_SKIP() << "this build has no driver: CUDA's headers are missing";
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "a program that nvcc compiled does not load a library that AddressSanitizer instruments";
#endif
  }
};

}  // namespace lanescope::tests
