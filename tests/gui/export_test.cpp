// Exporting the figure of a panel: from the bar and from the panel's own menu, and what goes wrong.

#include "gui_test.h"

#include <fstream>
#include <iterator>

namespace lanescope {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
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
    context.ItemClick("##file");
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
    context.SetRef(window(context, "###totals"));
    context.ItemClick("totals", ImGuiMouseButton_Right);
    context.SetRef("//$FOCUSED");
    context.ItemClick("###export");
    context.Yield(4);
    save_as(context, scratch("totals.csv"));
  });
  const std::string text = contents(scratch("totals.csv"));
  EXPECT_NE(text.find("32768"), std::string::npos) << text;
}

TEST_F(Exporting, a_format_button_changes_the_ending) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "partitions");
    context.SetRef("//$FOCUSED");
    context.ItemClick("##file");
    context.KeyCharsReplace(scratch("partitions.svg").c_str());
    context.ItemClick("format/png");
    context.ItemClick("save");
    context.Yield(4);
  });
  EXPECT_EQ(contents(scratch("partitions.png")).substr(1, 3), "PNG");
  EXPECT_FALSE(std::filesystem::exists(scratch("partitions.svg")));
}

TEST_F(Exporting, a_file_that_cannot_be_written_is_told) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open_from_bar(context, "banks");
    save_as(context, scratch("no/such/folder/banks.svg"));
  });
  ASSERT_EQ(workspace().notices().said().size(), 1u);
  EXPECT_NE(workspace().notices().said()[0].find("no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
