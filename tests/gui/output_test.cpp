// What a kernel prints and what the checks find in it: a lesson whose kernel is the test's own.

#include "compile/compile.h"
#include "gui_test.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class Output : public GuiTest {
 protected:
  void open(ImGuiTestContext& context) {
    context.WindowFocus("//###output");
    settle(context);
  }
};

TEST_F(Output, a_silent_kernel_says_so) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    EXPECT_TRUE(now()->run->trace->output.text.empty());
    picture(context, "output-empty");
  });
}

/// Prints a line per block; all threads of a block write one place of shared memory.
const char* const kTalking =
    R"(extern "C" __global__ void transpose_tiled(const float* in, float* out, int width, int height) {
  __shared__ int last;
  last = threadIdx.x;
  if (threadIdx.x == 0 && threadIdx.y == 0) printf("block %d, %d of %d\n", blockIdx.x, blockIdx.y, width);
  out[threadIdx.x] = in[last];
}
)";

/// The tiled kernel is the test's own.
class OwnKernel : public Output {
 protected:
  explicit OwnKernel(const char* source) : source_(source) {}
  pipeline::Options session_options() const override {
    pipeline::Options options = Output::session_options();
    options.kernels = scratch("kernels");
    fs::create_directories(options.kernels);
    for (const auto& kernel : fs::directory_iterator(Output::session_options().kernels))
      fs::copy_file(kernel, options.kernels / kernel.path().filename(), fs::copy_options::overwrite_existing);
    std::ofstream(options.kernels / "transpose_tiled.cu") << source_;
    return options;
  }
  void SetUp() override {
    if (!compile::find_compiler(Output::session_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    Output::SetUp();
  }

 private:
  const char* source_;
};

class Talking : public OwnKernel {
 protected:
  Talking() : OwnKernel(kTalking) {}
};

TEST_F(Talking, lines_and_findings_are_in_the_panel) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    ASSERT_NE(now()->run, nullptr);
    EXPECT_TRUE(now()->run->trace->output.text.starts_with("block 0, 0 of 1024\nblock 1, 0 of 1024\n"));
    ASSERT_FALSE(now()->run->trace->hazards.empty());
    picture(context, "output");
    // A click on the first finding goes to its line, whatever access was shown.
    press(context, ImGuiKey_End);
    context.SetRef(window(context, "###output/output"));
    context.ItemClick("$$0/finding");
    settle(context);
    const trace::Hazard hazard = now()->run->trace->hazards[0];
    EXPECT_EQ(now()->selection.timeline[now()->selection.access].line, hazard.where.line);
    // And to its block and warp, from wherever one is; the banner leads there too.
    session_->post(session::SelectBlock{CtaId{5}});
    settle(context);
    session_->post(session::SelectWarp{WarpId{3}});
    settle(context);
    context.SetRef("//Lanescope");
    context.ItemClick("error");
    settle(context);
    EXPECT_EQ(now()->selection.cta.value, linear(hazard.block, now()->run->trace->grid));
    EXPECT_EQ(now()->selection.warp.value, linear(hazard.thread, now()->run->trace->block) / 32);
  });
}

class Misspelt : public OwnKernel {
 protected:
  Misspelt() : OwnKernel("__global__ void transpose_tiled() { no_such_name(); }\n") {}
};

TEST_F(Misspelt, the_compilers_log_is_shown_in_the_source_panel_and_the_window_keeps_working) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_TRUE(now()->error);
    EXPECT_EQ(now()->error->kind, ErrorKind::Compile);
    picture(context, "misspelt");
  });
  frames_->draw();
  EXPECT_EQ(ImGui::GetCurrentContext()->ErrorCountCurrentFrame, 0) << "mistakes in how the window is drawn";
}

}  // namespace
}  // namespace lanescope
