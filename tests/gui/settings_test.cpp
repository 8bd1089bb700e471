// What the window finds again the next time.

#include "shell/settings.h"

#include "gui_test.h"

#include <fstream>

namespace lanescope {
namespace {

class Settings : public GuiTest {};

TEST_F(Settings, look_text_and_panels_are_restored) {
  drive([&](ImGuiTestContext& context) { settle(context); });
  workspace().preferences().mode = plot::Theme::Dark;
  workspace().preferences().text = 19;
  workspace().preferences().shown[static_cast<size_t>(view::PanelId::Totals)] = false;
  const auto file = scratch("window.ini");
  shell::keep_settings(file, workspace());
  view::Workspace fresh;
  shell::restore_settings(file, fresh);
  EXPECT_EQ(fresh.preferences().mode, plot::Theme::Dark);
  EXPECT_EQ(fresh.preferences().text, 19);
  EXPECT_FALSE(fresh.preferences().shown[static_cast<size_t>(view::PanelId::Totals)]);
  EXPECT_TRUE(fresh.preferences().shown[static_cast<size_t>(view::PanelId::Banks)]);
}

TEST_F(Settings, hidden_panels_are_kept_by_name) {
  const auto file = scratch("window.ini");
  workspace().preferences().shown[static_cast<size_t>(view::PanelId::Totals)] = false;
  workspace().preferences().shown[static_cast<size_t>(view::PanelId::Source)] = false;
  shell::keep_settings(file, workspace());
  std::string line;
  std::getline(std::ifstream(file), line);
  EXPECT_TRUE(line.ends_with(" hidden=source,totals")) << line;
}

TEST_F(Settings, an_unknown_panel_is_passed_over_and_the_others_are_hidden) {
  const auto file = scratch("window.ini");
  std::ofstream(file) << "; Lanescope theme=1 text=19 hidden=of_another_version,totals\n";
  view::Workspace fresh;
  shell::restore_settings(file, fresh);
  EXPECT_EQ(fresh.preferences().text, 19);
  for (const view::PanelRow& row : view::panel_rows())
    EXPECT_EQ(fresh.preferences().shows(row.id), row.id != view::PanelId::Totals) << row.name;
}

TEST_F(Settings, a_file_with_a_mask_of_hidden_panels_keeps_its_look_and_shows_all_panels) {
  const auto file = scratch("window.ini");
  std::ofstream(file) << "; Lanescope theme=1 text=19 hidden=260\n";
  view::Workspace fresh;
  shell::restore_settings(file, fresh);
  EXPECT_EQ(fresh.preferences().mode, plot::Theme::Dark);
  EXPECT_EQ(fresh.preferences().text, 19);
  for (const view::PanelRow& row : view::panel_rows())
    EXPECT_TRUE(fresh.preferences().shows(row.id)) << row.name;
}

TEST_F(Settings, a_damaged_file_changes_nothing) {
  const auto file = scratch("window.ini");
  std::ofstream(file) << "\x01\x02 no settings at all";
  view::Workspace fresh;
  shell::restore_settings(file, fresh);
  EXPECT_EQ(fresh.preferences().mode, plot::Theme::Light);
  EXPECT_EQ(fresh.preferences().text, view::kOrdinaryText);
}

TEST_F(Settings, a_size_that_is_not_a_number_changes_nothing) {
  const auto file = scratch("window.ini");
  std::ofstream(file) << "; Lanescope theme=1 text=nan hidden=0\n";
  view::Workspace fresh;
  shell::restore_settings(file, fresh);
  EXPECT_EQ(fresh.preferences().text, view::kOrdinaryText);
}

}  // namespace
}  // namespace lanescope
