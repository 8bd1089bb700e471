#include "driver/server/program_findings.h"

#include "base/error.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::driver {
namespace {

using Line = std::pair<std::string, int>;  // file, line

struct Group {
  std::string kernel, program, text;      // of the first finding
  std::optional<trace::HazardKind> kind;  // none: an error
  std::set<Line> lines = {};
  std::set<uint32_t> launches = {};  // their numbers
  uint64_t findings = 0;
};

std::string described(const trace::Hazard& hazard) {
  return describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where});
}

std::set<Line> lines_at(const trace::Hazard& hazard) {
  std::set<Line> lines;
  if (hazard.where.line > 0) lines.emplace(hazard.where.file, hazard.where.line);
  if (hazard.kind == trace::HazardKind::Race && hazard.other && hazard.other->where.line > 0)
    lines.emplace(hazard.other->where.file, hazard.other->where.line);
  return lines;
}

bool share(const std::set<Line>& a, const std::set<Line>& b) {
  return std::ranges::any_of(a, [&](const Line& line) { return b.contains(line); });
}

class Groups {
 public:
  void add(const LaunchRecord& record, const trace::Hazard& hazard) {
    const std::set<Line> lines = lines_at(hazard);
    const auto is_same = [&](const Group& group) {
      return group.kind == hazard.kind && share(group.lines, lines);
    };
    Group& group = find_or_add(is_same, record, described(hazard), hazard.kind);
    group.lines.insert(lines.begin(), lines.end());
  }
  void add(const LaunchRecord& record, const std::string& text) {
    find_or_add([&](const Group& group) { return !group.kind && group.text == text; }, record, text, {});
  }
  const std::vector<Group>& all() const { return groups_; }

 private:
  template <class F>
  Group& find_or_add(F&& is_same, const LaunchRecord& record, const std::string& text,
                     std::optional<trace::HazardKind> kind) {
    auto found = std::ranges::find_if(groups_, is_same);
    if (found == groups_.end())
      found = groups_.insert(
          groups_.end(), {.kernel = record.kernel, .program = record.program, .text = text, .kind = kind});
    found->launches.insert(record.number);
    ++found->findings;
    return *found;
  }
  std::vector<Group> groups_;
};

/// "and 22 more races at lines 12, 14, in 3 launches"; empty where there is nothing more.
std::string more_of(const Group& group) {
  std::string text;
  if (group.findings > 1 && group.kind) {
    std::vector<int> lines;
    for (const Line& line : group.lines) lines.push_back(line.second);
    const char* const what = group.kind == trace::HazardKind::Race ? " races" : "";
    text = fmt::format("and {} more{}", group.findings - 1, what);
    if (lines.size() == 1) text += " at this line";
    if (lines.size() > 1) text += fmt::format(" at lines {}", fmt::join(lines, ", "));
  }
  if (group.launches.size() > 1)
    text += fmt::format("{}in {} launches", text.empty() ? "" : ", ", group.launches.size());
  return text;
}

std::vector<std::string> sentences_of(const Groups& groups, const LaunchRecords& records) {
  const bool has_several = has_several_programs(records);
  std::vector<std::string> sentences;
  for (const Group& group : groups.all()) {
    const std::string more = more_of(group);
    sentences.push_back(fmt::format("{}{}: {}{}", has_several ? group.program + ": " : "", group.kernel,
                                    group.text, more.empty() ? "" : " (" + more + ")"));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> findings_of(const LaunchRecords& records, bool names_errors) {
  Groups groups;
  for (const LaunchRecord& record : records) {
    std::vector<std::string> texts;
    for (const trace::Hazard& hazard : record.hazards) {
      groups.add(record, hazard);
      texts.push_back(described(hazard));
    }
    const auto is_told = [&](const std::string& text) {
      return std::ranges::any_of(texts, [&](const std::string& told) {
        return text.starts_with(told) || (!text.empty() && told.starts_with(text));
      });
    };
    for (const std::string& finding : record.findings)
      if (!is_told(finding)) groups.add(record, finding);
    const bool is_found = std::ranges::any_of(
        record.findings, [&](const std::string& finding) { return finding.starts_with(record.error); });
    if (names_errors && !record.error.empty() && !is_found && !is_told(record.error))
      groups.add(record, record.error);
  }
  return sentences_of(groups, records);
}

std::vector<std::string> barrier_notes_of(const LaunchRecords& records) {
  Groups groups;
  for (const LaunchRecord& record : records)
    for (const trace::Hazard& note : record.barrier_notes) groups.add(record, note);
  return sentences_of(groups, records);
}

bool has_several_programs(const LaunchRecords& records) {
  std::set<std::string> programs;
  for (const LaunchRecord& record : records) programs.insert(record.program);
  return programs.size() > 1;
}

}  // namespace lanescope::driver
