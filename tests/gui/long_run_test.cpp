// Runs that take long: the question before them, and how they are ended.

#include "gui_test.h"
#include "session/opened_file.h"
#include "session/source_texts.h"

#include <fstream>

namespace lanescope {
namespace {

class LongRun : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.asks_above->seconds = 1e9;
    return options;
  }
};

TEST_F(LongRun, much_memory_is_asked_about_and_not_taken) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetToggle{"size", "32768"});
    settle(context);
    ASSERT_TRUE(now()->question);
    EXPECT_EQ(*now()->question->bytes, uint64_t{8} << 30);
    picture(context, "long_run_question");
    click(context, "###run_card", "cancel");
    EXPECT_FALSE(now()->question);
    EXPECT_NE(now()->choices.settings.values.at("size"), "32768");
  });
}

TEST_F(LongRun, escape_answers_no) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetToggle{"size", "32768"});
    settle(context);
    ASSERT_TRUE(now()->question);
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(now()->question);
  });
}

TEST_F(LongRun, a_run_under_way_says_how_far_it_is_and_is_ended_by_a_click) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::OpenLesson{"matrix_product"});
    session_->post(session::SetToggle{"kernel", "naive"});
    session_->post(session::SetToggle{"size", "1024"});
    // More than a billion products: the card is there long before its end.
    for (int frame = 0;
         frame < 20000 && context.WindowInfo("//###run_card", ImGuiTestOpFlags_NoError).ID == 0; ++frame)
      context.Yield();
    ASSERT_NE(context.WindowInfo("//###run_card", ImGuiTestOpFlags_NoError).ID, 0u);
    picture(context, "long_run");
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(now()->busy);
    EXPECT_FALSE(now()->question);
    EXPECT_EQ(now()->choices.lesson->name, "transpose") << "what ran before";
  });
}

constexpr const char* kEndless =
    "__global__ void wait(volatile int* flag, float* out) {\n  while (flag[0] == 0) out[threadIdx.x] += "
    "1;\n}\n";

TEST_F(LongRun, one_escape_ends_a_file_that_does_not_end) {
  const auto file = scratch("loop.cu");
  std::ofstream(file) << kEndless;
  session_->post(session::OpenFile{file});
  drive([&](ImGuiTestContext& context) {
    draw_until(context, [](const session::Snapshot& now) { return now.busy && now.progress->blocks > 0; });
    for (int frame = 0;
         frame < 20000 && context.WindowInfo("//###run_card", ImGuiTestOpFlags_NoError).ID == 0; ++frame)
      context.Yield();
    picture(context, "endless_run");
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(now()->busy);
  });
}

TEST_F(LongRun, one_escape_ends_an_edit_that_does_not_end_while_the_editor_has_the_keys) {
  const auto file = scratch("mine.cu");
  const std::string quick = "__global__ void add(float* x) { x[threadIdx.x] += 1; }\n";
  std::ofstream(file) << quick;
  session_->post(session::OpenFile{file});
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.Yield(12);
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    session_->post(session::SetText{file, kEndless, 100});
    for (int frame = 0;
         frame < 20000 && context.WindowInfo("//###run_card", ImGuiTestOpFlags_NoError).ID == 0; ++frame)
      context.Yield();
    ASSERT_TRUE(now()->busy);
    context.KeyPress(ImGuiKey_Escape);
    context.Yield(2);
    settle(context);
    EXPECT_FALSE(now()->busy);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the editor keeps the keys";
    EXPECT_EQ(*now()->sources->files.front().text, kEndless);
  });
}

}  // namespace
}  // namespace lanescope
