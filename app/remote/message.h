// A message between two ends of a pipe: a head (JSON) and parts (bytes), with their sizes in front. Method: 8
// magic bytes, the head's size, the number of parts, the size of each, all little-endian, then the bytes. The
// reader bounds every size, and memory grows only with received data. Tests:
// tests/unit/remote/message_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lanescope::remote {

struct Message {
  nlohmann::json head;
  std::vector<std::string> parts;
};

/// What a message may hold; more is an error.
struct MessageLimits {
  uint64_t head_bytes = uint64_t{16} << 20;
  uint64_t parts = 4096;
  uint64_t bytes = uint64_t{32} << 30;  // of all parts together
};

/// Two file descriptors, both closed at the end. Non-blocking, so that a reader can be stopped.
class Channel {
 public:
  Channel(int read_from, int write_to);
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  /// Errors: File if the other end is gone; Cancelled.
  Result<void> send(const Message& message, const std::stop_token& stop = {});

  /// Errors: File if the other end closed, in the middle of a message or before one (is_at_end); Syntax for
  /// anything but a message, with its beginning; Limit; Cancelled.
  Result<Message> receive(const MessageLimits& limits, const std::stop_token& stop = {});

  /// Whether the other end closed after a complete message, which is no failure.
  bool is_at_end() const { return at_end_; }

 private:
  Result<void> read_beginning(const std::stop_token& stop);
  Result<void> read_exactly(char* bytes, size_t count, const std::stop_token& stop);
  Result<std::string> read_growing(uint64_t count, const std::stop_token& stop);
  void close() noexcept;

  int read_from_ = -1;
  int write_to_ = -1;
  bool at_end_ = false;
};

}  // namespace lanescope::remote
