// How what is asked of a GPU, and its answers, travel: JSON in the head of a message, buffers and PTX in its
// parts. Method: one function per direction and type; a reader takes nothing on trust, since the other end
// may be of another version or none of ours. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "remote/message.h"

#include <map>

namespace lanescope::remote {

/// The protocol's number: two programs speak together if it is the same.
inline constexpr int kProtocol = 1;

enum class Ask { Hello, Time, TimeCopy, Count, Trace };
std::string_view name_of(Ask ask);
/// Error (Syntax) where the head names none.
Result<Ask> ask_of(const Message& message);

/// A kernel, its launch, and what its buffers hold: their sizes alone where that does not matter.
void put_launch(Message& message, const gpu::Kernel& kernel, const launch::Launch& launch,
                gpu::Filling filling);
struct KernelLaunch {
  std::string ptx;
  gpu::Kernel kernel;  // its text is `ptx`
  launch::Launch launch;
  gpu::Filling filling = gpu::Filling::Initial;

  KernelLaunch() = default;
  KernelLaunch(const KernelLaunch&) = delete;
  KernelLaunch& operator=(const KernelLaunch&) = delete;
};
/// What the buffers of a kernel hold that does not look: zeros, kept from one launch to the next, since
/// filling gigabytes takes longer than the kernel.
class Zeros {
 public:
  /// Error (Limit): the buffer is larger than --arg makes them.
  Result<launch::Contents> of(const launch::Buffer& buffer);

 private:
  std::map<uint64_t, launch::Contents> by_size_;
  uint64_t bytes_ = 0;  // of all
};
/// Errors: Syntax; Launch and Limit where the launch is none that a GPU takes.
Result<void> get_launch(const Message& message, Zeros& zeros, KernelLaunch& result);

void put(Message& message, const gpu::TimingOptions& options);
Result<gpu::TimingOptions> get_timing_options(const Message& message);

void put(Message& message, const gpu::Description& description);
Result<gpu::Description> get_description(const Message& message);

void put(Message& message, const gpu::Timing& timing);
Result<gpu::Timing> get_timing(const Message& message);

void put(Message& message, const trace::HardwareCounts& counts);
Result<trace::HardwareCounts> get_counts(const Message& message);

/// What is known of a trace beforehand, and what is to be kept.
Result<void> put_trace_request(Message& message, const trace::Trace& header, const trace::Keep& keep);
struct TraceRequest {
  trace::Trace header;
  trace::Keep keep;
};
Result<TraceRequest> get_trace_request(const Message& message);

/// A trace and the buffers that differ from those of the launch.
Result<void> put(Message& message, const gpu::TracedRun& run, const launch::Launch& launch);
Result<gpu::TracedRun> get_traced_run(const Message& message, const launch::Launch& launch);

void put(Message& message, const Error& error);
/// The error that a message carries, if it does.
std::optional<Error> get_error(const Message& message);

}  // namespace lanescope::remote
