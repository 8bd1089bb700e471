// A GPU behind a pipe: in a process of its own on this machine, so that a kernel's fault ends that process
// and not this one, or on another machine through OpenSSH, which needs the same program there and nothing
// else. Method: `lanescope serve --stdio` at the other end; a request, its answer, the next. A connection
// that broke is made anew at the next request. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "remote/child.h"

#include <optional>

namespace lanescope::remote {

/// Who is at the other end.
struct Peer {
  std::vector<std::string> words;  // the command that starts it
  std::string host;                // empty: this machine
};

/// This program as a process of its own.
Peer this_machine(const std::string& program);
/// `host` as OpenSSH takes it: user@machine, or a name in its configuration. `program`: lanescope there.
/// Error (Usage): it cannot be a host.
Result<Peer> over_ssh(const std::string& host, const std::string& program);

class Connection : public gpu::Gpu {
 public:
  /// Errors (File): the process cannot be started, or the other end is no Lanescope, with what it said;
  /// (Unsupported): another protocol, or no GPU there. `stop` ends every later wait too.
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
  Result<Message> ask(const Message& request);
  Result<Message> exchange(const Message& request);
  Error explained(const Error& error) const;

  Peer peer_;
  std::stop_token stop_;
  gpu::Description description_;
  std::optional<Child> child_;  // ends after the channel is closed
  std::optional<Channel> channel_;
};

}  // namespace lanescope::remote
