#include "remote/server.h"

#include "remote/protocol.h"

namespace lanescope::remote {
namespace {

class Server {
 public:
  explicit Server(const OpenGpu& open) : open_(open) {}

  Result<Message> answer(const Message& request) {
    TRY(const RequestKind kind, kind_of(request));
    if (kind == RequestKind::Hello) return hello();
    TRY(gpu::Gpu* const gpu, opened());
    switch (kind) {
      case RequestKind::Time:
        return time(*gpu, request);
      case RequestKind::TimeCopy:
        return time_copy(*gpu, request);
      case RequestKind::Count:
        return count(*gpu, request);
      case RequestKind::Trace:
        return trace(*gpu, request);
      case RequestKind::Hello:
        break;
    }
    return fail(ErrorKind::Internal, "unknown request");
  }

 private:
  Result<gpu::Gpu*> opened() {
    if (!gpu_) {
      TRY(gpu_, open_());
    }
    return gpu_.get();
  }

  Result<Message> hello() {
    Message reply;
    reply.head["protocol"] = kProtocol;
    reply.head["lanescope"] = LANESCOPE_VERSION;
    const auto gpu = opened();
    if (!gpu) {
      put(reply, gpu.error());
      return reply;
    }
    TRY(const gpu::Description description, (*gpu)->describe());
    put(reply, description);
    return reply;
  }

  Result<Message> time(gpu::Gpu& gpu, const Message& request) {
    KernelLaunch launch;
    TRY_VOID(get_launch(request, received_, launch));
    TRY(const gpu::TimingOptions options, get_timing_options(request));
    TRY(const gpu::Timing timing, gpu.time(launch.kernel, launch.launch, options));
    Message reply;
    put(reply, timing);
    return reply;
  }

  static Result<Message> time_copy(gpu::Gpu& gpu, const Message& request) {
    const auto bytes = request.head.find("bytes");
    if (bytes == request.head.end() || !bytes->is_number_unsigned())
      return fail(ErrorKind::Syntax, "a message does not say how many bytes to copy");
    TRY(const gpu::TimingOptions options, get_timing_options(request));
    TRY(const gpu::Timing timing, gpu.time_copy(bytes->get<uint64_t>(), options));
    Message reply;
    put(reply, timing);
    return reply;
  }

  Result<Message> count(gpu::Gpu& gpu, const Message& request) {
    KernelLaunch launch;
    TRY_VOID(get_launch(request, received_, launch));
    TRY(const trace::HardwareCounts counts, gpu.count(launch.kernel, launch.launch, launch.filling));
    Message reply;
    put(reply, counts);
    return reply;
  }

  Result<Message> trace(gpu::Gpu& gpu, const Message& request) {
    KernelLaunch launch;
    TRY_VOID(get_launch(request, received_, launch));
    TRY(const TraceRequest asked, get_trace_request(request));
    TRY(const gpu::TracedRun run, gpu.trace(launch.kernel, launch.launch, asked.header, asked.keep));
    Message reply;
    TRY_VOID(put(reply, run, launch.launch));
    return reply;
  }

  const OpenGpu& open_;
  std::unique_ptr<gpu::Gpu> gpu_;
  ReceivedBuffers received_;
};

Message told(const Error& error) {
  Message message;
  message.head["protocol"] = kProtocol;
  put(message, error);
  return message;
}

}  // namespace

Result<void> serve(Channel& channel, const OpenGpu& open) {
  Server server(open);
  for (;;) {
    const auto request = channel.receive({});
    if (!request && channel.is_at_end()) return {};
    if (!request) {
      // A client of another protocol may still read this reply; nothing after it could be parsed.
      [[maybe_unused]] const auto sent = channel.send(told(request.error()));
      return std::unexpected(request.error());
    }
    const auto reply = server.answer(*request);
    TRY_VOID(channel.send(reply ? *reply : told(reply.error())));
  }
}

}  // namespace lanescope::remote
