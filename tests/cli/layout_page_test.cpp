// app/docs/layouts.md: each of its commands is run, prints what the page shows, and draws its picture.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

struct Shown {
  std::vector<std::string> words;  // after "lanescope"
  std::string output;
};

/// Words of a command line; only double quotes group.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// Commands are indented lines that begin with "$ lanescope "; the indented lines after one are its output.
std::vector<Shown> shown_on_the_page() {
  const std::string indent(4, ' '), prompt = indent + "$ lanescope ";
  std::ifstream page(tests::source_dir() / "app/docs/layouts.md");
  std::vector<Shown> all;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with(prompt)) {
      all.push_back({words_of(line.substr(prompt.size())), {}});
      inside = true;
    } else if (inside && (line.empty() || line.starts_with(indent))) {
      all.back().output += (line.empty() ? "" : line.substr(indent.size())) + "\n";
    } else {
      inside = false;
    }
  }
  for (Shown& one : all) one.output.resize(one.output.find_last_not_of('\n') + 1);
  return all;
}

TEST(LayoutPage, every_command_prints_what_the_page_shows_and_draws_a_picture) {
  const std::vector<Shown> all = shown_on_the_page();
  EXPECT_GE(all.size(), 10u);
  const tests::TemporaryFolder folder("layout-page");
  for (const Shown& one : all) {
    std::vector<std::string> words = one.words;
    const auto picture = folder / "tile.svg";
    words.insert(words.end(), {"-o", picture.string()});
    const tests::Finished done = tests::run_program(words);
    EXPECT_EQ(done.status, 0) << done.error;
    EXPECT_EQ(done.output, one.output + "\n") << one.words.at(1);
    EXPECT_TRUE(std::filesystem::remove(picture)) << one.words.at(1);
  }
}

}  // namespace
}  // namespace lanescope
