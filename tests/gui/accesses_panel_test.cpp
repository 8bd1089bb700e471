// The list of accesses: filtered, sorted, and gone through.

#include "gui_test.h"

namespace lanescope {
namespace {

class Accesses : public GuiTest {
 protected:
  void show(ImGuiTestContext& context) {
    settle(context);
    context.WindowFocus("//###accesses");
    context.Yield(4);
  }
  /// Whether the access is listed, and in sight.
  static bool lists(ImGuiTestContext& context, const char* row) {
    context.SetRef("//###accesses");
    return context.ItemExists(row);
  }
  static ImGuiTable* find_table() {
    ImGuiContext& gui = *ImGui::GetCurrentContext();
    for (int n = 0; n < gui.Tables.GetMapSize(); ++n)
      if (ImGuiTable* const table = gui.Tables.TryGetMapData(n))
        if (table->ColumnsCount == 7) return table;
    return nullptr;
  }
};

/// A warp of the tiled transpose makes 16 accesses: four times a load and a store into the tile, then four
/// times a load of a column and a store.
TEST_F(Accesses, the_filter_lets_through_what_it_says_and_a_click_goes_there) {
  drive([&](ImGuiTestContext& context) {
    show(context);
    ASSERT_EQ(now()->selection.timeline.size(), 16u);
    EXPECT_TRUE(lists(context, "**/1##0"));
    EXPECT_TRUE(lists(context, "**/2##1"));
    context.ItemInputValue("##access_filter", "shared load");
    context.Yield(4);
    EXPECT_FALSE(lists(context, "**/1##0"));
    EXPECT_TRUE(lists(context, "**/9##8"));
    EXPECT_FALSE(lists(context, "**/10##9"));
    EXPECT_TRUE(lists(context, "**/11##10"));
    picture(context, "accesses_filtered");
    context.ItemClick("**/11##10");
    settle(context);
    EXPECT_EQ(now()->selection.access, 10u);
    context.SetRef("//###accesses");
    context.ItemInputValue("##access_filter", "excess >31");
    context.Yield(4);
    EXPECT_FALSE(lists(context, "**/2##1"));
    EXPECT_TRUE(lists(context, "**/9##8"));
    context.ItemInputValue("##access_filter", "shred");
    context.Yield(4);
    EXPECT_TRUE(lists(context, "**/1##0")) << "a mistake is told, and hides nothing";
    picture(context, "accesses_mistake");
  });
}

TEST_F(Accesses, a_class_that_predicts_sees_no_costs) {
  drive([&](ImGuiTestContext& context) {
    show(context);
    EXPECT_TRUE(find_table()->Columns[5].IsEnabled);
    press(context, ImGuiKey_F3);
    context.Yield(4);
    EXPECT_FALSE(find_table()->Columns[5].IsEnabled);
    EXPECT_FALSE(find_table()->Columns[6].IsEnabled);
    EXPECT_TRUE(find_table()->Columns[1].IsEnabled);
  });
}

}  // namespace
}  // namespace lanescope
