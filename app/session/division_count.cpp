#include "session/division_count.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

/// One instruction or label of the kernel's body.
struct Step {
  bool division = false;
  bool ends = false;      // ret, exit, or a jump that is always taken
  std::string_view jump;  // label, or empty
};

constexpr uint32_t kNoWay = 0xfffffffe;  // a loop closes: no shorter way that way

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
    // From the end backwards until nothing changes: ways only get shorter.
    fewest_.assign(steps_.size() + 1, kNoWay);
    fewest_.back() = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = steps_.size(); n-- > 0;) {
        const uint32_t found = from(steps_[n], n);
        changed = changed || found != fewest_[n];
        fewest_[n] = found;
      }
    }
    return fewest_.front() == kNoWay ? 0 : fewest_.front();
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
    uint32_t best = kNoWay;
    if (!step.ends) best = fewest_[n + 1];
    if (!step.jump.empty()) {
      const auto label = labels_.find(std::string(step.jump));
      if (label != labels_.end()) best = std::min(best, fewest_[label->second]);
    } else if (step.ends) {
      best = 0;
    }
    return best == kNoWay ? kNoWay : best + (step.division ? 1 : 0);
  }

  std::vector<Step> steps_;
  std::map<std::string, size_t> labels_;
  std::vector<uint32_t> fewest_;  // [step]: divisions from there to the end
};

}  // namespace

uint32_t count_divisions(std::string_view ptx_text, std::string_view kernel) {
  size_t entry = std::string_view::npos;
  for (size_t at = ptx_text.find(".entry"); at != std::string_view::npos;
       at = ptx_text.find(".entry", at + 1)) {
    if (entry == std::string_view::npos) entry = at;
    const std::string_view head = ptx_text.substr(at, ptx_text.find('(', at) - at);
    if (head.find(kernel) != std::string_view::npos) {
      entry = at;
      break;
    }
  }
  if (entry == std::string_view::npos) return 0;
  const size_t open = ptx_text.find("\n{", entry);
  if (open == std::string_view::npos) return 0;
  const size_t close = std::min(ptx_text.find("\n}", open), ptx_text.size());
  return Body(ptx_text.substr(open + 2, close - open - 2)).fewest();
}

}  // namespace lanescope::session
