// The memory chart, whose caches are modelled once it is looked at, and the occupancy.

#include "gui_test.h"

namespace lanescope {
namespace {

using view::PanelId;

class Memory : public GuiTest {
 protected:
  void show(ImGuiTestContext& context, const char* panel) {
    settle(context);
    context.WindowFocus(panel);
    context.Yield(4);
    settle(context);
  }
};

TEST_F(Memory, caches_are_modelled_once_the_chart_is_looked_at) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"h200"});
    settle(context);
    EXPECT_EQ(now()->run->caches, nullptr);
    show(context, "//###memory_chart");
    ASSERT_NE(now()->run->caches, nullptr);
    EXPECT_EQ(workspace().figure(PanelId::MemoryChart)->name, "memory_chart");
    picture(context, "memory_chart");
  });
}

TEST_F(Memory, device_without_rules_is_named_and_another_one_models_them) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"gt200"});
    show(context, "//###memory_chart");
    EXPECT_EQ(now()->run->caches, nullptr);
    session_->post(session::SetDevice{"h100"});
    settle(context);
    ASSERT_NE(now()->run->caches, nullptr);
    session_->post(session::SetDevice{"gt200"});
    settle(context);
    EXPECT_EQ(now()->run->caches, nullptr);
  });
}

TEST_F(Memory, runs_after_an_undo_and_a_have_caches_too) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"h200"});
    session_->post(session::Pin{});
    settle(context);
    session_->post(session::SetToggle{"padding", "1"});
    show(context, "//###memory_chart");
    ASSERT_NE(now()->pinned, nullptr);
    EXPECT_NE(now()->pinned->run->caches, nullptr);
    session_->post(session::Undo{});
    settle(context);
    EXPECT_NE(now()->run->caches, nullptr);
  });
}

TEST_F(Memory, roofline_is_of_the_kernel) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"h200"});
    show(context, "//###kernel_roofline");
    const plot::Figure* const figure = workspace().figure(PanelId::KernelRoofline);
    ASSERT_NE(figure, nullptr);
    EXPECT_EQ(figure->name, "kernel_roofline");
  });
}

TEST_F(Memory, device_of_documented_sizes_has_a_chart_and_no_roofline) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"ampere"});
    show(context, "//###memory_chart");
    ASSERT_NE(now()->run->caches, nullptr);
    const plot::Figure* const chart = workspace().figure(PanelId::MemoryChart);
    ASSERT_NE(chart, nullptr);
    EXPECT_TRUE(chart->source.contains("not checked on it")) << chart->source;
    show(context, "//###kernel_roofline");
    EXPECT_EQ(workspace().figure(PanelId::KernelRoofline), nullptr);
  });
}

TEST_F(Memory, occupancy_is_of_the_chosen_device) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"h200"});
    show(context, "//###occupancy");
    const plot::Figure* const figure = workspace().figure(PanelId::Occupancy);
    ASSERT_NE(figure, nullptr);
    EXPECT_TRUE(figure->subtitle.contains("NVIDIA H200")) << figure->subtitle;
    picture(context, "occupancy");
  });
}

}  // namespace
}  // namespace lanescope
