// The lecture of app/docs/lecture.md, given by its keys: each number that the page promises is on the screen.

#include "base/number.h"
#include "gui_test.h"
#include "plot/figures.h"
#include "support/project.h"

#include <fstream>
#include <map>

namespace lanescope {
namespace {

struct Row {
  std::string press, sees;
};

/// [row] of the page's table.
std::vector<Row> rows_of_page() {
  std::ifstream page(tests::source_dir() / "app/docs/lecture.md");
  std::vector<Row> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.size() < 4 || line[0] != '|' || std::isdigit(static_cast<unsigned char>(line[2])) == 0) continue;
    std::vector<std::string> cells;
    for (size_t at = 1; at < line.size();) {
      const size_t end = line.find('|', at);
      cells.push_back(line.substr(at, end - at));
      at = end == std::string::npos ? end : end + 1;
    }
    rows.push_back({cells.at(1), cells.at(2)});
  }
  return rows;
}

/// The key of "`Shift K`", for each in a cell.
std::vector<ImGuiKeyChord> keys_of(const std::string& cell) {
  static const std::map<std::string, ImGuiKeyChord> kKeys{{"Shift K", ImGuiMod_Shift | ImGuiKey_K},
                                                          {"K", ImGuiKey_K},
                                                          {"P", ImGuiKey_P},
                                                          {"D", ImGuiKey_D},
                                                          {"End", ImGuiKey_End},
                                                          {"Right", ImGuiKey_RightArrow},
                                                          {"Left", ImGuiKey_LeftArrow}};
  std::vector<ImGuiKeyChord> keys;
  for (size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at)) {
    const size_t end = cell.find('`', at + 1);
    keys.push_back(kKeys.at(cell.substr(at + 1, end - at - 1)));
    at = end + 1;
  }
  return keys;
}

class Lecture : public GuiTest {
 public:  // named below
  std::string cost() const {
    const auto snapshot = now();
    const auto& entry = snapshot->selection.timeline[snapshot->selection.access];
    const bool is_shared = entry.operation.space == trace::Space::Shared;
    const uint64_t count = is_shared ? entry.cost.wavefronts : entry.cost.sectors;
    EXPECT_EQ(snapshot->selection.units, model::CostUnits::Transactions) << "of a GT200";
    return fmt::format("**{} {}**", count, is_shared ? "passes" : "transactions");
  }
  std::string partitions() const {
    const auto& report = *now()->run->partitions;
    return fmt::format("**{:.1f} of {}**", report.written_effective, report.partitions);
  }
  std::string bandwidth() const {
    const auto shown = now();
    for (const plot::Bandwidth::Bar& bar : shown->timings.bandwidth->bars)
      if (bar.current)
        return fmt::format("**{} GB/s**",
                           number(Language::English, static_cast<uint64_t>(bar.gb_per_second + 0.5)));
    return "no bar";
  }
};

TEST_F(Lecture, every_number_of_the_page_is_on_the_screen) {
  const std::vector<Row> rows = rows_of_page();
  using Number = std::string (Lecture::*)() const;
  const std::vector<std::pair<Number, view::PanelId>> numbers{
      {&Lecture::cost, view::PanelId::Sectors},
      {&Lecture::cost, view::PanelId::Sectors},
      {&Lecture::cost, view::PanelId::Banks},
      {&Lecture::cost, view::PanelId::Banks},
      {&Lecture::partitions, view::PanelId::Partitions},
      {&Lecture::partitions, view::PanelId::Partitions},
      {&Lecture::bandwidth, view::PanelId::Bandwidth},
      {&Lecture::bandwidth, view::PanelId::Bandwidth}};
  ASSERT_EQ(rows.size(), numbers.size());
  drive([&](ImGuiTestContext& context) {
    settle(context);
    for (size_t n = 0; n < rows.size(); ++n) {
      for (const ImGuiKeyChord key : keys_of(rows[n].press)) press(context, key);
      context.Yield(4);
      const std::string shown = (this->*numbers[n].first)();
      EXPECT_NE(rows[n].sees.find(shown), std::string::npos)
          << "step " << n + 1 << ": the window shows " << shown << ", the page says" << rows[n].sees;
      EXPECT_NE(workspace().figure(numbers[n].second), nullptr)
          << "step " << n + 1 << ": its panel is hidden";
      picture(context, fmt::format("lecture_{}", n + 1).c_str());
    }
  });
}

}  // namespace
}  // namespace lanescope
