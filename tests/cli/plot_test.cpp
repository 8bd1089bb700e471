// `lanescope plot`, `lesson`, `doctor`, `help`: what they print and write.

#include "support/program.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using tests::Finished;
using tests::run_program;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Plot : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lanescope_plot_test." + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The figure of a small transpose, as the bytes of a file.
  std::string plot(const std::string& figure, const std::string& extension,
                   std::vector<std::string> more = {}) const {
    const fs::path file = folder_ / (figure + "." + extension);
    std::vector<std::string> arguments{"plot",     "--lesson", "transpose", "--set",      "size=128",
                                       "--figure", figure,     "-o",        file.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished done = run_program(arguments);
    EXPECT_EQ(done.status, 0) << done.error;
    EXPECT_EQ(done.output, "");
    return contents(file);
  }

  fs::path folder_;
};

std::vector<std::string> all_figures() { return lines_of(run_program({"plot", "--figure", "help"}).output); }

/// What keeps the runs of a figure few.
std::vector<std::string> options_of(const std::string& figure) {
  if (figure == "widths") return {"--width-step", "3072"};  // a run for each width: the ends will do
  if (figure == "published") return {"--seeds", "0"};
  if (figure == "bandwidth") return {"--set", "size=1024"};  // times are recorded from there on
  return {};
}

TEST_F(Plot, every_figure_is_drawn) {
  const std::vector<std::string> figures = all_figures();
  EXPECT_GE(figures.size(), 7u);
  EXPECT_EQ(std::set<std::string>(figures.begin(), figures.end()).size(), figures.size());
  for (const std::string& figure : figures)
    EXPECT_TRUE(plot(figure, "svg", options_of(figure)).starts_with("<?xml")) << figure;
}

TEST_F(Plot, every_figure_has_every_format) {
  for (const std::string& figure : all_figures()) {
    if (figure == "assumptions") continue;  // 44 runs of the model; the files are written as for the others
    const std::vector<std::string> more = options_of(figure);
    EXPECT_TRUE(plot(figure, "pdf", more).starts_with("%PDF")) << figure;
    EXPECT_TRUE(plot(figure, "png", more).starts_with("\x89PNG")) << figure;
    EXPECT_FALSE(plot(figure, "csv", more).empty()) << figure;
    const nlohmann::json json = nlohmann::json::parse(plot(figure, "json", more), nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << figure;
    EXPECT_EQ(json["figure"], figure) << "each name draws its own figure";
  }
}

TEST_F(Plot, the_numbers_of_the_bank_figure_are_those_of_the_column) {
  // The most expensive access of the unpadded tile: every lane in one bank, one wavefront each.
  const std::string csv = plot("banks", "csv");
  size_t rows = 0;
  for (const std::string& line : lines_of(csv)) rows += !line.empty() && line.front() != '#';
  EXPECT_EQ(rows, 1u + 32u) << csv;
  EXPECT_NE(csv.find("emulated"), std::string::npos) << "every file says where its numbers come from";
}

TEST_F(Plot, a_figure_of_a_lesson_says_its_settings) {
  const std::string csv = plot("banks", "csv", {"--set", "padding=1"});
  for (const char* part :
       {"transpose_tiled", "Matrix transpose", "Padded", "Padding 1", "Matrix 128", "NVIDIA H200"})
    EXPECT_NE(csv.find(part), std::string::npos) << part << "\n" << csv.substr(0, 400);
  EXPECT_NE(plot("banks", "csv", {"--language", "fr"}).find("Transposée"), std::string::npos);
}

TEST_F(Plot, the_waits_of_the_block_are_in_its_figure) {
  const std::string csv = plot("warps", "csv");
  EXPECT_NE(csv.find("barrier"), std::string::npos) << csv.substr(0, 400);
}

TEST_F(Plot, theme_and_language_change_the_picture) {
  const std::string plain = plot("totals", "svg");
  EXPECT_NE(plain, plot("totals", "svg", {"--theme", "dark"}));
  EXPECT_NE(plain, plot("totals", "svg", {"--language", "fr"}));
  EXPECT_EQ(plain, plot("totals", "svg")) << "the same figure is the same file";
}

TEST_F(Plot, a_source_line_in_another_encoding_is_drawn_and_the_files_are_utf8) {
  std::ofstream(folder_ / "latin.cu") << "__global__ void k(int* a) {\n"
                                         "  a[threadIdx.x] = 1;  // caf\xe9\n"
                                         "}\n";
  for (const char* extension : {"svg", "pdf", "png", "csv", "json"}) {
    const fs::path file = folder_ / (std::string("latin.") + extension);
    const Finished done = run_program({"plot", (folder_ / "latin.cu").string(), "--block", "32", "--arg",
                                       "a=i32[32]:zeros", "--figure", "totals", "-o", file.string()});
    EXPECT_EQ(done.status, 0) << extension << ": " << done.error;
  }
  EXPECT_NE(contents(folder_ / "latin.csv").find("// caf\xef\xbf\xbd"), std::string::npos);
  EXPECT_EQ(contents(folder_ / "latin.csv").find('\xe9'), std::string::npos);
}

TEST_F(Plot, a_failed_export_leaves_the_old_file_alone) {
  const fs::path folder = folder_ / "shut";
  fs::create_directories(folder);
  const fs::path file = folder / "banks.svg";
  std::ofstream(file) << "old";
  const Finished done = run_program({"plot", "--lesson", "transpose", "--set", "size=32", "--set",
                                     "kernel=naive", "--figure", "banks", "-o", file.string()});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.error.find("shared memory"), std::string::npos) << done.error;
  EXPECT_EQ(contents(file), "old");
}

TEST(Lesson, lists_lessons_with_toggles_and_values) {
  const Finished done = run_program({"lesson"});
  EXPECT_EQ(done.status, 0);
  EXPECT_NE(done.output.find("transpose\t"), std::string::npos);
  EXPECT_NE(done.output.find("--set padding=0|1|2|3|4"), std::string::npos) << done.output;
}

TEST(Doctor, reports_every_capability) {
  const Finished done = run_program({"doctor"});
  EXPECT_EQ(done.status, 0) << done.error;
  for (const char* what : {"lessons", "emulator", "compiler", "driver", "counters", "display"})
    EXPECT_NE(done.output.find(what), std::string::npos) << what;
}

TEST(Help, names_every_verb) {
  const auto lines = lines_of(run_program({"--help"}).output);
  const std::string help = run_program({"help", "help"}).output;
  std::vector<std::string> verbs;
  auto line = std::ranges::find_if(lines, [](const std::string& text) {
    return text.starts_with("Subcommands") || text.starts_with("SUBCOMMANDS");
  });
  ASSERT_NE(line, lines.end());
  for (++line; line != lines.end() && line->starts_with("  "); ++line) {
    std::string verb;
    std::istringstream(*line) >> verb;
    if (line->starts_with("   ") || verb == "help") continue;
    verbs.push_back(verb);
    EXPECT_NE(help.find(verb), std::string::npos) << verb;
  }
  // A build without the window has no screenshot.
  std::set<std::string> all{
#define VERB(name) #name,
#include "shell/verbs.def"
#undef VERB
  };
  all.erase("help");
  all.erase("screenshot");
  for (const std::string& expected : all) EXPECT_THAT(verbs, testing::Contains(expected));
}

TEST_F(Plot, an_unknown_theme_or_language_is_a_usage_error) {
  for (const char* option : {"--theme", "--language"}) {
    const Finished done = run_program({"plot", "-o", (folder_ / "a.svg").string(), option, "frobnicate"});
    EXPECT_EQ(done.status, 2) << option;
    EXPECT_NE(done.error.find(option), std::string::npos) << done.error;
  }
}

TEST(Help, explains_each_verb_and_prints_the_version) {
  EXPECT_EQ(run_program({"--version"}).output, "lanescope " LANESCOPE_VERSION "\n");
  EXPECT_EQ(run_program({"--help"}).status, 0);
  for (const char* verb : {"trace", "plot", "lesson", "doctor"}) {
    const Finished done = run_program({"help", verb});
    EXPECT_EQ(done.output, run_program({verb, "--help"}).output);
    EXPECT_EQ(done.status, 0) << verb;
    EXPECT_FALSE(done.output.empty()) << verb;
  }
  EXPECT_EQ(run_program({"help", "frobnicate"}).status, 2);
}

}  // namespace
}  // namespace lanescope
