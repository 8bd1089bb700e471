#include "gpu/instrument/driver_trace_machine.h"

#include "support/on_fake_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

TEST(FittingRegisters, are_the_most_with_which_the_block_fits_a_multiprocessor) {
  EXPECT_EQ(fitting_registers(1024), 64u);
  EXPECT_EQ(fitting_registers(768), 80u) << "85.3, rounded down to 8";
  EXPECT_EQ(fitting_registers(1000), 64u) << "the last warp takes a whole one's";
  EXPECT_EQ(fitting_registers(288), 224u);
  EXPECT_EQ(fitting_registers(256), std::nullopt) << "256 are more than a thread may have";
  EXPECT_EQ(fitting_registers(1), std::nullopt);
}

TEST(Module, is_compiled_with_a_register_limit_where_one_is_given) {
  const tests::FakeDriver driver(1 << 20);
  ASSERT_TRUE(Module::load(driver.context(), ".version 7.8", "f.ptx", 64));
  ASSERT_TRUE(Module::load(driver.context(), ".version 7.8", "f.ptx"));
  EXPECT_THAT(driver.notes(), testing::ElementsAre("registers 64"));
}

}  // namespace
}  // namespace lanescope::gpu
