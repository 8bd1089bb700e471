// Choosing the producer in the toolbar: a GPU whose traces are made by its recorders in the emulator.

#include "gui_test.h"
#include "support/emulated_gpu.h"

namespace lanescope {
namespace {

using pipeline::Producer;

class WithGpu : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.open_gpu = [](const std::stop_token&) -> Result<std::unique_ptr<gpu::Gpu>> {
      return std::make_unique<tests::EmulatedGpu>();
    };
    return options;
  }
  void choose(ImGuiTestContext& context, const char* item) {
    click(context, "Lanescope/toolbar", "producer");
    context.SetRef("//$FOCUSED");
    context.ItemClick(item);
    context.Yield();
    settle(context);
  }
};

TEST_F(WithGpu, the_bar_runs_the_kernel_on_it_and_back_in_the_emulator) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    session_->post(session::SetToggle{"size", "128"});
    settle(context);
    choose(context, "###gpu");
    EXPECT_EQ(now()->choices.producer, Producer::Gpu);
    EXPECT_FALSE(now()->error);
    EXPECT_EQ(now()->run->trace->provenance, Provenance::Traced);
    picture(context, "producer-gpu");
    choose(context, "###emulator");
    EXPECT_EQ(now()->run->trace->provenance, Provenance::Emulated);
  });
}

class WithoutGpu : public GuiTest {};

TEST_F(WithoutGpu, the_bar_offers_no_choice) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_FALSE(now()->available.has_gpu);
    context.SetRef(window(context, "Lanescope/toolbar"));
    EXPECT_FALSE(context.ItemExists("producer"));
    EXPECT_TRUE(context.ItemExists("padding/0"));
  });
}

}  // namespace
}  // namespace lanescope
