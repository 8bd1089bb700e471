// A GPU in another process: on this machine, so that a kernel's fault ends that process and not this one, or
// on another machine through OpenSSH, which needs only the same program there. Method: `lanescope serve
// --stdio` at the other end; one request and its reply at a time. A broken connection is reopened at the next
// request. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "remote/child.h"
#include "remote/sent_buffers.h"

#include <optional>

namespace lanescope::remote {

/// The other end of a connection.
struct Peer {
  std::vector<std::string> words;  // the command that starts it
  std::string host;                // empty: this machine
};

/// This program as a separate process. `limit_seconds`: of a kernel on the GPU.
Peer this_machine(const std::string& program, uint32_t limit_seconds);
/// `host` as OpenSSH takes it: `user@machine`, or a name in its configuration. `program`: lanescope there.
/// Error (Usage): not a valid host.
Result<Peer> over_ssh(const std::string& host, const std::string& program, uint32_t limit_seconds);

class Connection : public gpu::Gpu {
 public:
  /// Errors (File): the process cannot be started, or the other end is not Lanescope, with its output;
  /// (Unsupported): another protocol version, or no GPU there. `stop` also ends every later wait.
  static Result<Connection> open(Peer peer, std::stop_token stop = {});

  Result<gpu::Description> describe() override;
  Result<gpu::Timing> time(const gpu::Kernel& kernel, const launch::Launch& launch,
                           const gpu::TimingOptions& options) override;
  Result<gpu::Timing> time_copy(uint64_t bytes, const gpu::TimingOptions& options) override;
  Result<trace::HardwareCounts> count(const gpu::Kernel& kernel, const launch::Launch& launch,
                                      gpu::Filling filling) override;
  Result<gpu::TracedRun> trace(const gpu::Kernel& kernel, const launch::Launch& launch,
                               const trace::Trace& header, const trace::Keep& keep) override;

 private:
  Connection(Peer peer, std::stop_token stop) : peer_(std::move(peer)), stop_(std::move(stop)) {}
  Result<void> connect();
  void disconnect();
  Result<Message> ask(const Message& request);
  Result<Message> exchange(const Message& request);
  Error explained(const Error& error) const;

  Peer peer_;
  std::stop_token stop_;
  gpu::Description description_;
  std::optional<Child> child_;  // ends after the channel is closed
  std::optional<Channel> channel_;
  SentBuffers sent_;  // to the child
};

}  // namespace lanescope::remote
