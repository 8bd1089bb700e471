// The bodies parse and lower, and lines keep their numbers.

#include "ptx/device_runtime.h"

#include "ptx/lower.h"
#include "ptx/module.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

constexpr const char* kText = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func  (.param .b64 func_retval0) cudaCGGetIntrinsicHandle
(
	.param .b32 cudaCGGetIntrinsicHandle_param_0
)
;
.extern .func  (.param .b32 func_retval0) cudaCGSynchronize
(
	.param .b64 cudaCGSynchronize_param_0,
	.param .b32 cudaCGSynchronize_param_1
)
;
.visible .entry kernel(.param .u64 out) {
  .reg .b32 %r1; .reg .b64 %rd1;
  { .param .b32 a; st.param.b32 [a], 1; .param .b64 r;
    call.uni (r), cudaCGGetIntrinsicHandle, (a); ld.param.b64 %rd1, [r]; }
  { .param .b64 a; st.param.b64 [a], %rd1; .param .b32 b; st.param.b32 [b], 0; .param .b32 r;
    call.uni (r), cudaCGSynchronize, (a, b); ld.param.b32 %r1, [r]; }
  ret;
}
)";

TEST(DeviceRuntime, declared_functions_get_bodies_on_their_own_lines) {
  const std::string text = with_device_runtime(kText);
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(std::string_view(kText), '\n'));
  EXPECT_EQ(text.find(".extern"), std::string::npos);
  EXPECT_EQ(std::ranges::count(std::string_view(text).substr(0, text.find(".visible")), '\n'), 14);
  const auto module = parse(text, "module");
  ASSERT_TRUE(module) << describe(module.error());
  const auto program = lower(*module, "kernel");
  ASSERT_TRUE(program) << describe(program.error());
  EXPECT_TRUE(uses_workspace(*program));
  EXPECT_FALSE(lower(*parse(kText, "module"), "kernel")) << "without bodies it is refused";
}

constexpr const char* kLaunchingText = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func  (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2
(
	.param .b64 __cudaCDP2GetParameterBufferV2_param_0,
	.param .align 4 .b8 __cudaCDP2GetParameterBufferV2_param_1[12],
	.param .align 4 .b8 __cudaCDP2GetParameterBufferV2_param_2[12],
	.param .b32 __cudaCDP2GetParameterBufferV2_param_3
)
;
.extern .func  (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2
(
	.param .b64 __cudaCDP2LaunchDeviceV2_param_0,
	.param .b64 __cudaCDP2LaunchDeviceV2_param_1
)
;
.visible .entry child() { ret; }
.visible .entry kernel() {
  .reg .b32 %r1; .reg .b64 %rd<3>;
  mov.u64 %rd1, child;
  { .param .b64 f; st.param.b64 [f], %rd1;
    .param .align 4 .b8 g[12]; st.param.b32 [g], 2; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    .param .align 4 .b8 b[12]; st.param.b32 [b], 32; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    .param .b32 s; st.param.b32 [s], 0; .param .b64 r;
    call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %rd2, [r]; }
  { .param .b64 a; st.param.b64 [a], %rd2; .param .b64 s; st.param.b64 [s], 0; .param .b32 r;
    call.uni (r), __cudaCDP2LaunchDeviceV2, (a, s); ld.param.b32 %r1, [r]; }
  ret;
}
)";

TEST(DeviceRuntime, a_kernel_may_launch_a_kernel) {
  const std::string text = with_device_runtime(kLaunchingText);
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(std::string_view(kLaunchingText), '\n'));
  const auto module = parse(text, "module");
  ASSERT_TRUE(module) << describe(module.error());
  EXPECT_NE(std::ranges::find(module->globals, kDeviceLaunches, &Variable::name), module->globals.end());
  const auto program = lower(*module, "kernel");
  ASSERT_TRUE(program) << describe(program.error());
  const auto without = lower(*parse(kLaunchingText, "module"), "kernel");
  ASSERT_FALSE(without);
  EXPECT_NE(describe(without.error()).find("dynamic parallelism"), std::string::npos);
}

TEST(DeviceRuntime, other_texts_stay_as_they_are) {
  const std::string mention = "// cudaCGSynchronize\n.visible .entry k() { ret; }\n";
  EXPECT_EQ(with_device_runtime(mention), mention);
  const std::string own = ".func cudaCGSynchronize() { ret; }";
  EXPECT_EQ(with_device_runtime(own), own);
  EXPECT_EQ(with_device_runtime(""), "");
}

}  // namespace
}  // namespace lanescope::ptx
