#include "pipeline/access_gaps.h"

#include "base/lines.h"
#include "base/source_name.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::pipeline {
namespace {

using model::Gap;

/// One instruction of the kernel's body.
struct BodyInstruction {
  int line = 0;  // of the PTX text, from 1
  bool division = false;
  bool accesses = false;  // it is a site of the trace
  bool ends = false;      // ret, exit, or a jump that is always taken
  std::string_view jump;  // label, or empty
};

bool divides_integers(std::string_view instruction) {
  for (const std::string_view name : {"div.", "rem."}) {
    if (!instruction.starts_with(name)) continue;
    const char type = instruction.size() > 4 ? instruction[4] : ' ';
    return type == 'u' || type == 's';  // div.rn.f32 is no integer division
  }
  return false;
}

class Body {
 public:
  Body(std::string_view text, int first_line, std::span<const trace::Site> sites) : sites_(sites) {
    int number = first_line;
    for (const std::string_view line : lines_of(text)) add(trimmed(line), number++);
    for (const trace::Site& site : sites)
      if (const auto step = step_of(site)) steps_[*step].accesses = true;
  }

  model::AccessGaps gaps() const {
    std::vector<size_t> after_accesses;
    for (size_t n = 0; n < steps_.size(); ++n)
      if (steps_[n].accesses) add_successors(n, after_accesses);
    const Paths start = paths_from({0}), access = paths_from(after_accesses);
    model::AccessGaps gaps;
    for (const trace::Site& site : sites_) {
      const auto step = step_of(site);
      gaps.first.push_back(step ? start.to(*step) : Gap{});
      gaps.next.push_back(step ? access.to(*step) : Gap{});
    }
    gaps.last = access.to(steps_.size());
    return gaps;
  }

 private:
  static constexpr uint32_t kNoPath = std::numeric_limits<uint32_t>::max();

  /// Shortest paths to each step, and to the end behind the last; a path includes the step that it leads to.
  struct Paths {
    std::vector<uint32_t> instructions, divisions;  // [step]
    Gap to(size_t step) const {
      if (instructions[step] == kNoPath) return {};
      return {static_cast<double>(instructions[step]), static_cast<double>(divisions[step])};
    }
  };

  void add(std::string_view line, int number) {
    if (line.empty() || line.starts_with("//") || line.starts_with(".")) return;
    if (line.ends_with(":")) {
      labels_[std::string(line.substr(0, line.size() - 1))] = steps_.size();
      return;
    }
    if (line.find(';') == std::string_view::npos) return;  // a brace, or a part of a call
    BodyInstruction step;
    step.line = number;
    const bool guarded = line.starts_with("@");
    if (guarded) line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
    step.division = divides_integers(line);
    if (line.starts_with("bra")) {
      const std::string_view target = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
      step.jump = target.substr(0, target.find(';'));
    }
    step.ends = !guarded && (line.starts_with("ret") || line.starts_with("exit") || !step.jump.empty());
    steps_.push_back(step);
  }

  std::optional<size_t> step_of(const trace::Site& site) const {
    const auto found = std::ranges::lower_bound(steps_, site.ptx_line, {}, &BodyInstruction::line);
    if (found == steps_.end() || found->line != site.ptx_line) return {};
    return static_cast<size_t>(found - steps_.begin());
  }

  void add_successors(size_t n, std::vector<size_t>& to) const {
    const BodyInstruction& step = steps_[n];
    if (!step.jump.empty()) {
      const auto label = labels_.find(std::string(step.jump));
      if (label != labels_.end()) to.push_back(label->second);
    }
    if (!step.ends) to.push_back(n + 1);
    if (step.ends && step.jump.empty()) to.push_back(steps_.size());
  }

  Paths paths_from(const std::vector<size_t>& starts) const {
    return {
        .instructions = shortest(starts, [](const BodyInstruction&) { return 1u; }),
        .divisions = shortest(starts, [](const BodyInstruction& step) { return step.division ? 1u : 0u; })};
  }

  /// Dijkstra's method; no path leads through an access.
  template <class Weight>
  std::vector<uint32_t> shortest(const std::vector<size_t>& starts, Weight&& weight) const {
    std::vector<uint32_t> lengths(steps_.size() + 1, kNoPath);
    using Reached = std::pair<uint32_t, size_t>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> reached;
    const auto reach = [&](size_t n, uint32_t before) {
      const uint32_t length = before + (n < steps_.size() ? weight(steps_[n]) : 0);
      if (length >= lengths[n]) return;
      lengths[n] = length;
      reached.emplace(length, n);
    };
    for (const size_t start : starts) reach(start, 0);
    std::vector<size_t> successors;
    while (!reached.empty()) {
      const auto [length, n] = reached.top();
      reached.pop();
      if (length != lengths[n] || n == steps_.size() || steps_[n].accesses) continue;
      successors.clear();
      add_successors(n, successors);
      for (const size_t next : successors) reach(next, length);
    }
    return lengths;
  }

  std::span<const trace::Site> sites_;
  std::vector<BodyInstruction> steps_;
  std::map<std::string, size_t> labels_;
};

/// Position of the word after the next ".entry", or npos.
size_t find_entry(std::string_view ptx, size_t from) {
  constexpr std::string_view kEntry = ".entry";
  constexpr std::string_view kSpace = " \t\r\n";
  for (size_t at = ptx.find(kEntry, from); at != std::string_view::npos; at = ptx.find(kEntry, at)) {
    at += kEntry.size();
    const size_t name = ptx.find_first_not_of(kSpace, at);
    if (name != at) return name;  // else it is part of a longer word
  }
  return std::string_view::npos;
}

std::string_view name_at(std::string_view ptx, size_t at) {
  return ptx.substr(at, std::min(ptx.find_first_of(" \t\r\n({", at), ptx.size()) - at);
}

/// The text between the next brace and the one that closes it.
std::string_view body_after(std::string_view ptx, size_t at) {
  const size_t open = ptx.find('{', at);
  if (open == std::string_view::npos) return ptx.substr(at, 0);
  int depth = 0;
  for (size_t end = ptx.find_first_of("{}", open); end != std::string_view::npos;
       end = ptx.find_first_of("{}", end + 1)) {
    depth += ptx[end] == '{' ? 1 : -1;
    if (depth == 0) return ptx.substr(open + 1, end - open - 1);
  }
  return ptx.substr(open + 1);
}

}  // namespace

model::AccessGaps find_access_gaps(std::string_view ptx_text, std::string_view kernel,
                                   std::span<const trace::Site> sites) {
  for (size_t at = find_entry(ptx_text, 0); at != std::string_view::npos; at = find_entry(ptx_text, at)) {
    const std::string_view name = name_at(ptx_text, at);
    if (name != kernel && source_name_of(name) != kernel) continue;
    const std::string_view body = body_after(ptx_text, at);
    const std::string_view before = ptx_text.substr(0, static_cast<size_t>(body.data() - ptx_text.data()));
    return Body(body, 1 + static_cast<int>(std::ranges::count(before, '\n')), sites).gaps();
  }
  return Body({}, 1, sites).gaps();
}

}  // namespace lanescope::pipeline
