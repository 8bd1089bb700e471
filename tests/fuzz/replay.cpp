// Passes every file of some folders to the fuzz target: whole, truncated at many offsets, and with bytes
// changed. Method: no compiler support needed, so g++ runs it in every test run; a crash is the failure. The
// changes come from a generator whose seed is printed and may be given before the folders: --seed N.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>

// libFuzzer defines this name.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data,  // NOLINT(readability-identifier-naming)
                                      size_t size);

namespace {

constexpr int kCuts = 64;
constexpr int kBentCopies = 192;
constexpr uintmax_t kLargest = 32 << 10;  // larger files take long and hold little that is new

void give(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

/// A few bytes replaced, one range moved: like a damaged or hand-edited file.
std::string bent(std::string text, std::mt19937& random) {
  const auto below = [&](size_t bound) {
    return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
  };
  for (size_t i = below(4) + 1; i > 0; --i) text[below(text.size())] = static_cast<char>(below(256));
  const size_t begin = below(text.size());
  const std::string stretch = text.substr(begin, below(40) + 1);
  if (below(2) == 0) text.erase(begin, stretch.size());
  text.insert(below(text.size() + 1), stretch);
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  uint32_t seed = 1;
  if (words.size() > 1 && words[0] == "--seed") {
    seed = static_cast<uint32_t>(std::strtoul(words[1].c_str(), nullptr, 10));
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) {
    fmt::print(stderr, "usage: {} [--seed N] FOLDER...\n", arguments[0]);
    return 2;
  }
  fmt::print("seed {}\n", seed);
  std::mt19937 random(seed);
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : words)
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.file_size() <= kLargest) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    fmt::print("{}\n", file.filename().string());
    std::fflush(stdout);  // the last name is the culprit of a crash
    give(text);
    if (text.empty()) continue;
    for (int i = 0; i < kCuts; ++i) give(text.substr(0, text.size() * static_cast<size_t>(i) / kCuts));
    for (int i = 0; i < kBentCopies; ++i) give(bent(text, random));
  }
  return files.empty() ? 1 : 0;
}
