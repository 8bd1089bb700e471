// A lesson opens as itself, and so does a person's own file: device, panels and toggles are its own when it
// is chosen, in the window or on the command line. What was left at the last close returns only on a start
// without a choice.

#include "gui_test.h"
#include "session/opened_file.h"
#include "support/temporary_folder.h"
#include "support/window_process.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>

namespace lanescope {
namespace {

constexpr const char* kSource =
    "__global__ void add(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }\n";

class Opening : public GuiTest {
 protected:
  std::filesystem::path own_file() {
    std::ofstream(scratch("own.cu")) << kSource;
    return scratch("own.cu");
  }
  /// As another person left it: a panel hidden, one filling the window, a toggle and the device changed.
  void disarrange(ImGuiTestContext& context) {
    settle(context);
    view::Preferences& preferences = workspace().preferences();
    preferences.shown[static_cast<size_t>(view::PanelId::Banks)] = false;
    press(context, ImGuiKey_P);
    session_->post(session::SetDevice{"h200"});
    settle(context);
    ASSERT_EQ(now()->choices.settings.values.at("padding"), "1");
  }
  ImGuiID dock_of(view::PanelId panel) {
    const ImGuiWindow* window = ImGui::FindWindowByName(view::window_of(panel).c_str());
    return window == nullptr ? 0 : window->DockId;
  }
};

TEST_F(Opening, a_lesson_of_the_menu_has_its_device_toggles_and_panels) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const ImGuiID place = dock_of(view::PanelId::Banks);
    ASSERT_NE(place, dock_of(view::PanelId::Source));
    context.DockInto("//###banks", "//###source");
    context.Yield(4);
    ASSERT_EQ(dock_of(view::PanelId::Banks), dock_of(view::PanelId::Source));
    disarrange(context);
    session_->post(session::OpenLesson{"warp"});
    settle(context);
    session_->post(session::OpenLesson{"transpose"});
    settle(context);
    context.Yield(8);
    EXPECT_EQ(now()->choices.device.name, "gt200");
    EXPECT_EQ(now()->choices.settings.values.at("padding"), "0");
    EXPECT_TRUE(workspace().preferences().shows(view::PanelId::Banks));
    EXPECT_EQ(dock_of(view::PanelId::Banks), place);
  });
}

TEST_F(Opening, an_own_file_has_the_default_device_and_all_panels) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_EQ(now()->choices.device.name, "gt200");
    workspace().preferences().shown[static_cast<size_t>(view::PanelId::Banks)] = false;
    session_->post(session::OpenFile{own_file()});
    settle(context);
    EXPECT_EQ(now()->choices.device.name, "h200");
    EXPECT_TRUE(workspace().preferences().shows(view::PanelId::Banks));
  });
}

TEST_F(Opening, what_is_run_again_or_taken_back_keeps_the_panels) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::OpenFile{own_file()});
    settle(context);
    workspace().preferences().shown[static_cast<size_t>(view::PanelId::Banks)] = false;
    session_->post(session::OpenFile{own_file()});
    settle(context);
    EXPECT_FALSE(workspace().preferences().shows(view::PanelId::Banks)) << "the file that is open";
    for (int n = 0; n < 3 && !now()->choices.lesson; ++n) {
      session_->post(session::Undo{});
      settle(context);
    }
    ASSERT_TRUE(now()->choices.lesson);
    EXPECT_FALSE(workspace().preferences().shows(view::PanelId::Banks)) << "undo";
  });
}

/// The program, as the window was left on another lesson.
class OpeningProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!tests::has_screen()) GTEST_SKIP() << "no display: DISPLAY is not set";
    std::filesystem::create_directories(home() / "lanescope");
    std::ofstream(home() / "lanescope/window.toml")
        << "theme = 'dark'\nlesson = 'rows_columns'\ndevice = 'pascal'\nhidden = ['banks']\n"
           "[toggles]\nkernel = 'column_sums'\n";
  }
  std::filesystem::path home() const { return folder_ / "home"; }
  /// Settings that the window keeps when it opened so: device, lesson and file, theme.
  testing::AssertionResult opens(const std::vector<std::string>& arguments, const std::string& device,
                                 const std::string& key, const std::string& name) {
    tests::WindowProcess window(home(), arguments);
    // The file of the test has no arrangement: the window wrote one.
    const auto is_so = [&] {
      return !window.kept("arrangement").empty() && window.kept("device") == "'" + device + "'" &&
             window.kept(key) == "'" + name + "'";
    };
    if (!window.wait_until(is_so))
      return testing::AssertionFailure() << "device " << window.kept("device") << ", " << key << " "
                                         << window.kept(key) << "; " << window.log();
    hidden_ = window.kept("hidden");
    theme_ = window.kept("theme");
    window.end(SIGTERM);
    return testing::AssertionSuccess();
  }

  tests::TemporaryFolder folder_{"opening"};
  std::string hidden_, theme_;
};

TEST_F(OpeningProgram, a_lesson_of_the_command_line_has_its_device_and_panels) {
  EXPECT_TRUE(opens({"--lesson", "transpose"}, "gt200", "lesson", "transpose"));
  EXPECT_EQ(hidden_, "[]");
  EXPECT_EQ(theme_, "'dark'") << "the look is the person's";
}

TEST_F(OpeningProgram, the_device_of_the_command_line_is_that_of_a_lesson_too) {
  EXPECT_TRUE(opens({"--lesson", "transpose", "--device", "ampere"}, "ampere", "lesson", "transpose"));
}

TEST_F(OpeningProgram, a_file_of_the_command_line_has_the_default_device_and_all_panels) {
  std::ofstream(folder_ / "own.cu") << kSource;
  const std::string own = (folder_ / "own.cu").string();
  EXPECT_TRUE(opens({own}, "h200", "file", own));
  EXPECT_EQ(hidden_, "[]");
}

TEST_F(OpeningProgram, a_start_without_a_choice_is_as_it_was_left) {
  EXPECT_TRUE(opens({}, "pascal", "lesson", "rows_columns"));
  EXPECT_THAT(hidden_, testing::HasSubstr("banks"));
}

}  // namespace
}  // namespace lanescope
