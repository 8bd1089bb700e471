// What the window finds again the next time.

#include "shell/window/settings.h"

#include "gui_test.h"
#include "session/opened_file.h"

#include <algorithm>
#include <fstream>

namespace lanescope {
namespace {

class Settings : public GuiTest {
 protected:
  shell::WindowSettings left() { return shell::settings_of(workspace(), *now(), {.x = 7, .width = 1280}); }
};

TEST_F(Settings, look_place_and_what_was_open_are_restored) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_P);
    click(context, "Lanescope/toolbar", "language/fr");
  });
  view::Preferences& preferences = workspace().preferences();
  preferences.mode = plot::Theme::Dark;
  preferences.text = 19;
  preferences.recent = {"/a/b.cu"};
  preferences.shown[static_cast<size_t>(view::PanelId::Totals)] = false;
  const auto file = scratch("deep/window.toml");
  shell::write_settings(file, left());
  const shell::WindowSettings again = shell::read_settings(file);
  EXPECT_EQ(again.preferences, preferences);
  EXPECT_EQ(again.language, Language::French);
  EXPECT_EQ(again.lesson, "transpose");
  EXPECT_EQ(again.device, "gt200");
  ASSERT_FALSE(again.toggles.empty());
  EXPECT_EQ(again.toggles.front(),
            (std::pair<std::string, std::string>{"kernel", now()->choices.settings.kernel}));
  EXPECT_EQ(std::ranges::count(again.toggles, std::pair<std::string, std::string>{"padding", "1"}), 1);
  EXPECT_EQ(again.place, left().place);
  EXPECT_EQ(again.arrangement, left().arrangement);
  view::Workspace fresh;
  shell::show(again, fresh);
  EXPECT_EQ(fresh.preferences().mode, plot::Theme::Dark);
  EXPECT_FALSE(fresh.preferences().shows(view::PanelId::Totals));
  EXPECT_TRUE(fresh.preferences().shows(view::PanelId::Banks));
}

TEST_F(Settings, a_file_of_ones_own_is_kept_in_place_of_the_lesson) {
  const std::filesystem::path own = scratch("own.ptx");
  std::ofstream(own) << ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry f() { ret; }\n";
  session_->post(session::OpenFile{own});
  session_->wait_until_idle();
  const auto file = scratch("window.toml");
  shell::write_settings(file, left());
  EXPECT_EQ(shell::read_settings(file).file, own.string());
  EXPECT_TRUE(shell::read_settings(file).lesson.empty());
}

TEST_F(Settings, an_unknown_panel_is_passed_over_and_the_others_are_hidden) {
  const auto file = scratch("window.toml");
  std::ofstream(file) << "text = 19\nhidden = ['of_another_version', 'totals']\n";
  const view::Preferences preferences = shell::read_settings(file).preferences;
  EXPECT_EQ(preferences.text, 19);
  for (const view::PanelRow& row : view::panel_rows())
    EXPECT_EQ(preferences.shows(row.id), row.id != view::PanelId::Totals) << row.name;
}

TEST_F(Settings, a_damaged_file_changes_nothing) {
  const auto file = scratch("window.toml");
  std::ofstream(file) << "\x01\x02 no settings at all";
  EXPECT_EQ(shell::read_settings(file), shell::WindowSettings{});
}

TEST_F(Settings, sizes_that_no_window_has_change_nothing) {
  const auto file = scratch("window.toml");
  std::ofstream(file) << "text = nan\n[window]\nwidth = 1\nheight = 900000\n";
  const shell::WindowSettings settings = shell::read_settings(file);
  EXPECT_EQ(settings.preferences.text, view::kOrdinaryText);
  EXPECT_FALSE(settings.place);
}

TEST_F(Settings, a_name_with_quotes_and_line_ends_is_kept) {
  const auto file = scratch("window.toml");
  workspace().preferences().recent = {"/a/\"b\"\n\\c.cu"};
  shell::write_settings(file, left());
  EXPECT_EQ(shell::read_settings(file).preferences.recent, workspace().preferences().recent);
}

}  // namespace
}  // namespace lanescope
