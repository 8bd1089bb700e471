#include "emulator/schedule/built_in_calls.h"

#include "emulator/schedule/print_format.h"
#include "trace/output.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

constexpr size_t kLongestString = size_t{1} << 16;

/// Pointer to the memory at a generic address of a thread; null if `bytes` may not be accessed there.
std::byte* find_bytes(BlockState& block, uint32_t thread, uint64_t address, uint64_t bytes) {
  Region region;
  uint64_t offset = address & ((uint64_t{1} << kWindowShift) - 1);
  switch (address >> kWindowShift) {
    case kSharedWindow:
      region = {block.shared.data(), block.shared.size()};
      break;
    case kLocalWindow: {
      const uint64_t pitch = block.code.program->local_bytes;
      if (!block.local.allows(offset, bytes)) return nullptr;
      region = {block.local.data() + thread * pitch, pitch};
      break;
    }
    case kConstantWindow:
      region = block.memory.constants();
      break;
    case kParameterWindow:
      region = block.memory.parameters();
      break;
    default: {
      const uint32_t buffer = trace::buffer_of(address);
      if (!trace::has_buffer(address) || buffer >= block.memory.buffers().size()) return nullptr;
      region = block.memory.buffers()[buffer];
      offset = trace::offset_of(address);
    }
  }
  return bytes <= region.size_bytes && offset <= region.size_bytes - bytes ? region.data + offset : nullptr;
}

std::string string_at(BlockState& block, uint32_t thread, uint64_t address) {
  if (address == 0) return "(null)";
  std::string text;
  while (text.size() < kLongestString) {
    const std::byte* const at = find_bytes(block, thread, address + text.size(), 1);
    if (at == nullptr || *at == std::byte{0}) break;
    text += static_cast<char>(*at);
  }
  return text;
}

}  // namespace

void call_built_in(BlockExecutor& executor, uint32_t warp, const Step& step, uint32_t lanes) {
  BlockState& state = executor.state();
  const ptx::Program& program = executor.program();
  const ptx::Call& call = program.calls[program.steps[step.index].list];
  for_each_lane({lanes}, [&](int lane) {
    if (state.stopped) return;
    const uint32_t thread = warp * kLanes + static_cast<uint32_t>(lane);
    const uint64_t frame = executor.word_at(warp, step.source[1], lane) + call.frame_offset;
    const auto at = [&](uint64_t offset, uint64_t bytes) {
      return find_bytes(state, thread, (kLocalWindow << kWindowShift) + frame + offset, bytes);
    };
    const auto argument = [&](size_t n, uint32_t bytes) {
      uint64_t value = 0;
      if (n >= call.arguments.size()) return value;
      if (const std::byte* from = at(call.arguments[n], bytes)) std::memcpy(&value, from, bytes);
      return value;
    };
    const auto give = [&](uint64_t value, uint32_t bytes) {
      if (call.results.empty()) return;
      if (std::byte* to = at(call.results[0], bytes)) std::memcpy(to, &value, bytes);
    };
    const auto text = [&](size_t n) { return string_at(state, thread, argument(n, 8)); };
    switch (call.kind) {
      case ptx::Call::Kind::Print: {
        const uint64_t values = argument(1, 8);
        PrintArguments arguments([&](uint64_t offset, uint32_t bytes) -> std::optional<uint64_t> {
          const std::byte* const from = find_bytes(state, thread, values + offset, bytes);
          if (values == 0 || from == nullptr) return std::nullopt;
          uint64_t value = 0;
          std::memcpy(&value, from, bytes);
          return value;
        });
        const std::string line = format_print(
            text(0), arguments, [&](uint64_t address) { return string_at(state, thread, address); });
        // Text beyond kMostBytes only shows that there was more: trace::Output::is_cut.
        if (state.output.size() <= trace::Output::kMostBytes) state.output += line;
        give(static_cast<uint64_t>(arguments.taken()), 4);
        break;
      }
      case ptx::Call::Kind::Assert:
        state.report(
            trace::HazardKind::Assertion, step, thread,
            fmt::format("fails the assertion `{}` in {} ({}:{}); look at the values that it compares",
                        text(0), text(3), text(1), argument(2, 4)));
        break;
      case ptx::Call::Kind::Allocate:
        give(state.memory.heap().allocate(argument(0, 8)), 8);
        if (state.observer && state.memory.heap().gives_again()) state.observer->on_heap_reused();
        break;
      case ptx::Call::Kind::Free:
        if (const uint64_t address = argument(0, 8); !state.memory.heap().free(address))
          state.report(trace::HazardKind::OutOfBounds, step, thread,
                       fmt::format("frees address {:#x}, which malloc did not give or which is free already; "
                                   "free each piece once",
                                   address));
        break;
      default:
        break;
    }
  });
}

}  // namespace lanescope::emulator
