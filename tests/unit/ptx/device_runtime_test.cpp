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

TEST(DeviceRuntime, other_texts_stay_as_they_are) {
  const std::string mention = "// cudaCGSynchronize\n.visible .entry k() { ret; }\n";
  EXPECT_EQ(with_device_runtime(mention), mention);
  const std::string own = ".func cudaCGSynchronize() { ret; }";
  EXPECT_EQ(with_device_runtime(own), own);
  EXPECT_EQ(with_device_runtime(""), "");
}

}  // namespace
}  // namespace lanescope::ptx
