// The commands of README.md and of app/docs, English and French: each is run as it is written, in a folder
// that has the files it names, and ends with status 0; one that opens the window opens it on what it names. A
// command of another program, and one that needs a GPU, the network or Python's packages, is skipped with the
// reason.

#include "support/program.h"
#include "support/temporary_folder.h"
#include "support/window_process.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using tests::Finished;
using Words = std::vector<std::string>;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Words of a command line; only quotes group.
Words split(const std::string& line) {
  Words words;
  char quote = 0;
  bool inside = false;
  for (const char c : line) {
    if (c == ' ' && quote == 0) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 ? c == '"' || c == '\'' : c == quote)
      quote = quote == 0 ? c : 0;
    else
      words.back() += c;
  }
  return words;
}

/// A program that a command runs after it was built: "./gemm.exe", "build/vectorAdd".
bool is_built_program(const std::string& word) {
  return word.starts_with("build/") || word.starts_with("./");
}

struct Command {
  std::string page;
  int line = 0;
  std::string text;
};

bool is_command(const std::string& text) {
  constexpr std::array kFirst{"build/lanescope", "lanescope",   "lanescope-0.1.0-x86_64/bin/lanescope",
                              "app/run",         "app/site",    "app/package",
                              "tests/run",       "git clone",   "tests/programs/run_clients",
                              "apt install",     "pip install", "sudo apt install"};
  return std::ranges::any_of(
      kFirst, [&](const std::string& first) { return text == first || text.starts_with(first + " "); });
}

/// The command with the program by its name alone: an installed one and that of the build folder do the same.
std::string of_one_program(const std::string& text) {
  const std::string program = text.substr(0, text.find(' '));
  return program.ends_with("/lanescope") ? "lanescope" + text.substr(program.size()) : text;
}

/// As a part of a test's name: "index.fr.md" is "index_fr".
std::string name_of_page(const fs::path& page) {
  std::string name = page.stem().string();
  std::ranges::replace(name, '.', '_');
  return name;
}

/// The indented lines and the quoted words of the pages that are commands, each once.
std::vector<Command> commands_of_pages() {
  std::vector<fs::path> pages{tests::source_dir() / "README.md"};
  for (const auto& page : fs::directory_iterator(tests::source_dir() / "app/docs"))
    if (page.path().extension() == ".md") pages.push_back(page.path());
  std::ranges::sort(pages);
  std::vector<Command> commands;
  std::set<std::string> known;
  const auto add = [&](const fs::path& page, int line, std::string text) {
    if (text.starts_with("$ ")) text.erase(0, 2);
    if (text.starts_with('!')) text.erase(0, 1);  // of a notebook's cell
    text.erase(text.find_last_not_of(' ') + 1);
    if (is_command(text) && known.insert(of_one_program(text)).second)
      commands.push_back({name_of_page(page), line, text});
  };
  for (const fs::path& page : pages) {
    std::ifstream stream(page);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      if (line.starts_with("    ")) {
        const std::string text = line.substr(4);
        add(page, number, text.substr(0, std::min(text.find(" # "), text.find("  #"))));
        continue;
      }
      for (size_t at = line.find('`'); at != std::string::npos;) {
        const size_t end = line.find('`', at + 1);
        if (end == std::string::npos) break;
        add(page, number, line.substr(at + 1, end - at - 1));
        at = line.find('`', end + 1);
      }
    }
  }
  return commands;
}

/// Why this machine or a test cannot run the command; empty: it can.
std::string reason_to_skip(const Command& command, const Words& words) {
  const auto has = [&](const std::string& part) { return command.text.find(part) != std::string::npos; };
  if (has("git clone") || has("pip install") || has("run_clients")) return "the command needs the network";
  if (has("tests/run")) return "the command runs these tests";
  if (has("apt install")) return "the command installs packages";
  if (has("app/package")) return "the command makes packages; tests/packages installs without them";
  if (has("app/site")) return "the command may fetch MkDocs; tests/documents builds the site";
  if (has("python") || has("jupyter") || has("lanescope mcp"))
    return "the command needs Python packages that are not fetched";
  if (has(".mp4") && std::system("ffmpeg -version > /dev/null 2>&1") != 0)
    return "the command needs the program ffmpeg";
  if (has("--producer gpu")) return "the command needs a GPU";
  if (words.size() > 2 && (words[1] == "time" || words[1] == "record")) return "the command needs a GPU";
  return {};
}

constexpr const char* kProgram = R"(#include <cstdio>
__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
int main() {
  float* x;
  cudaMalloc(&x, 1024 * sizeof(float));
  cudaMemset(x, 0, 1024 * sizeof(float));
  scale<<<4, 256>>>(x, 1024);
  cudaDeviceSynchronize();
  std::printf("done\n");
}
)";

/// Files and folders of the names that the pages use.
class Documents : public testing::TestWithParam<Command> {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(folder_.path());
    // What the commands write for the person stays in the folder.
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}) {
      if (const char* value = std::getenv(name)) environment_[name] = value;
      setenv(name, (folder_ / "home").c_str(), 1);
    }
    write_files();
  }
  void TearDown() override {
    fs::current_path(before_);
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}) {
      if (const auto value = environment_.find(name); value != environment_.end())
        setenv(name, value->second.c_str(), 1);
      else
        unsetenv(name);
    }
  }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  void write_files() const {
    for (const char* name : {"mine.cu", "FILE.cu", "program.cu"}) write(name, kProgram);
    write("saxpy.cu",
          "__global__ void saxpy(const float* x, float* y, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] += 2 * x[i];\n}\n");
    write("scale.cu",
          "__global__ void scale(const float* in, float* out, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  for (int k = i; k < n; k += gridDim.x * blockDim.x) out[k] = 2 * in[k];\n}\n");
    write("include/size.h", "#pragma once\nvoid scale(float* x, int n);\n");
    write("reduction.cu", "#include \"size.h\"\n__global__ void f(float* x) { x[threadIdx.x] = 1; }\n");
    write("kernels.cu",
          "#include \"size.h\"\n__global__ void scale_all(float* x, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = 2;\n}\n"
          "void scale(float* x, int n) { scale_all<<<n / 256, 256>>>(x, n); }\n");
    write("main.cu",
          "#include \"size.h\"\nint main(int count, char**) {\n  float* x;\n"
          "  cudaMalloc(&x, N * sizeof(float));\n  scale(x, N);\n"
          "  cudaDeviceSynchronize();\n  return count == 3 ? 0 : 1;\n}\n");
    write("input.txt", "\n");
    write("Makefile", "run: program\n\t./program\nprogram: program.cu\n\tnvcc -o program program.cu\n");
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(program LANGUAGES CXX CUDA)\n"
          "add_executable(program program.cu)\n");
    write("DIR/other.h", "\n");
    write("NAME.lanescope", "lanescope_session = 1\n[present]\nlesson = \"transpose\"\nkernel = \"tiled\"\n");
  }
  /// What a command needs besides these files.
  void prepare(const Words& words) const {
    const auto has = [&](const std::string& word) { return std::ranges::count(words, word) != 0; };
    if (words.at(1) == "check" && has("mine.cu")) {
      const fs::path lessons = tests::source_dir() / "assets/lessons";
      const bool is_own = words.at(2).starts_with("./");
      write("mine.cu", text_of(is_own ? tests::source_dir() / "assets/new_lesson/exercises/first/solution.cu"
                                      : lessons / "transpose/exercises/tiled/solution.cu"));
      if (has("--starter")) fs::remove(folder_ / "mine.cu");
    }
    if (words.at(1) == "check" && has("FOLDER"))
      write("FOLDER/bert.cu",
            text_of(tests::source_dir() / "assets/lessons/transpose/exercises/tiled/solution.cu"));
    if (std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("./my-lesson"); })) {
      ASSERT_EQ(tests::run_program({"lesson", "new", "my-lesson"}).status, 0);
    }
    if (has("--against") && has("base.json")) {
      const Finished base = tests::run_program({"report", "mine.cu", "--kernels-only", "-o", "base.json"});
      ASSERT_EQ(base.status, 0) << base.error;
    }
    for (const char* trace : {"mine.lane", "FILE.lane"})
      if (has(trace)) {
        const Finished saved = tests::run_program({"trace", "mine.cu", "--kernels-only", "--save", trace});
        ASSERT_EQ(saved.status, 0) << saved.error;
      }
    for (const std::string& word : words)
      if (word.ends_with(".cu") && !fs::exists(word) && !has("--starter")) write(word, kProgram);
    const bool is_plot_of_sweep = has("--from") && has("sweep.sqlite");
    for (const auto& [shard, file] :
         {std::pair{"1/1", "sweep.sqlite"}, std::pair{"1/2", "1.sqlite"}, std::pair{"2/2", "2.sqlite"}})
      if (has(file) && (is_plot_of_sweep || words.at(1) == "merge")) {
        const Finished swept = tests::run_program({"sweep", "--lesson", "transpose", "--set", "size=64,128",
                                                   "--set", "padding=0,1,2", "--shard", shard, "-o", file});
        ASSERT_EQ(swept.status, 0) << swept.error;
      }
    const auto end_of_options = std::ranges::find(words, "--");
    if (words.at(1) == "run" && end_of_options != words.end() && end_of_options + 1 != words.end() &&
        is_built_program(*(end_of_options + 1))) {
      const fs::path program = *(end_of_options + 1);
      fs::create_directories(folder_ / program.parent_path());
      const Finished built = tests::run_program({"run", "--", "nvcc", "-o", program, "program.cu"});
      ASSERT_TRUE(fs::exists(program)) << built.error;
    }
    if (has("cmake") && has("--build")) {
      const Finished configured = tests::run_program({"run", "--", "cmake", "-B", "build"});
      ASSERT_EQ(configured.status, 0) << configured.error << configured.output;
    }
    for (const char* run : {"DIR", "FOLDER"})
      if (words.at(1) == "open" && has(run)) {
        const Finished kept = tests::run_program({"run", "--save", run, "mine.cu"});
        ASSERT_EQ(kept.status, 0) << kept.error;
      }
  }
  void run(const Words& words);
  void open(const Words& words);

  tests::TemporaryFolder folder_{"documents"};
  fs::path before_;
  std::map<std::string, std::string> environment_;
};

void Documents::open(const Words& words) {
  if (!tests::has_screen()) GTEST_SKIP() << "no display: DISPLAY is not set";
  tests::WindowProcess window(folder_ / "home", {words.begin() + 1, words.end()});
  const auto is_named = [&](const std::string& key) {
    return window.kept(key).size() > std::string("''").size();
  };
  const auto is_drawn = [&] { return is_named("lesson") || is_named("file"); };
  const bool is_left = std::ranges::count(words, "--window") != 0;
  EXPECT_TRUE(is_left ? window.wait_for_window_of_it(is_drawn) : window.wait_until(is_drawn))
      << "the window shows nothing: " << window.log();
  if (const auto named = std::ranges::find(words, "--lesson"); named != words.end()) {
    EXPECT_EQ(window.kept("lesson"), "'" + *std::next(named) + "'");
  }
  if (words.size() == 1) {
    EXPECT_EQ(window.kept("lesson"), "'warp'") << "README says which lesson opens";
  }
}

void Documents::run(const Words& words) {
  const Finished done = tests::run_program({words.begin() + 1, words.end()});
  EXPECT_EQ(done.status, 0) << done.error << done.output;
}

TEST_P(Documents, command_does_what_the_page_says) {
  Words words = split(GetParam().text);
  ASSERT_FALSE(words.empty());
  if (const std::string reason = reason_to_skip(GetParam(), words); !reason.empty()) GTEST_SKIP() << reason;
  // `app/run` builds the program and passes its words on.
  for (std::string& word : words) {
    if (word == "VERB") word = "trace";
    if (word == "NAME") word = "transpose";
    if (word == "ARGUMENTS") word = words.front() == "app/run" ? "doctor" : "1024";
  }
  const bool has_verb = words.size() > 1 && words[1].find_first_of(".-") == std::string::npos;
  const std::string verb = has_verb ? words[1] : "";
  // A verb alone that needs something is named, not given as a command.
  if (words.size() == 2 && std::set<std::string>{"trace", "run", "layout", "model", "time"}.contains(verb))
    words = {words[0], "help", verb};
  if (words.size() > 1) prepare(words);
  if (HasFatalFailure()) return;
  const bool is_lecture = verb == "lecture" && words.size() > 2 && std::ranges::count(words, "-o") == 0 &&
                          std::ranges::count(words, "--text") == 0;
  const bool is_link = verb.find("://") != std::string::npos;
  const bool is_window = verb.empty() || is_lecture || is_link || verb == "open" ||
                         (verb == "lesson" && words.size() == 3) ||
                         std::ranges::count(words, "--window") != 0;
  if (is_window)
    open(words);
  else
    run(words);
}

INSTANTIATE_TEST_SUITE_P(Pages, Documents, testing::ValuesIn(commands_of_pages()),
                         [](const testing::TestParamInfo<Command>& command) {
                           return command.param.page + "_" + std::to_string(command.index);
                         });

}  // namespace
}  // namespace lanescope
