// A lecture in the window, given with the keys of a clicker, and the window with the teacher's notes.

#include "view/lecture_bar.h"

#include "gui_test.h"
#include "lesson/lecture.h"
#include "session/lecture_state.h"
#include "shell/window/notes_process.h"
#include "support/project.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include <gmock/gmock.h>

namespace lanescope {
namespace {

class LectureBarTest : public GuiTest {
 protected:
  void open(ImGuiTestContext& context, const std::string& name) {
    session_->post(session::OpenLecture{name});
    settle(context);
    context.Yield(8);
    ASSERT_NE(now()->lecture, nullptr);
  }
  bool is_covered() { return view::LectureBar::is_covered(*now(), workspace().prediction()); }
  size_t step() const { return now()->lecture->step; }
};

TEST_F(LectureBarTest, page_down_uncovers_the_results_and_then_shows_the_next_step) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open(context, "transpose");
    EXPECT_EQ(step(), 0u);
    EXPECT_TRUE(is_covered());
    press(context, ImGuiKey_PageDown);
    EXPECT_EQ(step(), 0u);
    EXPECT_FALSE(is_covered());
    press(context, ImGuiKey_PageDown);
    EXPECT_EQ(step(), 1u);
    EXPECT_FALSE(workspace().prediction().is_on()) << "this step asks for no prediction";
    EXPECT_NE(workspace().figure(view::PanelId::Sectors), nullptr);
    // Presses before the step is shown count when it is: step 3 is shown, and its results are uncovered.
    context.KeyPress(ImGuiKey_PageDown);
    context.KeyPress(ImGuiKey_PageDown);
    settle(context);
    context.Yield(4);
    EXPECT_EQ(step(), 2u);
    EXPECT_FALSE(is_covered());
    press(context, ImGuiKey_PageUp);
    press(context, ImGuiKey_PageUp);
    EXPECT_EQ(step(), 0u);
    EXPECT_TRUE(is_covered()) << "a step shows the same whatever was shown before";
    press(context, ImGuiKey_PageUp);
    EXPECT_EQ(step(), 0u) << "there is none before the first";
  });
}

TEST_F(LectureBarTest, the_last_step_stays_and_the_lecture_ends_with_its_button) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open(context, "mover");
    for (int n = 0; n < 12; ++n) press(context, ImGuiKey_PageDown);
    EXPECT_EQ(step(), 5u);
    click(context, "Lanescope/lecture", "lecture_close");
    settle(context);
    EXPECT_EQ(now()->lecture, nullptr);
    EXPECT_EQ(now()->choices.settings.kernel, "product_tuned");
    press(context, ImGuiKey_PageDown);
    EXPECT_EQ(now()->lecture, nullptr);
  });
}

/// The panels stay where they are, and what a sentence is about is in sight.
TEST_F(LectureBarTest, every_step_of_every_lecture_keeps_the_panels_in_their_places) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const std::vector<std::string> lectures = now()->available.lectures;
    for (const std::string& name : lectures) {
      SCOPED_TRACE(name);
      open(context, name);
      std::map<std::string, ImGuiID> places;
      const size_t count = now()->lecture->lecture->steps.size();
      for (size_t n = 0; n < count; ++n) {
        SCOPED_TRACE(n + 1);
        session_->post(session::ShowLectureStep{static_cast<uint32_t>(n)});
        settle(context);
        context.Yield(8);
        if (workspace().prediction().is_on()) press(context, ImGuiKey_PageDown);
        for (const view::PanelRow& row : view::panel_rows()) {
          const ImGuiWindow* const window = ImGui::FindWindowByName(view::window_of(row.id).c_str());
          if (window == nullptr) continue;
          const auto [known, is_new] = places.emplace(row.name, window->DockId);
          EXPECT_EQ(known->second, window->DockId) << row.name;
        }
        const std::vector<std::string> look = now()->lecture->shown().look;
        for (const std::string& panel : look) {
          const auto id = view::panel_named(panel);
          ASSERT_TRUE(id) << panel;
          const ImGuiWindow* const window = ImGui::FindWindowByName(view::window_of(*id).c_str());
          ASSERT_NE(window, nullptr);
          EXPECT_TRUE(window->DockTabIsVisible) << panel << " is hidden";
          EXPECT_TRUE(view::row_of(*id).exports != view::Exports::Figure ||
                      workspace().figure(*id) != nullptr)
              << panel << " shows nothing";
        }
        picture(context, (name + "_" + std::to_string(n + 1)).c_str());
      }
    }
  });
}

TEST_F(LectureBarTest, the_view_is_added_to_a_lecture_that_can_be_given) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    session_->post(session::SetToggle{"padding", "1"});
    session_->post(session::SelectAccess{10});
    settle(context);
    const session::LectureAddition addition{scratch("mine.lecture.toml"), {"banks"}};
    const std::filesystem::path lessons = tests::source_dir() / "assets/lessons";
    EXPECT_EQ(session::add_to_lecture(*now(), addition, lessons).value(), 1u);
    session_->post(session::SetToggle{"kernel", "naive"});
    settle(context);
    EXPECT_EQ(session::add_to_lecture(*now(), addition, lessons).value(), 2u);
    session_->post(session::OpenLecture{addition.file.string()});
    settle(context);
    ASSERT_FALSE(now()->error) << describe(*now()->error);
    EXPECT_EQ(now()->choices.settings.values.at("padding"), "1");
    EXPECT_EQ(now()->selection.access, 10u);
    session_->post(session::ShowLectureStep{1});
    settle(context);
    EXPECT_EQ(now()->choices.settings.kernel, "naive");
  });
}

TEST_F(LectureBarTest, the_menu_adds_the_view) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###add_to_lecture");
    context.Yield(4);
    context.SetRef("//lecture_dialog");
    context.ItemInputValue("###lecture_path", scratch("added.toml").c_str());
    context.ItemClick("add");
    context.Yield(4);
    std::ifstream file(scratch("added.toml"));
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_THAT(text, testing::HasSubstr("lanescope_lecture = 1"));
    EXPECT_THAT(text, testing::HasSubstr("set = {kernel = \"tiled\"}"));
  });
}

class LectureExportTest : public LectureBarTest {
 protected:
  void request(ImGuiTestContext& context, const char* file, const char* steps) {
    settle(context);
    open(context, "transpose");
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###export_lecture");
    context.Yield(4);
    context.SetRef("//lecture_export_dialog");
    picture(context, "lecture_export");
    context.ItemInputValue("###steps", steps);
    context.ItemInputValue("##path", scratch(file).c_str());  // ends with Enter, which saves
    context.Yield(4);
  }
  /// Waits for a notice.
  bool says(ImGuiTestContext& context, const std::string& words) {
    const auto is_said = [&](const std::string& notice) { return notice.find(words) != std::string::npos; };
    for (int n = 0; n < 1000; ++n) {
      if (std::ranges::any_of(workspace().notices().said(), is_said)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      context.Yield();
    }
    return false;
  }
};

TEST_F(LectureExportTest, the_menu_exports_the_lecture_while_the_window_goes_on) {
  drive([&](ImGuiTestContext& context) {
    request(context, "slides.pdf", "2-3");
    EXPECT_TRUE(says(context, "is being written")) << "at once";
    EXPECT_TRUE(says(context, "Written: " + scratch("slides.pdf").string()));
    std::ifstream file(scratch("slides.pdf"));
    std::string begin(4, ' ');
    file.read(begin.data(), 4);
    EXPECT_EQ(begin, "%PDF");
  });
}

TEST_F(LectureExportTest, an_export_that_fails_says_why) {
  drive([&](ImGuiTestContext& context) {
    request(context, "none.pdf", "90-91");
    EXPECT_TRUE(says(context, "there is no step 91"));
    EXPECT_FALSE(std::filesystem::exists(scratch("none.pdf")));
  });
}

// The notes.

view::NotesPage example_page() {
  view::NotesPage page{.title = "Bänke \"und\" Rennen", .count = "3 / 8", .is_covered = true, .texts = {}};
  page.language = Language::French;
  page.mode = plot::Theme::Dark;
  page.texts.notes = lesson::parse_markdown("Slowly. **32** lines of `tile`.\n\n- one\n- two\n");
  page.texts.after = lesson::parse_markdown("Next");
  return page;
}

TEST(Notes, a_page_is_a_line_and_comes_back) {
  const std::string line = shell::line_of(example_page());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto page = shell::page_of(line);
  ASSERT_TRUE(page) << describe(page.error());
  EXPECT_EQ(*page, example_page());
}

TEST(Notes, other_lines_are_refused) {
  for (const char* const line : {"", "next", "[]", "{}", "{\"title\": 3}", "null",
                                 "{\"title\":\"\",\"count\":\"\",\"covered\":true,\"french\":false,\"dark\":"
                                 "false,\"say\":[{\"kind\":\"x\",\"runs\":[]}],\"reveal\":[],\"notes\":[],"
                                 "\"after\":[]}"})
    EXPECT_FALSE(shell::page_of(line)) << line;
}

/// A program in place of this one: it answers each page with a key, and ends with its input.
TEST(Notes, keys_come_back_and_the_process_ends_with_its_owner) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path script = folder / "notes.sh";
  std::ofstream(script) << "#!/bin/sh\nwhile read line; do echo next; echo back; echo other; done\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  shell::NotesKeys keys;
  {
    auto notes = shell::NotesProcess::start(script, [&](shell::NotesKey key) { keys.push(key); });
    ASSERT_TRUE(notes) << describe(notes.error());
    EXPECT_TRUE(notes->is_open());
    notes->show(example_page());
    notes->show(example_page());  // nothing new
    std::vector<shell::NotesKey> pressed;
    for (int n = 0; n < 100 && pressed.size() < 2; ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      for (const shell::NotesKey key : keys.take()) pressed.push_back(key);
    }
    EXPECT_THAT(pressed, testing::ElementsAre(shell::NotesKey::Next, shell::NotesKey::Back));
  }
  EXPECT_FALSE(shell::NotesProcess::start(folder / "missing", {}));
}

TEST(Notes, a_window_that_was_closed_takes_no_pages) {
  auto notes = shell::NotesProcess::start("/bin/true", {});
  ASSERT_TRUE(notes);
  for (int n = 0; n < 100 && notes->is_open(); ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(notes->is_open());
  notes->show(example_page());
}

}  // namespace
}  // namespace lanescope
