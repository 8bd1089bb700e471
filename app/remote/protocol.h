// Message encoding of GPU requests and replies: JSON in the head of a message, buffers and PTX in its parts.
// Method: one function per direction and type; a reader validates everything, since the other end may be
// another version or another program. A trace travels as an SQLite file, so that one validated reader serves
// files and messages. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "remote/message.h"
#include "remote/received_buffers.h"
#include "remote/sent_buffers.h"

namespace lanescope::remote {

/// The protocol version: both ends must have the same.
inline constexpr int kProtocol = 3;

enum class RequestKind { Hello, Time, TimeCopy, Count, Trace };
std::string_view name_of(RequestKind kind);
/// Error (Syntax) if the head names none.
Result<RequestKind> kind_of(const Message& message);

/// A kernel, its launch, and the contents of its buffers that the other end does not have; only sizes if the
/// contents do not matter.
void put_launch(Message& message, const gpu::Kernel& kernel, const launch::Launch& launch,
                gpu::Filling filling, SentBuffers& sent);
struct KernelLaunch {
  std::string ptx;
  gpu::Kernel kernel;  // its text is `ptx`
  launch::Launch launch;
  gpu::Filling filling = gpu::Filling::Initial;

  KernelLaunch() = default;
  KernelLaunch(const KernelLaunch&) = delete;
  KernelLaunch& operator=(const KernelLaunch&) = delete;
};
/// Errors: Syntax; Launch and Limit for a launch that a GPU does not accept.
Result<void> get_launch(const Message& message, ReceivedBuffers& received, KernelLaunch& result);

void put(Message& message, const gpu::TimingOptions& options);
Result<gpu::TimingOptions> get_timing_options(const Message& message);

void put(Message& message, const gpu::Description& description);
Result<gpu::Description> get_description(const Message& message);

void put(Message& message, const gpu::Timing& timing);
Result<gpu::Timing> get_timing(const Message& message);

void put(Message& message, const trace::HardwareCounts& counts);
Result<trace::HardwareCounts> get_counts(const Message& message);

/// The header of a trace, and which accesses to store.
Result<void> put_trace_request(Message& message, const trace::Trace& header, const trace::Keep& keep);
struct TraceRequest {
  trace::Trace header;
  trace::Keep keep;
};
Result<TraceRequest> get_trace_request(const Message& message);

/// A trace and the buffers that the kernel changed.
Result<void> put(Message& message, const gpu::TracedRun& run, const launch::Launch& launch);
Result<gpu::TracedRun> get_traced_run(const Message& message, const launch::Launch& launch);

void put(Message& message, const Error& error);
/// The error that a message carries, if it does.
std::optional<Error> get_error(const Message& message);

}  // namespace lanescope::remote
