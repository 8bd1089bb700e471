// A source with main in the session: the question, its answers, runs of the program, and that nothing runs
// unasked. A function stands in for `lanescope run`.

#include "session/active_program.h"

#include "compile/compiler.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/shown_once.h"
#include "support/temporary_folder.h"
#include "trace/trace_part.h"

#include <atomic>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using Answer = AnswerProgram::Answer;
using Question = WholeProgram::Question;

constexpr const char* kSource = R"cu(#include "side.h"
__global__ void copy(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
int main() {
  float *in, *out;
  cudaMalloc(&in, SIDE * sizeof(float));
  cudaMalloc(&out, SIDE * sizeof(float));
  copy<<<1, SIDE>>>(in, out);
}
)cu";

class ActiveProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_compiler(tests::project_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    write("side.h", "#define SIDE 32\n");
    write("tr.cu", kSource);
    start();
  }
  void start() {
    session_.reset();
    pipeline::Options options = tests::project_options(1);
    options.own_programs = folder_ / "config" / "programs.toml";
    options.read_trace = [this](const std::filesystem::path&,
                                const trace::WantedBlocks&) -> Result<trace::TracePart> {
      return trace::TracePart{*trace_, {}};
    };
    options.run_program = [this](const pipeline::ProgramRequest& request, std::stop_token stop) {
      return run(request, stop);
    };
    session_ = std::make_unique<Session>(options);
    if (!trace_) {
      session_->post(OpenLesson{"transpose"});
      session_->wait_until_idle();
      trace_ = *session_->latest()->run->trace;
    }
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }
  std::shared_ptr<const Snapshot> open() { return after(OpenFile{source_, {}, {"7", "x"}}); }
  static Question question(const Snapshot& now) {
    return now.whole_program ? now.whole_program->question : Question::None;
  }

  /// What `lanescope run` leaves: three launches, of which the second and third were kept, and the third
  /// wastes most.
  Result<pipeline::ProgramOutcome> run(const pipeline::ProgramRequest& request, const std::stop_token& stop) {
    ++runs_;
    request_ = request;
    while (blocks_ && !stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (stop.stop_requested()) return fail(ErrorKind::Cancelled, "cancelled");
    if (!refusal_.empty()) return fail(ErrorKind::Compile, refusal_);
    const std::filesystem::path folder = folder_ / ("run" + std::to_string(runs_));
    std::filesystem::create_directories(folder);
    const auto launch = [](int number, const char* kernel, int sectors, const char* file) {
      return R"({"number": )" + std::to_string(number) + R"(, "kernel": ")" + kernel +
             R"(", "grid": [1, 1, 1], "block": [32, 1, 1], "emulated_seconds": 0.1, "findings": [],
                "ideal_sectors": 1, "wavefronts": 0, "ideal_wavefronts": 0, "sectors": )" +
             std::to_string(sectors) + (*file == 0 ? "" : R"(, "file": ")" + std::string(file) + '"') + "}";
    };
    std::ofstream(folder / "run.json")
        << R"({"lanescope_run": 1, "command": ["tr.cu"], "device": "h200", "status": 0, "launches": [)"
        << (launches_ ? launch(0, "large", 99, "") + "," + launch(1, "small", 2, "0001-small.lane") + "," +
                            launch(2, "copy", 9, "0002-copy.lane")
                      : "")
        << "]}";
    for (const char* name : {"0001-small.lane", "0002-copy.lane"}) std::ofstream(folder / name) << "x";
    if (keeps_inputs_) write_inputs(folder);
    return pipeline::ProgramOutcome{.folder = folder, .output = "hello\n", .problem = problem_};
  }

  /// What the third launch was given: 3, 3, 3, ...
  static void write_inputs(const std::filesystem::path& folder) {
    std::ofstream(folder / "0002-copy.toml") << R"toml(file = "elsewhere.cu"
[buffers]
[[launch]]
kernel = "copy"
grid = [1, 1, 1]
block = [32, 1, 1]
arguments = ["in=f32[32]:fill(3)", "out=f32[32]:none"]
)toml";
    std::ifstream run(folder / "run.json");
    const std::string text{std::istreambuf_iterator<char>(run), {}};
    const std::string file = R"("file": "0002-copy.lane")";
    std::ofstream(folder / "run.json") << std::string(text).replace(
        text.find(file), file.size(), file + R"(, "entry": "_Z4copyPKfPf", "inputs": "0002-copy.toml")");
  }
  static float first_output(const Snapshot& now) {
    float value = 0;
    std::memcpy(&value, now.run->buffers.at(1)->data(), sizeof value);
    return value;
  }

  tests::TemporaryFolder folder_{"active-program"};
  std::filesystem::path source_ = folder_ / "tr.cu";
  std::optional<trace::Trace> trace_;
  std::atomic<int> runs_ = 0;
  std::atomic<bool> blocks_ = false;
  bool launches_ = true, keeps_inputs_ = false;
  std::string refusal_, problem_;
  pipeline::ProgramRequest request_;
  std::unique_ptr<Session> session_;
};

TEST_F(ActiveProgramTest, a_source_with_main_is_asked_about_and_shows_its_kernels_meanwhile) {
  const auto now = open();
  EXPECT_EQ(question(*now), Question::First);
  EXPECT_EQ(now->run->kernel, "copy");
  EXPECT_EQ(now->program, nullptr);
  EXPECT_FALSE(now->busy);
  EXPECT_EQ(runs_, 0) << "nothing runs unasked";
}

TEST_F(ActiveProgramTest, runs_when_it_is_allowed_and_the_kept_launch_that_wastes_most_is_opened) {
  open();
  const auto now = after(AnswerProgram{Answer::Run});
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(request_.source, source_);
  EXPECT_THAT(request_.arguments, ElementsAre("7", "x"));
  EXPECT_EQ(request_.device, "h200");
  EXPECT_FALSE(now->error) << describe(*now->error);
  ASSERT_NE(now->program, nullptr);
  EXPECT_EQ(now->program->launches.size(), 3u);
  EXPECT_EQ(now->choices.file->path.filename(), "0002-copy.lane");
  ASSERT_NE(now->whole_program, nullptr);
  EXPECT_EQ(now->whole_program->output, "hello\n");
  EXPECT_FALSE(now->whole_program->is_running);
  EXPECT_EQ(question(*now), Question::None);
  const auto other = after(OpenFile{folder_ / "run1" / "0001-small.lane"});
  ASSERT_NE(other->whole_program, nullptr) << "another launch is of the program too";
  EXPECT_EQ(runs_, 1);
}

TEST_F(ActiveProgramTest, a_launch_whose_inputs_were_kept_is_edited_on_them) {
  keeps_inputs_ = true;
  open();
  auto now = after(AnswerProgram{Answer::Run});
  EXPECT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.file->path, source_);
  EXPECT_EQ(now->choices.file->program_launch, folder_ / "run1" / "0002-copy.lane");
  EXPECT_FALSE(now->choices.file->is_guess);
  ASSERT_NE(now->program, nullptr);
  EXPECT_EQ(first_output(*now), 3);
  // Another text and another parameter: what was given stays.
  const std::string sum =
      "__global__ void copy(float k, const float* in, float* out) { out[threadIdx.x] = "
      "in[threadIdx.x] + in[0] + 0 * k; }\n";
  now = after(SetText{source_, sum + std::string(kSource).substr(std::string(kSource).find("int main")), 1});
  EXPECT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(first_output(*now), 6);
  EXPECT_NE(now->program, nullptr);
  EXPECT_EQ(runs_, 1) << "typing runs no host code";
  now = after(OpenFile{folder_ / "run1" / "0001-small.lane"});
  EXPECT_EQ(now->choices.file->path.filename(), "0001-small.lane") << "its inputs were not kept";
  after(ChooseText{source_, ChooseText::Which::Original});
  now = after(OpenFile{folder_ / "run1" / "0002-copy.lane"});
  EXPECT_EQ(first_output(*now), 3);
}

TEST_F(ActiveProgramTest, the_launch_that_is_shown_is_shown_again_after_another_run) {
  open();
  after(AnswerProgram{Answer::Run});
  after(OpenFile{folder_ / "run1" / "0001-small.lane"});
  EXPECT_EQ(after(RunProgram{})->choices.file->path, folder_ / "run2" / "0001-small.lane");
}

TEST_F(ActiveProgramTest, the_answer_is_remembered_for_this_text) {
  open();
  after(AnswerProgram{Answer::Run});
  start();
  const auto now = open();
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(question(*now), Question::None);
  EXPECT_NE(now->program, nullptr);
}

TEST_F(ActiveProgramTest, is_asked_about_again_where_its_text_was_changed_since) {
  open();
  after(AnswerProgram{Answer::Run});
  for (const char* changed : {"tr.cu", "side.h"}) {
    start();
    std::ofstream(folder_ / changed, std::ios::app) << "// more\n";
    const auto now = open();
    EXPECT_EQ(question(*now), Question::Changed) << changed;
    EXPECT_EQ(now->program, nullptr);
    EXPECT_EQ(runs_, changed == std::string("tr.cu") ? 1 : 2);
    after(AnswerProgram{Answer::Run});
  }
  EXPECT_EQ(runs_, 3);
}

TEST_F(ActiveProgramTest, a_change_on_disk_while_it_is_open_is_asked_about_and_then_run) {
  open();
  after(AnswerProgram{Answer::Run});
  std::ofstream(source_, std::ios::app) << "// more\n";
  tests::once(*session_, [](const Snapshot& now) { return question(now) == Question::Changed; });
  EXPECT_EQ(question(*session_->latest()), Question::Changed);
  EXPECT_EQ(runs_, 1) << "not before the answer";
  const auto now = after(AnswerProgram{Answer::Run});
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(now->choices.file->path.parent_path(), folder_ / "run2");
}

TEST_F(ActiveProgramTest, an_answer_is_about_the_text_that_was_asked_about) {
  open();
  std::ofstream(source_, std::ios::app) << "// more\n";
  session_->post(AnswerProgram{Answer::Run});
  session_->wait_until_idle();
  EXPECT_EQ(runs_, 0);
  EXPECT_EQ(question(*session_->latest()), Question::Changed);
}

TEST_F(ActiveProgramTest, kernels_only_is_remembered_too_and_f5_asks) {
  open();
  auto now = after(AnswerProgram{Answer::KernelsOnly});
  EXPECT_EQ(question(*now), Question::None);
  start();
  std::ofstream(source_, std::ios::app) << "// more\n";
  now = open();
  EXPECT_EQ(question(*now), Question::None) << "a change is no reason to ask";
  EXPECT_EQ(now->run->kernel, "copy");
  EXPECT_EQ(question(*after(RunProgram{})), Question::First);
  EXPECT_EQ(runs_, 0);
}

TEST_F(ActiveProgramTest, later_asks_the_next_time) {
  open();
  EXPECT_EQ(question(*after(AnswerProgram{Answer::Later})), Question::None);
  start();
  EXPECT_EQ(question(*open()), Question::First);
  EXPECT_EQ(runs_, 0);
}

TEST_F(ActiveProgramTest, f5_runs_it_again) {
  open();
  after(AnswerProgram{Answer::Run});
  const auto now = after(RunProgram{});
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(now->choices.file->path, folder_ / "run2" / "0002-copy.lane");
}

TEST_F(ActiveProgramTest, typing_runs_no_host_code_and_what_is_saved_here_stays_allowed) {
  open();
  after(AnswerProgram{Answer::Run});
  after(Undo{});
  auto now = after(SetText{source_, kSource, 1});
  now = after(SetText{source_, std::string(kSource) + "// typed\n", 2});
  EXPECT_EQ(now->choices.file->path, source_);
  EXPECT_EQ(runs_, 1);
  now = after(RunProgram{});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("save the text (Ctrl+S)"));
  EXPECT_EQ(runs_, 1);
  after(SaveText{source_});
  now = after(RunProgram{});
  EXPECT_EQ(question(*now), Question::None);
  EXPECT_EQ(runs_, 2);
  start();
  open();
  EXPECT_EQ(runs_, 3) << "the saved text is the remembered one";
}

TEST_F(ActiveProgramTest, typing_while_it_runs_ends_it) {
  blocks_ = true;
  open();
  session_->post(AnswerProgram{Answer::Run});
  tests::once(*session_, [&](const Snapshot&) { return runs_ == 1; });
  const auto now = after(SetText{source_, std::string(kSource) + "// typed\n", 1});
  EXPECT_EQ(now->choices.file->path, source_);
  EXPECT_FALSE(now->whole_program->is_running);
  EXPECT_EQ(now->run->kernel, "copy");
}

TEST_F(ActiveProgramTest, is_cancelled_and_its_kernels_stay) {
  blocks_ = true;
  open();
  session_->post(AnswerProgram{Answer::Run});
  tests::once(*session_, [&](const Snapshot& now) { return runs_ == 1 && now.busy; });
  EXPECT_TRUE(session_->latest()->whole_program->is_running);
  const auto now = after(CancelProgram{});
  EXPECT_FALSE(now->busy);
  EXPECT_FALSE(now->error) << describe(*now->error);
  EXPECT_FALSE(now->whole_program->is_running);
  EXPECT_EQ(now->run->kernel, "copy");
  EXPECT_EQ(runs_, 1);
}

TEST_F(ActiveProgramTest, what_is_opened_meanwhile_ends_it) {
  blocks_ = true;
  open();
  session_->post(AnswerProgram{Answer::Run});
  tests::once(*session_, [&](const Snapshot&) { return runs_ == 1; });
  const auto now = after(OpenLesson{"transpose"});
  EXPECT_EQ(now->whole_program, nullptr);
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
  EXPECT_EQ(question(*after(RunProgram{})), Question::None);
  EXPECT_EQ(runs_, 1);
}

TEST_F(ActiveProgramTest, where_it_is_not_compiled_its_kernels_stay_with_the_first_error) {
  refusal_ = "In file included from x\ntr.cu(3): error: identifier \"cublas\" is undefined\nmore\n";
  open();
  const auto now = after(AnswerProgram{Answer::Run});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("only its kernels are shown"));
  EXPECT_THAT(now->error->message, EndsWith("tr.cu:3: error: identifier \"cublas\" is undefined"));
  EXPECT_EQ(now->choices.file->path, source_);
  EXPECT_EQ(now->run->kernel, "copy");
  EXPECT_FALSE(now->busy);
  refusal_.clear();
  EXPECT_FALSE(after(RunProgram{})->error);
}

TEST_F(ActiveProgramTest, says_how_it_ended_beside_its_launches) {
  problem_ = "the program tr.cu ended with status 3";
  open();
  auto now = after(AnswerProgram{Answer::Run});
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->error->message, problem_);
  EXPECT_NE(now->program, nullptr);
  problem_.clear();
  launches_ = false;
  now = after(RunProgram{});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("launched no kernel"));
  EXPECT_EQ(now->choices.file->path.parent_path(), folder_ / "run1") << "what was shown stays";
  EXPECT_EQ(now->whole_program->output, "hello\n");
}

TEST_F(ActiveProgramTest, other_files_are_no_programs) {
  const auto now = after(OpenFile{write("k.cu", "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n")});
  EXPECT_EQ(now->whole_program, nullptr);
  open();
  EXPECT_EQ(after(OpenFile{folder_ / "k.cu"})->whole_program, nullptr);
  EXPECT_EQ(runs_, 0);
}

TEST_F(ActiveProgramTest, own_files_open_with_the_device_of_files_and_keep_a_chosen_one) {
  after(OpenLesson{"transpose"});
  ASSERT_EQ(session_->latest()->choices.device.name, "gt200");
  EXPECT_EQ(open()->choices.device.name, "h200");
  after(SetDevice{"ampere"});
  EXPECT_EQ(after(OpenFile{write("k.cu", kSource)})->choices.device.name, "ampere");
}

}  // namespace
}  // namespace lanescope::session
