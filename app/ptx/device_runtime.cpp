#include "ptx/device_runtime.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanescope::ptx {
namespace {

struct Body {
  std::string_view name;
  std::string_view text;  // one line
};

/// The handle of a grid is the address of its workspace, whose second word counts arrivals: %envreg1 and
/// %envreg2 have it (emulator/memory/memory.h).
constexpr std::array kBodies{
    Body{"cudaCGGetIntrinsicHandle",
         ".func (.param .b64 handle) cudaCGGetIntrinsicHandle (.param .b32 scope) { "
         ".reg .b32 %high, %low; .reg .b64 %whole; "
         "mov.u32 %high, %envreg1; mov.u32 %low, %envreg2; mov.b64 %whole, {%low, %high}; "
         "st.param.b64 [handle], %whole; ret; }"},
    Body{"cudaCGSynchronize",
         ".func (.param .b32 status) cudaCGSynchronize (.param .b64 handle, .param .b32 flags) { "
         ".reg .b32 %x, %y, %z, %count, %arrival, %before, %now; .reg .b64 %at; .reg .pred %is; "
         "bar.sync 0; "
         // One thread of each block arrives.
         "mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z; "
         "or.b32 %x, %x, %y; or.b32 %x, %x, %z; setp.ne.u32 %is, %x, 0; @%is bra together; "
         "ld.param.b64 %at, [handle]; add.u64 %at, %at, 4; "
         "mov.u32 %x, %nctaid.x; mov.u32 %y, %nctaid.y; mov.u32 %z, %nctaid.z; "
         "mul.lo.u32 %count, %x, %y; mul.lo.u32 %count, %count, %z; "
         // All blocks add one, the first so much that the sum of all flips the highest bit alone.
         "mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %z, %ctaid.z; "
         "or.b32 %x, %x, %y; or.b32 %x, %x, %z; setp.eq.u32 %is, %x, 0; "
         "sub.u32 %count, 0x80000001, %count; selp.u32 %arrival, %count, 1, %is; "
         "membar.gl; atom.add.u32 %before, [%at], %arrival; "
         "wait: ld.volatile.u32 %now, [%at]; xor.b32 %now, %now, %before; "
         "setp.ge.s32 %is, %now, 0; @%is bra wait; membar.gl; "
         "together: bar.sync 0; st.param.b32 [status], 0; ret; }"},
};

struct Range {
  size_t begin = 0, end = 0;
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// The declaration ".extern .func (...) NAME (...);" around a mention of the name at `at`.
std::optional<Range> declaration_around(std::string_view text, std::string_view name, size_t at) {
  const size_t after = at + name.size();
  if ((at > 0 && is_name_character(text[at - 1])) || (after < text.size() && is_name_character(text[after])))
    return std::nullopt;
  const size_t begin = text.rfind(".extern", at), end = text.find(';', after);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  const std::string_view whole = text.substr(begin, end - begin);
  if (whole.find(".func") == std::string_view::npos || whole.find_first_of(";{}") != std::string_view::npos)
    return std::nullopt;
  return Range{begin, end + 1};
}

void define(std::string& text, const Body& body) {
  for (size_t at = text.find(body.name); at != std::string::npos; at = text.find(body.name, at + 1)) {
    const auto range = declaration_around(text, body.name, at);
    if (!range) continue;
    const auto lines =
        std::ranges::count(std::string_view(text).substr(range->begin, range->end - range->begin), '\n');
    text.replace(range->begin, range->end - range->begin,
                 std::string(body.text) + std::string(static_cast<size_t>(lines), '\n'));
    return;
  }
}

}  // namespace

std::string with_device_runtime(std::string_view text) {
  std::string whole(text);
  for (const Body& body : kBodies) define(whole, body);
  return whole;
}

}  // namespace lanescope::ptx
