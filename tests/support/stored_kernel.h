// The lessons' PTX as files, each with a first line that says what it was compiled from: the presets in
// assets/ptx, and every text that the toggles can make in a folder that store_ptx was given.

#pragma once

#include "support/project.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::tests {

struct StoredKernel {
  std::string file;                            // "transpose_tiled.cu"
  std::map<std::string, std::string> defines;  // "PADDING" -> "1"
  std::string text;

  /// The macro's value, or what kernels/tile.h gives it.
  uint32_t number(const std::string& name, uint32_t initial) const {
    const auto found = defines.find(name);
    return found == defines.end() ? initial : static_cast<uint32_t>(std::stoul(found->second));
  }
  std::string entry() const { return file.substr(0, file.rfind('.')); }
};

/// "// transpose_tiled.cu sm_90 PADDING=1 TILE=32 key=..." and the PTX after it.
inline StoredKernel read_stored_kernel(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  StoredKernel kernel;
  kernel.text.assign(std::istreambuf_iterator<char>(stream), {});
  const std::string first = kernel.text.substr(0, kernel.text.find('\n'));
  std::string word;
  std::vector<std::string> words;
  for (const char c : first + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (words.size() > 1) kernel.file = words[1];
  for (const std::string& one : words) {
    if (const size_t at = one.find('='); at != std::string::npos)
      kernel.defines[one.substr(0, at)] = one.substr(at + 1);
  }
  return kernel;
}

/// All of a folder and those in it, in the order of their paths.
inline std::vector<StoredKernel> stored_kernels(
    const std::filesystem::path& folder = tests::source_dir() / "assets/ptx/transpose") {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<StoredKernel> kernels;
  for (const auto& path : paths) kernels.push_back(read_stored_kernel(path));
  return kernels;
}

}  // namespace lanescope::tests
