// A person's own file in the window: opened, dropped, launched, edited, with errors in place.

#include "compile/compiler.h"
#include "gui_test.h"
#include "session/failed_run.h"
#include "session/opened_file.h"
#include "support/two_kernels.h"
#include "trace/traffic.h"

#include <fstream>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace lanescope {
namespace {

class OwnFile : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.own_launches = scratch("launches");
    return options;
  }
  void SetUp() override {
    if (!compile::find_compiler(GuiTest::session_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    GuiTest::SetUp();
  }
  std::filesystem::path write(const char* name, const std::string& text) const {
    std::ofstream(scratch(name)) << text;
    return scratch(name);
  }
  void open(ImGuiTestContext& context, const std::filesystem::path& file) {
    session_->post(session::OpenFile{file});
    settle(context);
    context.Yield(12);
  }
  void type(ImGuiTestContext& context, const char* field, const char* text) {
    context.SetRef(window(context, "###launch/form"));
    context.ItemInputValue(field, text);
    context.Yield(2);
    settle(context);
  }
  uint64_t stores() const {
    return trace::total_of(*now()->run->trace, trace::Space::Global, trace::Traffic::Store).requests;
  }
};

TEST_F(OwnFile, the_file_menu_opens_the_dialog_and_a_path_opens_the_file) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "file");
    picture(context, "file_menu");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###open");
    context.Yield(3);
    context.SetRef("//open_dialog");
    context.ItemInputValue("##path", file.c_str());
    settle(context);
    context.Yield(12);
    ASSERT_NE(now()->choices.file, nullptr);
    EXPECT_EQ(now()->choices.file->path, file);
    EXPECT_EQ(now()->run->kernel, "add");
    EXPECT_FALSE(ImGui::FindWindowByName("open_dialog")->Active);
    picture(context, "own_file");
  });
}

TEST_F(OwnFile, control_o_opens_the_dialog_and_the_list_enters_folders) {
  std::filesystem::create_directories(scratch("folder/inner"));
  write("folder/inner/own.cu", tests::kTwoKernels);
  write("folder/unrelated.txt", "");
  drive([&](ImGuiTestContext& context) {
    workspace().preferences().recent = {scratch("folder/before.cu").string()};
    press(context, ImGuiMod_Ctrl | ImGuiKey_O);
    context.SetRef("//open_dialog");
    ASSERT_TRUE(context.ItemExists("##path"));
    picture(context, "open_dialog");
    context.SetRef(context.WindowInfo("//open_dialog/entries").ID);
    EXPECT_FALSE(context.ItemExists("###unrelated.txt"));
    context.ItemClick("###inner");
    context.Yield(2);
    context.ItemClick("###own.cu");
    settle(context);
    context.Yield(4);
    ASSERT_NE(now()->choices.file, nullptr);
    EXPECT_EQ(now()->choices.file->path, scratch("folder/inner/own.cu"));
  });
}

TEST_F(OwnFile, escape_leaves_the_dialog) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiMod_Ctrl | ImGuiKey_O);
    EXPECT_TRUE(ImGui::FindWindowByName("open_dialog")->Active);
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(ImGui::FindWindowByName("open_dialog")->Active);
    EXPECT_NE(now()->choices.lesson, nullptr);
  });
}

TEST_F(OwnFile, a_file_that_is_dropped_is_opened) {
  const std::string file = write("own.cu", tests::kTwoKernels).string();
  GLFWwindow* native = glfwGetCurrentContext();  // of this thread, which draws
  ASSERT_NE(native, nullptr);
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const GLFWdropfun drop = glfwSetDropCallback(native, nullptr);
    ASSERT_NE(drop, nullptr);
    glfwSetDropCallback(native, drop);
    const char* path = file.c_str();
    drop(native, 1, &path);
    context.Yield(2);
    settle(context);
    ASSERT_NE(now()->choices.file, nullptr);
    EXPECT_EQ(now()->choices.file->path, file);
  });
}

TEST_F(OwnFile, a_recent_file_is_in_the_menu) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    session_->post(session::OpenLesson{"transpose"});
    settle(context);
    EXPECT_EQ(workspace().preferences().recent, std::vector<std::string>{file.string()});
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###recent0");
    settle(context);
    ASSERT_NE(now()->choices.file, nullptr);
    EXPECT_EQ(now()->run->kernel, "add");
  });
}

TEST_F(OwnFile, a_change_in_the_launch_panel_runs_the_kernel_with_it) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    EXPECT_EQ(stores(), 16u);
    type(context, "##grid", "2");
    EXPECT_EQ(stores(), 8u);
    type(context, "##argument3", "i32:32");
    EXPECT_EQ(stores(), 1u);
    EXPECT_EQ(now()->choices.file->launches.launches[0].arguments[3], "n=i32:32");
    picture(context, "launch_panel");
  });
}

TEST_F(OwnFile, a_wrong_argument_is_said_below_its_field_and_the_figures_are_marked_as_old) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    type(context, "##argument2", "f32:much");
    ASSERT_TRUE(now()->error);
    ASSERT_FALSE(now()->choices.file->problems.empty());
    EXPECT_NE(now()->choices.file->problems[0].arguments[2].find("much"), std::string::npos);
    EXPECT_NE(now()->failed, nullptr);
    picture(context, "wrong_argument");
    type(context, "##argument2", "f32:2");
    EXPECT_FALSE(now()->error);
    EXPECT_EQ(now()->failed, nullptr);
  });
}

TEST_F(OwnFile, another_kernel_is_chosen_in_the_panel_in_the_bar_and_by_key) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    click(context, "###launch/form", "kernel");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###_Z5twicePfi");
    settle(context);
    EXPECT_EQ(now()->run->kernel, "twice");
    click(context, "Lanescope/toolbar", "kernel");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###_Z3addPKfPffi");
    settle(context);
    EXPECT_EQ(now()->run->kernel, "add");
    press(context, ImGuiKey_K);
    EXPECT_EQ(now()->run->kernel, "twice");
  });
}

TEST_F(OwnFile, the_launches_of_the_host_are_a_list_and_each_is_shown) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    context.SetRef(window(context, "###launch/form"));
    context.ItemClick("host_launches");
    settle(context);
    ASSERT_EQ(now()->runs.size(), 2u);
    EXPECT_EQ(now()->run->kernel, "add");
    picture(context, "launches");
    context.ItemClick("###launch1");
    settle(context);
    EXPECT_EQ(now()->run->kernel, "twice");
    press(context, ImGuiKey_K);
    EXPECT_EQ(now()->run->kernel, "add");
  });
}

TEST_F(OwnFile, a_launch_file_opens_with_its_launches) {
  write("own.cu", tests::kTwoKernels);
  const auto file = write("own.toml", R"(file = "own.cu"
[buffers]
y = "f32[64]:iota"
[[launch]]
kernel = "twice"
block = 64
arguments = ["y", "n=i32:64"]
[[launch]]
kernel = "add"
block = 64
arguments = ["y", "out=f32[64]:zeros", "a=f32:1", "n=i32:64"]
)");
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    ASSERT_EQ(now()->runs.size(), 2u);
    EXPECT_EQ(now()->run->kernel, "twice");
    picture(context, "launch_file");
    type(context, "##buffery", "f32[32]:iota");
    ASSERT_TRUE(now()->error) << "n is more than the buffer has";
    type(context, "##buffery", "f32[64]:random(3)");
    EXPECT_FALSE(now()->error);
  });
}

TEST_F(OwnFile, an_edit_on_disk_shows_its_error_on_its_line_and_then_the_new_run) {
  const auto file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    std::string text = tests::kTwoKernels;
    text.replace(text.find("y[i] += a"), 9, "y[i] += b");
    write("own.cu", text);
    draw_until(context, [](const session::Snapshot& s) { return s.failed != nullptr; });
    ASSERT_TRUE(now()->error);
    ASSERT_EQ(now()->failed->errors.size(), 1u);
    EXPECT_EQ(now()->failed->errors[0].line, 8);
    EXPECT_NE(now()->run, nullptr);
    picture(context, "edit_with_error");
    text = tests::kTwoKernels;
    text.replace(text.find("y[i] += a"), 9, "y[i] -= a");
    write("own.cu", text);
    draw_until(context, [](const session::Snapshot& s) { return s.failed == nullptr; });
    EXPECT_FALSE(now()->error);
    EXPECT_NE(now()->run->source_text.find("y[i] -= a"), std::string::npos);
    picture(context, "edit_run");
  });
}

TEST_F(OwnFile, a_file_that_cannot_compile_shows_its_text_in_place_of_the_lessons_figures) {
  const auto file = write("wrong.cu", "__global__ void f(float* x) {\n  x[0] = missing;\n}\n");
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    EXPECT_EQ(now()->run, nullptr);
    EXPECT_NE(now()->failed->source_text.find("missing"), std::string::npos);
    EXPECT_EQ(workspace().figure(view::PanelId::Totals), nullptr);
    picture(context, "cannot_compile");
  });
  frames_->draw();
  EXPECT_EQ(ImGui::GetCurrentContext()->ErrorCountCurrentFrame, 0) << "mistakes in how the window is drawn";
}

}  // namespace
}  // namespace lanescope
