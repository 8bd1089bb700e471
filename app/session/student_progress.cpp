#include "session/student_progress.h"

#include "base/file.h"
#include "session/exercise_state.h"

#include <sstream>
#include <system_error>
#include <utility>

#include <toml++/toml.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostProgressBytes = uint64_t{1} << 20;
constexpr size_t kMostNames = 1000;  // of a lesson
constexpr size_t kLongestName = 200;

void add_names(std::set<std::string>& names, const toml::node_view<const toml::node>& list) {
  const toml::array* const array = list.as_array();
  if (array == nullptr) return;
  for (const toml::node& node : *array) {
    const std::string name = node.value_or(std::string());
    if (!name.empty() && name.size() <= kLongestName && names.size() < kMostNames) names.insert(name);
  }
}

toml::array array_of(const std::set<std::string>& names) {
  toml::array array;
  for (const std::string& name : names) array.push_back(name);
  return array;
}

void merge(StudentProgress& progress, const StudentProgress& other) {
  for (const auto& [name, done] : other.lessons) {
    progress.lessons[name].kernels.insert(done.kernels.begin(), done.kernels.end());
    progress.lessons[name].exercises.insert(done.exercises.begin(), done.exercises.end());
  }
}

/// Whether the file of the chosen exercise passed all of its checks.
bool is_solved(const ExerciseState& state) {
  return state.chosen && !state.error && !state.checking && !state.checks.empty() &&
         state.file.use == SubmissionFile::Use::Checked && pipeline::has_passed(state.checks);
}

}  // namespace

StudentProgress read_progress(const fs::path& file) {
  StudentProgress progress;
  if (file.empty()) return progress;
  const auto text = read_text(file, kMostProgressBytes);
  if (!text) return progress;
  try {
    const toml::table root = toml::parse(*text);
    for (const auto& [name, node] : root) {
      if (!node.is_table() || name.str().size() > kLongestName) continue;
      const toml::node_view<const toml::node> table(node);
      LessonProgress& done = progress.lessons[std::string(name.str())];
      add_names(done.kernels, table["kernels"]);
      add_names(done.exercises, table["exercises"]);
    }
  } catch (const toml::parse_error&) {
    return {};
  }
  return progress;
}

std::string text_of(const StudentProgress& progress) {
  toml::table root;
  for (const auto& [name, done] : progress.lessons)
    root.insert(name,
                toml::table{{"kernels", array_of(done.kernels)}, {"exercises", array_of(done.exercises)}});
  std::ostringstream text;
  text << root << '\n';
  return text.str();
}

KeptStudentProgress::KeptStudentProgress(fs::path file)
    : file_(std::move(file)),
      progress_(read_progress(file_)),
      shown_(std::make_shared<const StudentProgress>(progress_)) {}

void KeptStudentProgress::follow(Snapshot& snapshot) {
  const Choices& choices = snapshot.choices;
  bool is_new = false;
  // What is shown after a failure is of another kernel.
  if (choices.lesson && choices.exercise.empty() && snapshot.run && !snapshot.failed)
    is_new = progress_.lessons[choices.lesson->name].kernels.insert(choices.settings.kernel).second;
  if (snapshot.exercise && is_solved(*snapshot.exercise)) {
    const std::string& whole = snapshot.exercise->chosen->exercise.name;  // "transpose/tiled"
    const size_t slash = whole.find('/');
    if (slash != std::string::npos)
      is_new = progress_.lessons[whole.substr(0, slash)].exercises.insert(whole.substr(slash + 1)).second ||
               is_new;
  }
  if (is_new) write();
  snapshot.student = shown_;
}

/// A file that cannot be written costs the student this progress after the window is closed, and no more.
void KeptStudentProgress::write() {
  merge(progress_, read_progress(file_));
  shown_ = std::make_shared<const StudentProgress>(progress_);
  if (file_.empty()) return;
  std::error_code ignored;
  fs::create_directories(file_.parent_path(), ignored);
  (void)write_file(file_, text_of(progress_));
}

}  // namespace lanescope::session
