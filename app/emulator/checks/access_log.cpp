#include "emulator/checks/access_log.h"

namespace lanescope::emulator {

void AccessLog::begin_block() {
  birth_ = next_;
  entries_.clear();
  order_.begin(next_);
  second_read_ = 0;
}

void AccessLog::renumber() {
  birth_ = 1;
  next_ = 2;
  entries_.assign(1, {Findings::kNoStep, 0});
  order_.begin(next_);
  second_read_ = 0;
}

}  // namespace lanescope::emulator
