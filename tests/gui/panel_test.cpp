// The table of panels: each has a row with a unique name, can be drawn alone, and shows a figure of its
// own where its row says so.

#include "gui_test.h"
#include "support/project.h"

#include <set>
#include <string>

namespace lanescope {
namespace {

class Panels : public GuiTest {};

TEST_F(Panels, each_has_a_row_with_a_name_and_a_title_of_its_own) {
  std::set<std::string_view> names, titles;
  for (size_t n = 0; n < view::kPanels; ++n) {
    const view::PanelRow& row = view::panel_rows()[n];
    EXPECT_EQ(row.id, static_cast<view::PanelId>(n));
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(titles.insert(say(Language::English, row.title)).second) << row.name;
    EXPECT_EQ(view::panel_named(row.name), row.id);
  }
  EXPECT_EQ(view::panel_named("frobnicate"), std::nullopt);
}

TEST_F(Panels, a_session_of_an_earlier_version_shows_its_panels_under_their_names_of_today) {
  session_->post(session::OpenFile{tests::source_dir() / "tests/data/old_views/2026-11-28.lanescope"});
  session_->wait_until_idle();
  frames_->draw();
  const view::Preferences& preferences = workspace().preferences();
  EXPECT_TRUE(preferences.shows(view::PanelId::MemoryChart));
  EXPECT_TRUE(preferences.shows(view::PanelId::KernelRoofline));
  EXPECT_FALSE(preferences.shows(view::PanelId::Totals));
  EXPECT_EQ(workspace().enlarged(), view::PanelId::KernelRoofline);
}

TEST_F(Panels, those_that_export_a_figure_show_their_own) {
  std::set<std::string> figures;
  for (const view::PanelRow& row : view::panel_rows()) {
    // The partitions of an H200 are not known, and the caches of a GTX 280 are not modelled.
    const bool is_of_caches = row.id == view::PanelId::MemoryChart || row.id == view::PanelId::KernelRoofline;
    session_->post(session::SetDevice{is_of_caches ? "h200" : "gt200"});
    // As for a screenshot: layouts settle, and a panel may ask the session for what it shows.
    for (int frame = 0; frame < 8; ++frame) {
      session_->wait_until_idle();
      frames_->draw(row.id);
    }
    const plot::Figure* figure = workspace().figure(row.id);
    EXPECT_EQ(figure != nullptr, row.exports == view::Exports::Figure) << row.name;
    if (figure == nullptr) continue;
    EXPECT_TRUE(figures.insert(figure->name).second) << row.name << " shows " << figure->name;
    if (row.id == view::PanelId::Models)
      EXPECT_TRUE(study::find_study(figure->name)) << figure->name;
    else
      EXPECT_EQ(figure->name, row.name);
  }
}

}  // namespace
}  // namespace lanescope
