#include "remote/sent_buffers.h"

#include <algorithm>
#include <utility>

namespace lanescope::remote {

SentBuffers::Numbered SentBuffers::number_of(const launch::Contents& contents) {
  const auto found =
      std::ranges::find_if(sent_, [&](const Sent& sent) { return sent.contents.lock() == contents; });
  if (found != sent_.end()) return {found->number, false};
  sent_.push_back({contents, next_});
  return {next_++, true};
}

std::vector<uint64_t> SentBuffers::take_forgotten() {
  std::erase_if(sent_, [&](const Sent& sent) {
    if (!sent.contents.expired()) return false;
    forgotten_.push_back(sent.number);
    return true;
  });
  return std::exchange(forgotten_, {});
}

void SentBuffers::forget_all() {
  for (const Sent& sent : sent_) forgotten_.push_back(sent.number);
  sent_.clear();
}

}  // namespace lanescope::remote
