// The list of a program's launches: what it says, its filter, and a click that shows a launch.

#include "export/trace_file.h"
#include "gui_test.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"

#include <fstream>

namespace lanescope {
namespace {

class Program : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.read_trace = exporting::read_trace_part;
    return options;
  }
  std::string launch(int number, const char* kernel, const char* file) {
    return fmt::format(
        R"({{"number": {}, "kernel": "{}", "grid": [32, 32, 1], "block": [32, 8, 1], "emulated_seconds": 0.012,
            "sectors": 1179648, "ideal_sectors": 262144, "wavefronts": 1081344, "ideal_wavefronts": 65536,
            "findings": [{}]{}}})",
        number, kernel, number == 2 ? "\"x.py:7: two threads write the same place\"" : "",
        *file == '\0' ? "" : fmt::format(R"(, "file": "{}")", file));
  }
  /// A run of three launches, of which two were kept.
  void write_run() {
    std::filesystem::create_directories(scratch("run"));
    for (const char* name : {"0000-transpose.lane", "0002-sum.lane"})
      ASSERT_TRUE(exporting::save_trace(*now()->run->trace, scratch("run") / name));
    std::ofstream(scratch("run") / "run.json")
        << R"({"lanescope_run": 1, "command": ["python", "x.py"], "device": "ampere", "status": 0, "launches": [)"
        << launch(0, "transpose", "0000-transpose.lane") << "," << launch(1, "transpose", "") << ","
        << launch(2, "sum", "0002-sum.lane") << "]}";
  }
};

TEST_F(Program, a_click_shows_a_launch_in_all_panels) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    write_run();
    session_->post(session::OpenFile{scratch("run")});
    settle(context);
    context.Yield(12);
    ASSERT_NE(now()->program, nullptr);
    EXPECT_EQ(now()->choices.file->path.filename(), "0000-transpose.lane");
    picture(context, "program");
    context.SetRef(window(context, "###program"));
    const auto click_launch = [&](int number) {
      context.ItemClick(fmt::format("**/{}##{}", number + 1, number).c_str());
      settle(context);
    };
    click_launch(2);
    EXPECT_EQ(now()->choices.file->path.filename(), "0002-sum.lane");
    ASSERT_NE(now()->program, nullptr);
    // Its accesses were not kept: a notice says so, and what is shown stays.
    click_launch(1);
    EXPECT_EQ(now()->choices.file->path.filename(), "0002-sum.lane");
    ASSERT_FALSE(workspace().notices().said().empty());
    EXPECT_NE(workspace().notices().said().back().find("--keep all"), std::string::npos);
  });
}

TEST_F(Program, the_filter_leaves_kernels_of_a_name) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    write_run();
    session_->post(session::OpenFile{scratch("run")});
    settle(context);
    context.Yield(12);
    context.SetRef(window(context, "###program"));
    EXPECT_TRUE(context.ItemExists("**/1##0"));
    context.ItemInputValue("##filter", "sum");
    context.Yield(2);
    EXPECT_FALSE(context.ItemExists("**/1##0"));
    EXPECT_TRUE(context.ItemExists("**/3##2"));
  });
}

}  // namespace
}  // namespace lanescope
