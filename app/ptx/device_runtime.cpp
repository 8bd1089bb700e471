#include "ptx/device_runtime.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

struct Body {
  std::string_view name;
  std::string text;  // one line
};

/// The handle of a grid is the address of its workspace, whose second word counts arrivals: %envreg1 and
/// %envreg2 have it (emulator/memory/memory.h).
std::vector<Body> grid_bodies() {
  return {
      {"cudaCGGetIntrinsicHandle",
       ".func (.param .b64 handle) cudaCGGetIntrinsicHandle (.param .b32 scope) { "
       ".reg .b32 %high, %low; .reg .b64 %whole; "
       "mov.u32 %high, %envreg1; mov.u32 %low, %envreg2; mov.b64 %whole, {%low, %high}; "
       "st.param.b64 [handle], %whole; ret; }"},
      {"cudaCGSynchronize",
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
}

/// What the bodies of dynamic parallelism use.
constexpr std::string_view kDeclared =
    " .visible .global .align 8 .b64 __lanescope_launches[3];"
    " .extern .func (.param .b64 piece) malloc (.param .b64 size);"
    " .extern .func free (.param .b64 piece);";

constexpr std::string_view kLaunchText =
    "(.param .b64 parameters, .param .b64 stream) { "
    ".reg .b32 %x, %y, %z, %w, %h; .reg .b64 %at, %to, %s, %block, %thread; "
    "ld.param.b64 %at, [parameters]; sub.u64 %at, %at, 64; "
    "ld.param.b64 %s, [stream]; st.global.b64 [%at+48], %s; "
    "mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %z, %ctaid.z; "
    "mov.u32 %w, %nctaid.x; mov.u32 %h, %nctaid.y; mad.lo.u32 %y, %z, %h, %y; "
    "mul.wide.u32 %block, %y, %w; cvt.u64.u32 %thread, %x; add.u64 %block, %block, %thread; "
    "mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z; "
    "mov.u32 %w, %ntid.x; mov.u32 %h, %ntid.y; mad.lo.u32 %y, %z, %h, %y; mad.lo.u32 %x, %y, %w, %x; "
    "shl.b64 %block, %block, 10; cvt.u64.u32 %thread, %x; add.u64 %block, %block, %thread; "
    "st.global.b64 [%at+56], %block; "
    "mov.u64 %to, __lanescope_launches; atom.global.exch.b64 %s, [%to], %at; st.global.b64 [%at], %s; "
    "st.param.b32 [status], 0; ret; }";

/// Streams and events of kernels need no order: the launches of a kernel follow one another.
constexpr std::string_view kDone = "{ st.param.b32 [status], 0; ret; }";

std::vector<Body> launch_bodies() {
  std::vector<Body> bodies{
      {"__cudaCDP2GetParameterBufferV2",
       ".func (.param .b64 parameters) __cudaCDP2GetParameterBufferV2 (.param .b64 function, "
       ".param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared) { "
       ".reg .b32 %x; .reg .b64 %at, %list, %f; .reg .pred %is; "
       "mov.u64 %list, __lanescope_launches; ld.global.b64 %f, [%list+8]; "
       "{ .param .b64 size; st.param.b64 [size], %f; .param .b64 piece; "
       "call.uni (piece), malloc, (size); ld.param.b64 %at, [piece]; } "
       "setp.ne.u64 %is, %at, 0; @%is bra there; "
       "red.global.add.u64 [%list+16], 1; st.param.b64 [parameters], 0; ret; "
       "there: ld.param.b64 %f, [function]; st.global.b64 [%at+8], %f; "
       "ld.param.b32 %x, [grid]; st.global.b32 [%at+16], %x; "
       "ld.param.b32 %x, [grid+4]; st.global.b32 [%at+20], %x; "
       "ld.param.b32 %x, [grid+8]; st.global.b32 [%at+24], %x; "
       "ld.param.b32 %x, [block]; st.global.b32 [%at+28], %x; "
       "ld.param.b32 %x, [block+4]; st.global.b32 [%at+32], %x; "
       "ld.param.b32 %x, [block+8]; st.global.b32 [%at+36], %x; "
       "ld.param.b32 %x, [shared]; st.global.b32 [%at+40], %x; "
       "add.u64 %at, %at, 64; st.param.b64 [parameters], %at; ret; }"},
      {"__cudaCDP2StreamCreateWithFlags",
       ".func (.param .b32 status) __cudaCDP2StreamCreateWithFlags (.param .b64 stream, .param .b32 flags) { "
       ".reg .b64 %at; ld.param.b64 %at, [stream]; st.b64 [%at], 16; st.param.b32 [status], 0; ret; }"},
      {"__cudaCDP2EventCreateWithFlags",
       ".func (.param .b32 status) __cudaCDP2EventCreateWithFlags (.param .b64 event, .param .b32 flags) { "
       ".reg .b64 %at; ld.param.b64 %at, [event]; st.b64 [%at], 16; st.param.b32 [status], 0; ret; }"},
      {"__cudaCDP2GetDevice",
       ".func (.param .b32 status) __cudaCDP2GetDevice (.param .b64 device) { "
       ".reg .b64 %at; ld.param.b64 %at, [device]; st.b32 [%at], 0; st.param.b32 [status], 0; ret; }"},
      {"__cudaCDP2Malloc",
       ".func (.param .b32 status) __cudaCDP2Malloc (.param .b64 to, .param .b64 bytes) { "
       ".reg .b32 %x; .reg .b64 %at, %n; .reg .pred %is; ld.param.b64 %n, [bytes]; "
       "{ .param .b64 size; st.param.b64 [size], %n; .param .b64 piece; "
       "call.uni (piece), malloc, (size); ld.param.b64 %n, [piece]; } "
       "ld.param.b64 %at, [to]; st.b64 [%at], %n; setp.ne.u64 %is, %n, 0; selp.u32 %x, 0, 2, %is; "
       "st.param.b32 [status], %x; ret; }"},
      {"__cudaCDP2Free",
       ".func (.param .b32 status) __cudaCDP2Free (.param .b64 given) { "
       ".reg .b64 %at; ld.param.b64 %at, [given]; "
       "{ .param .b64 piece; st.param.b64 [piece], %at; call.uni free, (piece); } "
       "st.param.b32 [status], 0; ret; }"},
  };
  for (const std::string_view name : {"__cudaCDP2LaunchDeviceV2", "__cudaCDP2LaunchDeviceV2_ptsz"})
    bodies.push_back({name, fmt::format(".func (.param .b32 status) {} {}", name, kLaunchText)});
  const auto add_done = [&](std::string_view name, std::string_view parameters) {
    bodies.push_back({name, fmt::format(".func (.param .b32 status) {} {}{}", name, parameters, kDone)});
  };
  add_done("__cudaCDP2GetLastError", "");
  add_done("__cudaCDP2PeekAtLastError", "");
  add_done("__cudaCDP2StreamDestroy", "(.param .b64 stream) ");
  add_done("__cudaCDP2EventDestroy", "(.param .b64 event) ");
  for (const std::string_view name : {"__cudaCDP2EventRecord", "__cudaCDP2EventRecord_ptsz"})
    add_done(name, "(.param .b64 event, .param .b64 stream) ");
  for (const std::string_view name : {"__cudaCDP2StreamWaitEvent", "__cudaCDP2StreamWaitEvent_ptsz"})
    add_done(name, "(.param .b64 stream, .param .b64 event, .param .b32 flags) ");
  return bodies;
}

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

/// Replaces the declaration of a function, if there is one, by other text on its lines.
bool define(std::string& text, const Body& body) {
  for (size_t at = text.find(body.name); at != std::string::npos; at = text.find(body.name, at + 1)) {
    const auto range = declaration_around(text, body.name, at);
    if (!range) continue;
    const auto lines =
        std::ranges::count(std::string_view(text).substr(range->begin, range->end - range->begin), '\n');
    text.replace(range->begin, range->end - range->begin,
                 body.text + std::string(static_cast<size_t>(lines), '\n'));
    return true;
  }
  return false;
}

/// Puts text at the end of the line of .address_size, the last of a module's head.
void add_to_head(std::string& text, std::string_view added) {
  const size_t at = text.find(".address_size");
  if (at != std::string::npos) text.insert(std::min(text.find('\n', at), text.size()), added);
}

}  // namespace

std::string with_device_runtime(std::string_view text) {
  std::string whole(text);
  for (const Body& body : grid_bodies()) define(whole, body);
  if (whole.find("__cudaCDP2") == std::string::npos) return whole;
  bool launches = false;
  for (const Body& body : launch_bodies()) launches |= define(whole, body);
  if (launches) add_to_head(whole, kDeclared);
  return whole;
}

}  // namespace lanescope::ptx
