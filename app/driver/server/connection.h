// One program's end of the socket: whole requests in, replies out, with a file descriptor where there is one.
// Tests: tests/unit/driver/server_test.cpp

#pragma once

#include "base/error.h"
#include "driver/messages.h"

#include <optional>
#include <string>
#include <string_view>

namespace lanescope::driver {

struct Received {
  LanescopeRequest request{};
  std::string payload;
};

class Connection {
 public:
  /// Takes the socket over.
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Next request; nullopt if the program has closed its end. Errors: Syntax if the payload is too long.
  Result<std::optional<Received>> receive();
  /// False when the program has gone.
  bool send(const LanescopeReply& reply, std::string_view payload, int descriptor);
  /// Ends receive() and send() of another thread.
  void shut_down();

 private:
  int socket_ = -1;
};

}  // namespace lanescope::driver
