#include "session/file_watch.h"

#include <algorithm>
#include <system_error>

namespace lanescope::session {

FileWatch::State FileWatch::look(const std::filesystem::path& file) {
  std::error_code problem;
  const auto time = std::filesystem::last_write_time(file, problem);
  if (problem) return {};
  const uintmax_t bytes = std::filesystem::file_size(file, problem);
  return {time, problem ? 0 : bytes};
}

std::vector<FileWatch::State> FileWatch::look() const {
  std::vector<State> states;
  for (const std::filesystem::path& file : files_) states.push_back(look(file));
  return states;
}

void FileWatch::follow(const std::vector<std::filesystem::path>& files) {
  std::vector<State> known;
  for (const std::filesystem::path& file : files) {
    const auto before = std::ranges::find(files_, file);
    known.push_back(before == files_.end() ? look(file)
                                           : known_[static_cast<size_t>(before - files_.begin())]);
  }
  files_ = files;
  known_ = known;
  last_ = std::move(known);
}

void FileWatch::note() { known_ = last_ = look(); }

bool FileWatch::has_change() {
  std::vector<State> now = look();
  const bool rests = now == last_;
  last_ = std::move(now);
  if (!rests || last_ == known_) return false;
  known_ = last_;
  return true;
}

}  // namespace lanescope::session
