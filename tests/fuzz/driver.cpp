// A program's side of `lanescope run` is somebody else's: its images (fat binaries, PTX) and its messages.
// The input is a sequence of requests, a byte for the kind, eight for each number and two for the length of
// the payload; the whole of it is an image too. What is answered does not matter; nothing may crash, hang or
// take more memory than there is.

#include "driver/server/driver_process.h"
#include "driver/server/image.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lanescope::driver {
namespace {

constexpr uint64_t kMemory = uint64_t{1} << 20;
constexpr uint64_t kSteps = 1000;

class Input {
 public:
  explicit Input(std::string_view bytes) : rest_(bytes) {}
  bool empty() const { return rest_.empty(); }
  uint64_t take_number(size_t bytes) {
    uint64_t value = 0;
    const std::string_view taken = take(bytes);
    std::memcpy(&value, taken.data(), taken.size());
    return value;
  }
  std::string_view take(size_t bytes) {
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view rest_;
};

/// `captures`: the program runs on a GPU; else null.
void answer_all(std::string_view bytes, Captures* captures) {
  ProgramLog log({}, {"program"}, "device");
  emulator::Pool pool(1);
  LaunchTurn turn;
  ProgramRun run{.device = {},
                 .keeps = KeptLaunches::None,
                 .memory_bytes = kMemory,
                 .limit_steps = kSteps,
                 .log = log,
                 .pool = pool,
                 .turn = turn,
                 .captures = captures};
  DriverProcess process(run);
  Input input(bytes);
  while (!input.empty()) {
    LanescopeRequest request{};
    request.kind = static_cast<uint32_t>(input.take_number(1));
    request.a[0] = input.take_number(8);
    request.a[1] = input.take_number(8);
    const std::string_view payload = input.take(input.take_number(2));
    request.payload_bytes = static_cast<uint32_t>(payload.size());
    (void)process.answer(request, payload);
  }
}

}  // namespace
}  // namespace lanescope::driver

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lanescope::driver;
  (void)ptx_of_image(std::as_bytes(std::span(data, size)));
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  answer_all(bytes, nullptr);
  Captures captures({{.kernel = "k", .launch = 0}});
  answer_all(bytes, &captures);
  return 0;
}
