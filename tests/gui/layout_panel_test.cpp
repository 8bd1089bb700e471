// The panel Layout: what is typed is drawn at once, and a mistake is reported.

#include "gui_test.h"

#include <string>

namespace lanescope {
namespace {

class LayoutPanel : public GuiTest {
 protected:
  void open(ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###layout");
    context.Yield(3);
  }
  void type(ImGuiTestContext& context, const char* field, const char* text) {
    context.SetRef(window(context, "###layout"));
    context.ItemInputValue(field, text);
    context.Yield(3);
  }
  const plot::Figure* shown() { return workspace().figure(view::PanelId::Layout); }
  /// Wavefronts of the first access: [2] without, [3] with the swizzle or padding.
  int64_t wavefronts(size_t column) { return std::get<int64_t>(shown()->table.rows.at(0).at(column)); }
};

TEST_F(LayoutPanel, answers_each_text_that_is_typed) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    type(context, "##accesses", "ldmatrix.x4 ld.column.4");
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(shown()->table.rows.size(), 2u);
    EXPECT_EQ(wavefronts(2), 64);
    EXPECT_EQ(wavefronts(3), 8);
    type(context, "##swizzle", "2,3,3");
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(wavefronts(3), 16);
    picture(context, "layout");
  });
}

TEST_F(LayoutPanel, a_mistake_is_reported_and_its_correction_draws_again) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    type(context, "##layout", "(8,64");
    EXPECT_EQ(shown(), nullptr);
    type(context, "##layout", "(448,512):(512,1)");
    EXPECT_EQ(shown(), nullptr);
    type(context, "##layout", "(16,64):(64,1)");
    ASSERT_NE(shown(), nullptr);
    EXPECT_NE(shown()->subtitle.find("(16,64):(64,1)"), std::string::npos);
  });
}

TEST_F(LayoutPanel, follows_the_toggles_of_a_lesson_about_a_tile) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::OpenLesson{"layouts"});
    open(context);
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(wavefronts(3), 8) << "two requests of four wavefronts store the eight rows of 128 bytes";
    EXPECT_NE(shown()->subtitle.find("(8,64):(64,1)"), std::string::npos);
    session_->post(session::SetToggle{"kernel", "columns"});
    settle(context);
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(shown()->table.rows.size(), 2u);
    EXPECT_NE(shown()->subtitle.find("(32,32):(32,1)"), std::string::npos);
    type(context, "##accesses", "ld.column.4");
    EXPECT_EQ(shown()->table.rows.size(), 1u);
    session_->post(session::SetToggle{"padding", "1"});
    settle(context);
    EXPECT_EQ(shown()->table.rows.size(), 2u) << "a toggle asks the lesson's question again";
  });
}

}  // namespace
}  // namespace lanescope
