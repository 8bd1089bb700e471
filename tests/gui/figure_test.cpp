// What the pointer finds in figures: lanes are highlighted everywhere, blocks are chosen, cells are exact.

#include "export/export.h"
#include "gui_test.h"
#include "support/project.h"

#include <fstream>
#include <iterator>

namespace lanescope {
namespace {

const std::filesystem::path kFonts = tests::source_dir() / "assets/fonts";

class Figures : public GuiTest {
 protected:
  static LaneMask lane(int number) { return {1u << number}; }
};

TEST_F(Figures, hovering_a_lane_in_the_banks_highlights_it_everywhere) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto place =
        place_of(context, view::PanelId::Banks, [](const plot::Pick& pick) { return pick.lanes == lane(7); });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.Yield(2);
    EXPECT_EQ(workspace().highlight().lanes, lane(7));
    picture(context, "lane");
  });
}

TEST_F(Figures, hovering_a_row_of_the_warp_highlights_its_lane) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###warp");
    context.Yield(3);
    context.SetRef(window(context, "###warp/lanes"));
    context.MouseMove("$$5/lane");
    context.Yield(2);
    EXPECT_EQ(workspace().highlight().lanes, lane(5));
    picture(context, "warp_lane");
  });
}

TEST_F(Figures, a_click_on_a_tile_chooses_its_block) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto place = place_of(context, view::PanelId::Blocks, [](const plot::Pick& pick) {
      return pick.block == std::optional(CtaId{37});
    });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.MouseClick();
    settle(context);
    EXPECT_EQ(now()->selection.cta, CtaId{37});
  });
}

TEST_F(Figures, the_gap_between_tiles_belongs_to_a_block) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const plot::Figure* figure = workspace().figure(view::PanelId::Blocks);
    ASSERT_NE(figure, nullptr);
    const plot::Rect* tile = nullptr;
    for (const plot::Mark& mark : figure->marks)
      if (const auto* rect = std::get_if<plot::Rect>(&mark))
        if (rect->pick && figure->picks[*rect->pick].block == std::optional(CtaId{37})) tile = rect;
    ASSERT_NE(tile, nullptr);
    for (float x = tile->x; x < tile->x + 3 * tile->width; x += 0.1f)
      EXPECT_NE(plot::pick_at(*figure, x, tile->y + tile->height / 2), nullptr) << x;
    for (float y = tile->y; y < tile->y + 3 * tile->height; y += 0.1f)
      EXPECT_NE(plot::pick_at(*figure, tile->x + tile->width / 2, y), nullptr) << y;
  });
}

TEST_F(Figures, the_marked_block_is_the_one_that_was_chosen_last) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto blocks = [&](uint32_t block) {
      session_->post(session::SelectBlock{CtaId{block}});
      settle(context);
      const plot::Figure* figure = workspace().figure(view::PanelId::Blocks);
      if (figure == nullptr) return std::string();
      const auto file = scratch("blocks.svg");
      EXPECT_TRUE(exporting::write_figure(*figure, file, {.font_directory = kFonts}));
      std::ifstream stream(file);
      return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    const std::string first = blocks(0);
    // Each choice is a separate run; 961 blocks once led to the run after it.
    EXPECT_NE(blocks(961), first);
    EXPECT_EQ(blocks(0), first);
  });
}

TEST_F(Figures, a_click_on_the_companions_figure_selects_its_access) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_TRUE(now()->selection.companion);
    const uint32_t beside = now()->selection.companion->traced.index;
    click(context, "###banks", "banks");
    EXPECT_EQ(now()->selection.access, beside);
  });
}

TEST_F(Figures, the_color_under_a_pixel_is_the_color_of_its_element) {
  ImVec2 corner;
  const plot::Cells* cells = nullptr;
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###elements");
    context.Yield(3);
    settle(context);
    const plot::Figure* figure = workspace().figure(view::PanelId::Elements);
    ASSERT_NE(figure, nullptr);
    for (const plot::Mark& mark : figure->marks)
      if (const auto* found = std::get_if<plot::Cells>(&mark)) cells = found;
    ASSERT_NE(cells, nullptr);
    context.SetRef(window(context, "###elements"));
    corner = context.ItemInfo("elements").RectFull.Min + ImVec2(cells->x, cells->y);
    context.MouseMoveToPos({2, 2});
    context.Yield(2);
  });
  ASSERT_NE(cells, nullptr);
  const shell::Image image = frames_->window().read_back();
  // Tiles of 32 elements are a few pixels wide; their middles show their own color and no other.
  for (const auto& [row, column] : {std::pair{16u, 16u}, {16u, 1008u}, {1008u, 16u}, {528u, 304u}}) {
    const auto x = static_cast<int>(corner.x + (static_cast<float>(column) + 0.5f) /
                                                   static_cast<float>(cells->columns) * cells->width);
    const auto y = static_cast<int>(corner.y + (static_cast<float>(row) + 0.5f) /
                                                   static_cast<float>(cells->rows) * cells->height);
    const uint8_t* pixel =
        &image.rgba[(static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x)) * 4];
    const plot::Rgba wanted = plot::resolve(
        plot::color_of(*cells, cells->value[row * cells->columns + column]), plot::Theme::Light);
    EXPECT_NEAR(pixel[0], wanted.red, 2) << row << ", " << column;
    EXPECT_NEAR(pixel[1], wanted.green, 2) << row << ", " << column;
    EXPECT_NEAR(pixel[2], wanted.blue, 2) << row << ", " << column;
  }
}

TEST_F(Figures, an_element_names_its_block_also_when_zoomed) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###elements");
    context.Yield(3);
    settle(context);
    const plot::Figure* figure = workspace().figure(view::PanelId::Elements);
    ASSERT_NE(figure, nullptr);
    const plot::Cells* cells = nullptr;
    for (const plot::Mark& mark : figure->marks)
      if (const auto* found = std::get_if<plot::Cells>(&mark)) cells = found;
    ASSERT_NE(cells, nullptr);
    context.SetRef(window(context, "###elements"));
    const ImVec2 corner = context.ItemInfo("elements").RectFull.Min + ImVec2(cells->x, cells->y);
    const float across = 0.3f, down = 0.6f;
    context.MouseMoveToPos(corner + ImVec2(cells->width * across, cells->height * down));
    context.Yield(2);
    const auto row = static_cast<uint32_t>(down * static_cast<float>(cells->rows));
    const auto column = static_cast<uint32_t>(across * static_cast<float>(cells->columns));
    const uint32_t block = now()->elements->block[row * now()->elements->columns + column];
    ASSERT_NE(block, 0u);
    EXPECT_EQ(workspace().highlight().block, std::optional(CtaId{block - 1}));
    // Zooming keeps the element under the pointer.
    for (int turn = 0; turn < 5; ++turn) context.MouseWheelY(1);
    context.Yield(2);
    EXPECT_EQ(workspace().highlight().block, std::optional(CtaId{block - 1}));
    picture(context, "zoomed");
  });
}

TEST_F(Figures, panels_are_docked_as_in_the_default_layout) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto rect = [](const char* name) { return ImGui::FindWindowByName(name)->Rect(); };
    EXPECT_LT(rect("###source").Max.x, rect("###banks").Min.x);
    EXPECT_LT(rect("###banks").Max.x, rect("###sectors").Min.x);
    EXPECT_LT(rect("###banks").Max.y, rect("###blocks").Min.y);
    EXPECT_LT(rect("###partitions").Max.x, rect("###totals").Min.x);
    EXPECT_LE(rect("###totals").Max.x, 1600);
    EXPECT_TRUE(ImGui::FindWindowByName("###sectors")->DockTabIsVisible);
    EXPECT_TRUE(ImGui::FindWindowByName("###blocks")->DockTabIsVisible);
  });
}

}  // namespace
}  // namespace lanescope
