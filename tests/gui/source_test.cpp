// The source panel while one reads: files, the line of a toggle, long lines, and the PTX of a line.

#include "gui_test.h"
#include "session/source_texts.h"

#include <algorithm>
#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace lanescope {
namespace {

class Source : public GuiTest {
 protected:
  void press_button(ImGuiTestContext& context, const char* name) {
    context.SetRef(window(context, "###source"));
    context.ItemClick(name);
    context.Yield(3);
    settle(context);
  }
  /// Whether the first row of this line is within the listing.
  bool is_in_sight(ImGuiTestContext& context, int line) {
    context.SetRef(window(context, "###source/source"));
    const auto item =
        context.ItemInfo(("$$" + std::to_string(line) + "/line").c_str(), ImGuiTestOpFlags_NoError);
    return item.ID != 0 && item.Window->InnerClipRect.Contains(item.RectFull.GetCenter());
  }
  int current_line() { return now()->selection.timeline[now()->selection.access].line; }
};

TEST_F(Source, a_toggle_offers_the_line_that_it_changes_and_shows_it) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.SetRef(window(context, "###source"));
    EXPECT_FALSE(context.ItemExists("toggle_line"));
    press(context, ImGuiKey_D);
    context.Yield(3);
    press_button(context, "toggle_line");
    const auto shown = now();
    const auto line = std::ranges::find(shown->sources->toggles, "order", &session::ToggleLine::toggle);
    ASSERT_NE(line, shown->sources->toggles.end());
    EXPECT_EQ(line->file, 1u);
    EXPECT_TRUE(is_in_sight(context, line->line));
    picture(context, "toggle_line");
    // The next access is in the source again.
    press(context, ImGuiKey_RightArrow);
    context.Yield(3);
    EXPECT_TRUE(is_in_sight(context, current_line()));
  });
}

TEST_F(Source, the_files_of_the_kernel_are_tabs) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    press_button(context, "file1");
    EXPECT_TRUE(is_in_sight(context, 1));
    context.SetRef(window(context, "###source"));
    EXPECT_FALSE(context.ItemExists("file2"));
    press_button(context, "file0");
    EXPECT_TRUE(is_in_sight(context, current_line()));
  });
}

TEST_F(Source, the_title_of_the_listing_has_a_row_of_its_own_where_the_choices_leave_it_no_room) {
  GLFWwindow* native = glfwGetCurrentContext();  // of this thread, which draws
  ASSERT_NE(native, nullptr);
  // Pixels from the upper edge of the listing to its choices.
  const auto above_choices = [&](ImGuiTestContext& context) {
    context.SetRef(window(context, "###source"));
    const auto item = context.ItemInfo("**/ptx_extent/whole");
    return item.RectFull.Min.y - context.ItemInfo("**/splitter").RectFull.Max.y;
  };
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const float wide = above_choices(context);
    glfwSetWindowSize(native, 820, 1180);
    shell::PageActions page;
    page.least_control = 44;
    frames_->connect(page);
    session_->post(session::SetLanguage{Language::French});
    settle(context);
    context.Yield(20);
    picture(context, "tablet");
    EXPECT_GT(above_choices(context), wide + 10);
  });
}

TEST_F(Source, the_current_line_is_in_sight_whole_in_a_small_window_with_large_text) {
  GLFWwindow* native = glfwGetCurrentContext();  // of this thread, which draws
  ASSERT_NE(native, nullptr);
  glfwSetWindowSize(native, 1280, 720);
  drive([&](ImGuiTestContext& context) {
    workspace().preferences().text = 20;
    context.Yield(20);
    for (int n = 0; n < 3; ++n) {
      EXPECT_TRUE(is_in_sight(context, current_line())) << "line " << current_line();
      // Its rows are no wider than the listing.
      const auto row = context.ItemInfo(("$$" + std::to_string(current_line()) + "/line").c_str());
      EXPECT_LE(row.RectFull.Max.x, row.Window->InnerClipRect.Max.x);
      press(context, ImGuiKey_RightArrow);
      context.Yield(3);
    }
    picture(context, "source_large_text");
  });
}

TEST_F(Source, an_instruction_shows_the_line_that_it_comes_from) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.SetRef(window(context, "###source/ptx"));
    // Any instruction of the current line: the pointer over it leaves that line where it is.
    const int ptx = now()->run->trace->sites[now()->selection.current->traced.access.site.value].ptx_line;
    context.MouseMove(("$$" + std::to_string(ptx - 1) + "/instruction").c_str());
    context.Yield(3);
    EXPECT_TRUE(is_in_sight(context, current_line()));
    picture(context, "ptx_hover");
    // A line without an access is clicked: its instructions are shown.
    const std::string& text = now()->run->source_text;
    const size_t at = text.find("int x = tile.x");
    ASSERT_NE(at, std::string::npos);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
    context.SetRef(window(context, "###source/source"));
    context.ItemClick(("$$" + std::to_string(line) + "/line").c_str());
    context.Yield(3);
    context.SetRef(window(context, "###source/ptx"));
    EXPECT_FALSE(context.ItemExists(("$$" + std::to_string(ptx - 1) + "/instruction").c_str()));
    picture(context, "ptx_of_clicked_line");
  });
}

TEST_F(Source, the_machine_code_is_listed_beside_the_ptx_with_the_current_access) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    session_->post(session::SetDevice{"h200"});
    settle(context);
    press_button(context, "count_level/sass");
    if (now()->error) return;  // no compiler: the counts stay those of the PTX
    ASSERT_NE(now()->run->machine, nullptr);
    EXPECT_EQ(now()->run->trace->level, trace::CountLevel::MachineCode);
    const sass::Match& match = now()->run->machine->match;
    const sass::SiteMatch& site = match.sites[now()->selection.current->traced.access.site.value];
    ASSERT_FALSE(site.instructions.empty());
    context.SetRef(window(context, "###source/of_sass/sass"));
    const uint32_t pc = match.accesses[site.instructions.front()].pc;
    const std::string row = "$$" + std::to_string(pc) + "/machine instruction";
    EXPECT_TRUE(context.ItemExists(row.c_str()));
    context.MouseMove(row.c_str());
    context.Yield(3);
    EXPECT_TRUE(is_in_sight(context, current_line()));
    picture(context, "sass_hover");
    // The panel of an access names the instruction that it draws.
    ASSERT_TRUE(now()->selection.current->drawn.instruction.starts_with("LDG") ||
                now()->selection.current->drawn.instruction.starts_with("LDS"));
    press_button(context, "count_level/ptx");
    EXPECT_EQ(now()->run->trace->level, trace::CountLevel::Ptx);
  });
}

}  // namespace
}  // namespace lanescope
