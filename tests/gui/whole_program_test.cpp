// A source with main in the window: the question whether it may run, in both languages, its answers, and the
// buttons beside its launches. A function stands in for `lanescope run`.

#include "session/whole_program.h"

#include "export/trace_file.h"
#include "gui_test.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"

#include <atomic>
#include <fstream>
#include <thread>

namespace lanescope {
namespace {

using Question = session::WholeProgram::Question;

class WholeProgram : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.read_trace = exporting::read_trace_part;
    options.own_programs = scratch("programs.toml");
    options.run_program = [this](const pipeline::ProgramRequest&,
                                 const std::stop_token& stop) -> Result<pipeline::ProgramOutcome> {
      ++runs_;
      while (blocks_ && !stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (stop.stop_requested()) return fail(ErrorKind::Cancelled, "cancelled");
      return pipeline::ProgramOutcome{.folder = scratch("run"), .output = "sum 42\n", .problem = {}};
    };
    return options;
  }
  std::filesystem::path source() const { return scratch("transpose.cu"); }
  /// The source, and the run that it leaves.
  void write() {
    std::filesystem::create_directories(scratch("run"));
    ASSERT_TRUE(exporting::save_trace(*now()->run->trace, scratch("run") / "0000-copy.lane"));
    std::ofstream(scratch("run") / "run.json")
        << R"({"lanescope_run": 1, "command": ["transpose.cu", "1024"], "device": "h200", "status": 0,
               "launches": [{"number": 0, "kernel": "copy", "grid": [1, 1, 1], "block": [32, 1, 1],
               "emulated_seconds": 0.01, "sectors": 80, "ideal_sectors": 10, "wavefronts": 4,
               "ideal_wavefronts": 4, "findings": [], "file": "0000-copy.lane"}]})";
    std::ofstream(source()) << R"cu(
__global__ void copy(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
int main() { copy<<<1, 32>>>(nullptr, nullptr); }
)cu";
  }
  void open(ImGuiTestContext& context) {
    write();
    session_->post(session::OpenFile{source(), {}, {"1024"}});
    settle(context);
    context.Yield(12);
  }
  Question question() const { return now()->whole_program ? now()->whole_program->question : Question::None; }
  static bool has_card(ImGuiTestContext& context) {
    const auto card = context.WindowInfo("//###run_card", ImGuiTestOpFlags_NoError);
    return card.ID != 0 && card.Window != nullptr && card.Window->WasActive;
  }

  mutable std::atomic<int> runs_ = 0;
  std::atomic<bool> blocks_ = false;
};

TEST_F(WholeProgram, is_asked_about_in_both_languages_and_themes_and_runs_on_a_click) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open(context);
    ASSERT_EQ(question(), Question::First);
    EXPECT_TRUE(has_card(context));
    picture(context, "program_question_en");
    context.Yield(2);
    session_->post(session::SetLanguage{Language::French});
    workspace().preferences().mode = plot::Theme::Dark;
    frames_->window().resize(1280, 720);
    settle(context);
    EXPECT_TRUE(has_card(context));
    picture(context, "program_question_fr");
    context.Yield(2);
    EXPECT_EQ(runs_, 0);
    click(context, "###run_card", "run_program");
    EXPECT_EQ(runs_, 1);
    EXPECT_EQ(question(), Question::None);
    EXPECT_EQ(now()->choices.file->path.filename(), "0000-copy.lane");
    context.Yield(12);
    EXPECT_FALSE(has_card(context));
    picture(context, "program_launches_fr");
    session_->post(session::SetLanguage{Language::English});
    settle(context);
    picture(context, "program_launches_en");
    context.Yield(2);
  });
}

TEST_F(WholeProgram, kernels_only_and_escape_run_nothing) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open(context);
    press(context, ImGuiKey_Escape);
    EXPECT_EQ(question(), Question::None);
    press(context, ImGuiKey_F5);
    EXPECT_EQ(question(), Question::First);
    click(context, "###run_card", "kernels_only");
    EXPECT_EQ(question(), Question::None);
    EXPECT_EQ(now()->choices.file->path, source());
    EXPECT_EQ(runs_, 0);
  });
}

TEST_F(WholeProgram, the_panel_runs_it_again_and_leaves_it_for_its_kernels) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open(context);
    click(context, "###run_card", "run_program");
    context.Yield(12);
    click(context, "###program", "run_again");
    EXPECT_EQ(runs_, 2);
    context.Yield(12);
    click(context, "###program", "kernels_only");
    EXPECT_EQ(now()->choices.file->path, source());
    EXPECT_EQ(now()->program, nullptr);
    EXPECT_EQ(question(), Question::None);
    EXPECT_EQ(runs_, 2);
  });
}

TEST_F(WholeProgram, while_it_runs_a_card_says_so_and_ends_it) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    open(context);
    blocks_ = true;
    session_->post(session::AnswerProgram{session::AnswerProgram::Answer::Run});
    draw_until(context, [](const session::Snapshot& now) { return now.busy; });
    for (int frame = 0; frame < 20000 && !has_card(context); ++frame) context.Yield();
    ASSERT_TRUE(has_card(context));
    picture(context, "program_runs");
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(now()->busy);
    EXPECT_FALSE(now()->whole_program->is_running);
    EXPECT_EQ(now()->choices.file->path, source());
  });
}

}  // namespace
}  // namespace lanescope
