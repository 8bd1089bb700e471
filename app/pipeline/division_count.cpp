#include "pipeline/division_count.h"

#include "base/source_name.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lanescope::pipeline {
namespace {

/// One instruction or label of the kernel's body.
struct Step {
  bool division = false;
  bool ends = false;      // ret, exit, or a jump that is always taken
  std::string_view jump;  // label, or empty
};

constexpr uint32_t kNoPath = 0xfffffffe;  // a loop closes: no path to the end here

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

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
  explicit Body(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      add(trimmed(text.substr(at, end - at)));
      at = end + 1;
    }
  }

  uint32_t fewest() {
    // Backwards from the end until nothing changes: paths only get shorter.
    fewest_.assign(steps_.size() + 1, kNoPath);
    fewest_.back() = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = steps_.size(); n-- > 0;) {
        const uint32_t found = from(steps_[n], n);
        changed = changed || found != fewest_[n];
        fewest_[n] = found;
      }
    }
    return fewest_.front() == kNoPath ? 0 : fewest_.front();
  }

 private:
  void add(std::string_view line) {
    if (line.empty() || line.starts_with("//") || line.starts_with(".")) return;
    if (line.ends_with(":")) {
      labels_[std::string(line.substr(0, line.size() - 1))] = steps_.size();
      return;
    }
    Step step;
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

  uint32_t from(const Step& step, size_t n) const {
    uint32_t best = kNoPath;
    if (!step.ends) best = fewest_[n + 1];
    if (!step.jump.empty()) {
      const auto label = labels_.find(std::string(step.jump));
      if (label != labels_.end()) best = std::min(best, fewest_[label->second]);
    } else if (step.ends) {
      best = 0;
    }
    return best == kNoPath ? kNoPath : best + (step.division ? 1 : 0);
  }

  std::vector<Step> steps_;
  std::map<std::string, size_t> labels_;
  std::vector<uint32_t> fewest_;  // [step]: divisions from there to the end
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
  if (open == std::string_view::npos) return {};
  int depth = 0;
  for (size_t end = ptx.find_first_of("{}", open); end != std::string_view::npos;
       end = ptx.find_first_of("{}", end + 1)) {
    depth += ptx[end] == '{' ? 1 : -1;
    if (depth == 0) return ptx.substr(open + 1, end - open - 1);
  }
  return ptx.substr(open + 1);
}

}  // namespace

uint32_t count_divisions(std::string_view ptx_text, std::string_view kernel) {
  for (size_t at = find_entry(ptx_text, 0); at != std::string_view::npos; at = find_entry(ptx_text, at)) {
    const std::string_view name = name_at(ptx_text, at);
    if (name == kernel || source_name_of(name) == kernel) return Body(body_after(ptx_text, at)).fewest();
  }
  return 0;
}

}  // namespace lanescope::pipeline
