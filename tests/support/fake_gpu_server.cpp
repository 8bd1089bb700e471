// The other end of a connection in tests: a server with a GPU that computes its answers (emulator: whose
// traces are real), or one that goes wrong. Usage: fake_gpu_server serve | emulator | uncounted | miscounting
// | greeting | other_protocol | deep_protocol | driverless | truncated | silent | dies

#include "remote/protocol.h"
#include "remote/server.h"
#include "support/emulated_gpu.h"

#include <array>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace lanescope {
namespace {

/// Its counters fail, and not because they may not be read.
class MiscountingGpu : public tests::FakeGpu {
 public:
  Result<trace::HardwareCounts> count(const gpu::Kernel&, const launch::Launch&, gpu::Filling) override {
    return fail(ErrorKind::Internal, "the counters stopped halfway");
  }
};

void answer_hello(remote::Channel& channel, int protocol) {
  [[maybe_unused]] const auto hello = channel.receive({});
  remote::Message reply;
  reply.head["protocol"] = protocol;
  put(reply, tests::FakeGpu().describe().value());
  [[maybe_unused]] const auto sent = channel.send(reply);
}

/// A head whose protocol is a list in a list in a list. It is written by hand: a program that makes it of
/// JSON values falls into the same hole.
void answer_deeply(remote::Channel& channel) {
  [[maybe_unused]] const auto hello = channel.receive({});
  constexpr uint64_t kDepth = 7'000'000;
  const std::string head = "{\"protocol\":" + std::string(kDepth, '[') + std::string(kDepth, ']') + "}";
  const std::array<uint64_t, 2> sizes{head.size(), 0};
  std::string bytes = "LANESCP1";
  bytes.append(reinterpret_cast<const char*>(sizes.data()), sizeof sizes);
  bytes += head;
  fcntl(STDOUT_FILENO, F_SETFL, 0);
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

int run(const std::string& how) {
  if (how == "greeting") {
    std::puts("Welcome to the lab!");
    std::fflush(stdout);
    return 0;
  }
  if (how == "truncated") {
    std::fputs("LANESCP1\x40", stdout);
    std::fflush(stdout);
    return 0;
  }
  if (how == "silent") return pause();
  remote::Channel channel(STDIN_FILENO, STDOUT_FILENO);
  if (how == "other_protocol") {
    answer_hello(channel, remote::kProtocol + 1);
    return 0;
  }
  if (how == "deep_protocol") {
    answer_deeply(channel);
    return 0;
  }
  if (how == "dies") {
    answer_hello(channel, remote::kProtocol);
    [[maybe_unused]] const auto request = channel.receive({});
    std::fputs("the machine goes down now\n", stderr);
    return 1;
  }
  return remote::serve(channel,
                       [&] -> Result<std::unique_ptr<gpu::Gpu>> {
                         if (how == "emulator") return std::make_unique<tests::EmulatedGpu>();
                         if (how == "driverless") return fail(ErrorKind::Unsupported, "no driver was found");
                         if (how == "uncounted") return std::make_unique<tests::UncountedGpu>();
                         if (how == "miscounting") return std::make_unique<MiscountingGpu>();
                         return std::make_unique<tests::FakeGpu>();
                       })
             ? 0
             : 1;
}

}  // namespace
}  // namespace lanescope

int main(int count, char** words) { return lanescope::run(count > 1 ? words[1] : "serve"); }
