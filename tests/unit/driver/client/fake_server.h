// A server of the driver's messages, without an emulator: it gives memory, knows a few kernels by name, and
// notes what it was told.
#pragma once

#include "driver/messages.h"
#include "support/temporary_folder.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lanescope::driver {

/// Where the first allocation of a server lies; the next ones follow at 1 TiB each, sixty in all, then again
/// from here. Below it is what AddressSanitizer keeps for itself.
inline constexpr uint64_t kFirstAddress = uint64_t{20} << 40;

/// Where the variable "table" lies.
inline constexpr uint64_t kTableAddress = uint64_t{80} << 40;
/// A larger heap of malloc in kernels is refused.
inline constexpr uint64_t kMostHeapBytes = uint64_t{1} << 30;

/// A launch as it arrived.
struct FakeLaunch {
  std::string kernel;
  LanescopeLaunch shape;
  std::string parameters;
};

/// What all programs said so far.
struct FakeRecord {
  std::vector<std::string> command_lines;
  std::vector<std::string> modules;
  std::vector<FakeLaunch> launches;
  std::map<std::string, uint64_t> unsupported;
  std::vector<std::string> notes;
  std::map<std::string, std::string> sources;
  uint64_t allocated = 0, freed = 0, unloaded = 0;
};

/// Serves any number of programs until it is destroyed. Kernels of any module: "add" (three pointers and an
/// int), "mixed" (a char, a double, 12 bytes), "none" (no parameters), "prints", "fails", "dies" (the server
/// closes the connection), "writes" (100 bytes at its pointer). Its variable: "table", 64 bytes.
class FakeServer {
 public:
  FakeServer();
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;

  const std::string& path() const { return path_; }
  FakeRecord record() const;
  /// The bytes of the allocation at this address.
  std::string memory(uint64_t address) const;

 private:
  void accept_programs();
  void serve(int socket);
  bool answer(int socket, const LanescopeRequest& request, const std::string& payload);
  bool allocate(int socket, uint64_t size);
  bool describe_function(int socket, const std::string& name);
  bool launch(int socket, uint64_t function, const std::string& payload);

  tests::TemporaryFolder folder_{"driver"};
  std::string path_;
  int listener_ = -1;
  mutable std::mutex lock_;
  FakeRecord record_;
  std::map<uint64_t, std::pair<int, uint64_t>> memory_;  // address -> memfd, bytes
  uint64_t next_address_ = kFirstAddress;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// What became of a program.
struct Outcome {
  int status;  // of exit; -1: it was killed
  std::string output, errors;
};

/// Runs `body` in a child process, which has not used the driver before; with the socket in its environment,
/// unless that is empty. Failed expectations in it make its status 1.
Outcome in_program(const std::string& socket, const std::function<void()>& body);

}  // namespace lanescope::driver
