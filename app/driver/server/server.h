// The driver of the programs of one run: a Unix socket in a folder of its own, and a thread for each process
// that connects. Tests: tests/unit/driver/server_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/driver_process.h"

#include <filesystem>
#include <memory>

namespace lanescope::driver {

class Server {
 public:
  /// Starts a server that listens; `run` must outlive it. Errors: File if the socket cannot be made.
  static Result<std::unique_ptr<Server>> start(ProgramRun& run);
  /// Ends all connections.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The path of the socket, for LANESCOPE_SOCKET_VARIABLE.
  const std::filesystem::path& socket() const;
  /// Processes that are connected now.
  size_t processes() const;

 private:
  class Listener;
  explicit Server(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace lanescope::driver
