// Which contents of buffers the other end of a connection holds, so that they travel once: the kernels of a
// lesson read the same gigabyte, and each is timed and then counted. Method: contents are shared and never
// change, so their address is their identity while anybody holds them. Tests:
// tests/unit/remote/connection_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::remote {

class SentBuffers {
 public:
  struct Numbered {
    uint64_t number = 0;
    bool is_new = false;  // the contents must be sent with the number
  };
  Numbered number_of(const launch::Contents& contents);
  /// The numbers that the other end may forget: nobody here holds their contents. Each is told once.
  std::vector<uint64_t> take_forgotten();
  /// From now on the other end is not relied on to have any.
  void forget_all();

 private:
  struct Sent {
    std::weak_ptr<const launch::Bytes> contents;
    uint64_t number = 0;
  };
  std::vector<Sent> sent_;
  std::vector<uint64_t> forgotten_;
  uint64_t next_ = 0;
};

}  // namespace lanescope::remote
