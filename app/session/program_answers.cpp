#include "session/program_answers.h"

#include "base/file.h"
#include "pipeline/job.h"

#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <toml++/toml.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostAnswerBytes = uint64_t{1} << 20;
constexpr size_t kMostAnswers = 200;
constexpr const char* kRun = "run";
constexpr const char* kKernelsOnly = "kernels only";

struct KeptAnswer {
  std::string source;
  ProgramAnswer answer;
};

/// Tables that are no answers are passed over.
std::vector<KeptAnswer> read_answers(const fs::path& file) {
  std::vector<KeptAnswer> kept;
  const auto text = read_text(file, kMostAnswerBytes);
  if (!text) return kept;
  try {
    const toml::table root = toml::parse(*text);
    const toml::array* tables = root["program"].as_array();
    if (tables == nullptr) return kept;
    for (const toml::node& node : *tables) {
      const toml::table* table = node.as_table();
      if (table == nullptr) continue;
      const auto at = [&](std::string_view key) { return (*table)[key].value_or(std::string()); };
      const std::string may = at("may");
      if (at("source").empty() || at("text").empty() || (may != kRun && may != kKernelsOnly)) continue;
      kept.push_back(
          {at("source"),
           {.may = may == kRun ? ProgramAnswer::May::Run : ProgramAnswer::May::NotRun, .key = at("text")}});
    }
  } catch (const toml::parse_error&) {
    return {};
  }
  return kept;
}

}  // namespace

std::optional<ProgramAnswer> find_answer(const fs::path& answers, const fs::path& source) {
  if (answers.empty()) return {};
  std::optional<ProgramAnswer> found;
  for (const KeptAnswer& kept : read_answers(answers))
    if (kept.source == source.string()) found = kept.answer;
  return found;
}

void keep_answer(const fs::path& answers, const fs::path& source, const ProgramAnswer& answer) {
  if (answers.empty()) return;
  std::vector<KeptAnswer> kept = read_answers(answers);
  std::erase_if(kept, [&](const KeptAnswer& one) { return one.source == source.string(); });
  kept.push_back({source.string(), answer});
  if (kept.size() > kMostAnswers) kept.erase(kept.begin());
  toml::array tables;
  for (const KeptAnswer& one : kept)
    tables.push_back(toml::table{{"source", one.source},
                                 {"text", one.answer.key},
                                 {"may", one.answer.may == ProgramAnswer::May::Run ? kRun : kKernelsOnly}});
  std::ostringstream text;
  text << toml::table{{"program", std::move(tables)}} << '\n';
  std::error_code ignored;
  fs::create_directories(answers.parent_path(), ignored);
  (void)write_file(answers, text.str());  // what is not kept is asked again
}

}  // namespace lanescope::session
