// Exporting the figure of a panel: from the bar and from the panel's own menu, and what goes wrong.

#include "gui_test.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <png.h>

namespace lanescope {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

shell::Image read_png(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  shell::Image image;
  if (png_image_begin_read_from_file(&png, file.c_str()) == 0) return image;
  png.format = PNG_FORMAT_RGBA;
  image.width = static_cast<int>(png.width);
  image.height = static_cast<int>(png.height);
  image.rgba.resize(PNG_IMAGE_SIZE(png));
  png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr);
  return image;
}

class Exporting : public GuiTest {
 protected:
  void open_from_bar(ImGuiTestContext& context, const char* figure) {
    click(context, "Lanescope/toolbar", "export");
    context.SetRef("//$FOCUSED");
    context.ItemClick((std::string("###") + figure).c_str());
    context.Yield(4);
  }
  void save_as(ImGuiTestContext& context, const std::filesystem::path& file) {
    context.SetRef("//$FOCUSED");
    context.ItemClick("##path");
    context.KeyCharsReplace(file.c_str());
    context.ItemClick("save");
    context.Yield(4);
  }
};

TEST_F(Exporting, the_bar_writes_the_figure_as_svg) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "banks");
    picture(context, "export_dialog");
    save_as(context, scratch("banks.svg"));
    picture(context, "notice");
  });
  EXPECT_NE(contents(scratch("banks.svg")).find("<svg"), std::string::npos);
  ASSERT_EQ(workspace().notices().said().size(), 1u);
  EXPECT_NE(workspace().notices().said()[0].find("banks.svg"), std::string::npos);
}

TEST_F(Exporting, the_menu_of_a_panel_writes_its_numbers) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###totals");
    context.Yield(4);
    context.SetRef(window(context, "###totals"));
    context.ItemClick("totals", ImGuiMouseButton_Right);
    context.SetRef("//$FOCUSED");
    context.ItemClick("###export");
    context.Yield(4);
    save_as(context, scratch("totals.csv"));
  });
  const std::string text = contents(scratch("totals.csv"));
  // On a GT200 a request that reads a column of the tile takes 16 passes for each of its half-warps:
  // 32 x 8192 for each of the four loads, and 2 x 8192 ideally.
  EXPECT_NE(text.find(",passes,ideal_passes\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",262144,16384\n"), std::string::npos) << text;
}

TEST_F(Exporting, a_hidden_panel_comes_to_the_front_and_exports_the_current_run) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###bandwidth");
    context.Yield(4);
    EXPECT_EQ(workspace().figure(view::PanelId::Totals), nullptr) << "it is not in sight";
    session_->post(session::SetToggle{"kernel", "naive"});
    settle(context);
    open_from_bar(context, "totals");
    context.Yield(6);
    save_as(context, scratch("totals.json"));
  });
  const std::string text = contents(scratch("totals.json"));
  EXPECT_NE(text.find("transpose_naive"), std::string::npos) << text;
  EXPECT_EQ(text.find("transpose_tiled"), std::string::npos) << text;
}

TEST_F(Exporting, a_hidden_timeline_is_shown_again) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    workspace().preferences().shown[static_cast<size_t>(view::PanelId::Timeline)] = false;
    context.Yield(4);
    open_from_bar(context, "timeline");
    context.Yield(6);
    save_as(context, scratch("timeline.svg"));
  });
  EXPECT_NE(contents(scratch("timeline.svg")).find("<svg"), std::string::npos);
}

TEST_F(Exporting, the_menu_of_a_figure_of_models_writes_it) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    session_->post(session::ShowStudy{{.study = study::Study::Device}});
    settle(context);
    ImGui::SetWindowFocus("###models");
    context.Yield(4);
    settle(context);
    const plot::Figure* figure = workspace().figure(view::PanelId::Models);
    ASSERT_NE(figure, nullptr);
    context.SetRef(window(context, "###models"));
    context.ItemClick(figure->name.c_str(), ImGuiMouseButton_Right);
    context.SetRef("//$FOCUSED");
    context.ItemClick("###export");
    context.Yield(4);
    save_as(context, scratch("models.svg"));
  });
  EXPECT_NE(contents(scratch("models.svg")).find("<svg"), std::string::npos);
}

TEST_F(Exporting, a_format_button_changes_the_ending) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "partitions");
    context.SetRef("//$FOCUSED");
    context.ItemClick("##path");
    context.KeyCharsReplace(scratch("partitions.svg").c_str());
    context.ItemClick("format/png");
    context.ItemClick("save");
    context.Yield(4);
  });
  EXPECT_EQ(contents(scratch("partitions.png")).substr(1, 3), "PNG");
  EXPECT_FALSE(std::filesystem::exists(scratch("partitions.svg")));
}

TEST_F(Exporting, the_name_has_the_settings_and_the_caption_the_kernel_and_the_settings) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_P);
    open_from_bar(context, "banks");
    context.SetRef("//$FOCUSED");
    ASSERT_TRUE(context.ItemExists("##path"));
    context.ItemClick("##path");
    context.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    context.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    const std::string proposed = ImGui::GetClipboardText();
    EXPECT_NE(proposed.find("transpose-padded-banks.svg"), std::string::npos) << proposed;
    EXPECT_EQ(proposed.front(), '/') << "the folder is said";
    save_as(context, scratch("banks.svg"));
  });
  const std::string text = contents(scratch("banks.svg"));
  EXPECT_NE(text.find("transpose_tiled"), std::string::npos);
  EXPECT_NE(text.find("Padding 1"), std::string::npos);
}

TEST_F(Exporting, of_two_runs_both_are_written_or_the_one_that_is_chosen) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    open_from_bar(context, "totals");
    context.Yield(6);
    picture(context, "export_both");
    save_as(context, scratch("both.csv"));
    open_from_bar(context, "totals");
    context.SetRef("//$FOCUSED");
    context.ItemClick("runs/a");
    save_as(context, scratch("a.csv"));
    open_from_bar(context, "banks");
    save_as(context, scratch("both.svg"));
  });
  const std::string both = contents(scratch("both.csv")), a = contents(scratch("a.csv"));
  EXPECT_NE(both.find("\nA,"), std::string::npos) << both;
  EXPECT_NE(both.find("\nB,"), std::string::npos) << both;
  EXPECT_NE(both.find("Padding 0"), std::string::npos) << both;
  EXPECT_NE(both.find("Padding 1"), std::string::npos) << both;
  EXPECT_NE(a.find("Padding 0"), std::string::npos) << a;
  EXPECT_EQ(a.find("Padding 1"), std::string::npos) << a;
  const std::string svg = contents(scratch("both.svg"));
  EXPECT_NE(svg.find("<title>A · "), std::string::npos) << svg.substr(0, 600);
  EXPECT_NE(svg.find("; B · "), std::string::npos) << svg.substr(0, 600);
}

TEST_F(Exporting, a_file_that_exists_is_replaced_only_when_pressed_again) {
  std::ofstream(scratch("kept.svg")) << "of the teacher";
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "banks");
    save_as(context, scratch("kept.svg"));
    EXPECT_EQ(contents(scratch("kept.svg")), "of the teacher");
    EXPECT_TRUE(workspace().notices().said().empty());
    picture(context, "export_exists");
    context.SetRef("//export_dialog");
    context.ItemClick("save");
    context.Yield(4);
  });
  EXPECT_NE(contents(scratch("kept.svg")).find("<svg"), std::string::npos);
}

TEST_F(Exporting, a_file_that_cannot_be_written_is_reported) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "banks");
    save_as(context, scratch("no/such/folder/banks.svg"));
  });
  ASSERT_EQ(workspace().notices().said().size(), 1u);
  EXPECT_NE(workspace().notices().said()[0].find("no/such/folder"), std::string::npos);
}

TEST_F(Exporting, the_whole_window_is_a_picture_without_the_dialog) {
  session_->wait_until_idle();
  for (int frame = 0; frame < 12; ++frame) frames_->draw();
  const shell::Image before = frames_->window().read_back();
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "window");
    save_as(context, scratch("all.png"));
    context.Yield(6);
  });
  ASSERT_EQ(workspace().notices().said().size(), 1u);
  EXPECT_NE(workspace().notices().said()[0].find("all.png"), std::string::npos);
  const shell::Image written = read_png(scratch("all.png"));
  ASSERT_EQ(written.width, before.width);
  ASSERT_EQ(written.height, before.height);
  // The dialog lay in the middle.
  const size_t row = static_cast<size_t>(before.width) * 4;
  for (size_t y = 400; y < 500; ++y)
    for (size_t x = 700 * 4; x < 900 * 4; ++x)
      ASSERT_EQ(written.rgba[y * row + x], before.rgba[y * row + x]) << x / 4 << ", " << y;
}

TEST_F(Exporting, ctrl_c_copies_the_figure_under_the_pointer) {
  if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display: DISPLAY is not set";
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto place = place_of(context, view::PanelId::Banks, [](const plot::Pick&) { return true; });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    press(context, ImGuiMod_Ctrl | ImGuiKey_C);
    context.Yield(6);
  });
  ASSERT_EQ(workspace().notices().said().size(), 1u);
  EXPECT_EQ(workspace().notices().said()[0], say(Language::English, Text::window_copied));
  const std::string pasted = scratch("pasted.png");
  ASSERT_EQ(std::system(("xclip -selection clipboard -t image/png -o > " + pasted).c_str()), 0);
  EXPECT_EQ(contents(pasted).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace lanescope
