#include "ptx/device_runtime.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

struct Body {
  std::string name;
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
    " .global .align 1 .b8 __lanescope_no_error[9] = {110, 111, 32, 101, 114, 114, 111, 114, 0};"
    " .extern .func (.param .b64 piece) malloc (.param .b64 size);"
    " .extern .func free (.param .b64 piece);";

/// Kernels of one block for the copies and fills that kernels ask for, byte by byte.
constexpr std::string_view kCopyKernel =
    ".visible .entry cudaMemcpyAsync_by_kernel (.param .u64 to, .param .u64 from, .param .u64 size) { "
    ".reg .b32 %x; .reg .b64 %to, %from, %size, %at, %p; .reg .pred %is; "
    "ld.param.u64 %to, [to]; ld.param.u64 %from, [from]; ld.param.u64 %size, [size]; "
    "mov.u32 %x, %tid.x; cvt.u64.u32 %at, %x; "
    "again: setp.ge.u64 %is, %at, %size; @%is bra over; add.u64 %p, %from, %at; ld.u8 %x, [%p]; "
    "add.u64 %p, %to, %at; st.u8 [%p], %x; add.u64 %at, %at, 256; bra again; over: ret; } ";
constexpr std::string_view kFillKernel =
    ".visible .entry cudaMemsetAsync_by_kernel (.param .u64 to, .param .u64 value, .param .u64 size) { "
    ".reg .b32 %x; .reg .b64 %to, %value, %size, %at, %p; .reg .pred %is; "
    "ld.param.u64 %to, [to]; ld.param.u64 %value, [value]; ld.param.u64 %size, [size]; "
    "mov.u32 %x, %tid.x; cvt.u64.u32 %at, %x; cvt.u32.u64 %x, %value; "
    "again: setp.ge.u64 %is, %at, %size; @%is bra over; "
    "add.u64 %p, %to, %at; st.u8 [%p], %x; add.u64 %at, %at, 256; bra again; over: ret; } ";

/// Body of a function that launches one of them, with three numbers of 64 bits that are in %a, %b and %c.
std::string launch_of_kernel(std::string_view kernel) {
  return fmt::format(
      "mov.u64 %at, {}; {{ .param .b64 f; st.param.b64 [f], %at; "
      ".param .align 4 .b8 g[12]; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1; "
      ".param .align 4 .b8 k[12]; st.param.b32 [k], 256; st.param.b32 [k+4], 1; st.param.b32 [k+8], 1; "
      ".param .b32 s; st.param.b32 [s], 0; .param .b64 r; "
      "call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, k, s); ld.param.b64 %at, [r]; }} "
      "setp.ne.u64 %is, %at, 0; @%is bra there; st.param.b32 [status], 2; ret; "
      "there: st.global.b64 [%at], %a; st.global.b64 [%at+8], %b; st.global.b64 [%at+16], %c; "
      "ld.param.b64 %a, [stream]; {{ .param .b64 p; st.param.b64 [p], %at; .param .b64 s; "
      "st.param.b64 [s], %a; .param .b32 r; call.uni (r), __cudaCDP2LaunchDeviceV2, (p, s); }} "
      "st.param.b32 [status], 0; ret; }}",
      kernel);
}

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

std::string launch_body(std::string_view name) {
  return fmt::format(".func (.param .b32 status) {} {}", name, kLaunchText);
}

constexpr std::string_view kParametersBody =
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
    "add.u64 %at, %at, 64; st.param.b64 [parameters], %at; ret; }";

/// Streams and events of kernels need no order: the launches of a kernel follow one another.
constexpr std::string_view kDone = "{ st.param.b32 [status], 0; ret; }";

std::vector<Body> launch_bodies() {
  std::vector<Body> bodies{
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
  bodies.push_back({"__cudaCDP2LaunchDeviceV2_ptsz", launch_body("__cudaCDP2LaunchDeviceV2_ptsz")});
  bodies.push_back({"__cudaCDP2GetErrorString",
                    ".func (.param .b64 text) __cudaCDP2GetErrorString (.param .b32 error) { "
                    ".reg .b64 %at; mov.u64 %at, __lanescope_no_error; st.param.b64 [text], %at; ret; }"});
  const auto add_work = [&](const std::string& name, std::string_view parameters, std::string_view reads,
                            std::string_view kernel) {
    for (const std::string& each : {name, name + "_ptsz"})
      bodies.push_back({each, fmt::format(".func (.param .b32 status) {} ({}, .param .b64 stream) {{ "
                                          ".reg .b32 %x; .reg .b64 %a, %b, %c, %at; .reg .pred %is; {} {}",
                                          each, parameters, reads, launch_of_kernel(kernel))});
  };
  add_work("__cudaCDP2MemcpyAsync", ".param .b64 to, .param .b64 from, .param .b64 size, .param .b32 kind",
           "ld.param.b64 %a, [to]; ld.param.b64 %b, [from]; ld.param.b64 %c, [size];",
           "cudaMemcpyAsync_by_kernel");
  add_work("__cudaCDP2MemsetAsync", ".param .b64 to, .param .b32 value, .param .b64 size",
           "ld.param.b64 %a, [to]; ld.param.b32 %x, [value]; cvt.u64.u32 %b, %x; ld.param.b64 %c, [size];",
           "cudaMemsetAsync_by_kernel");
  const auto add_done = [&](std::string_view name, std::string_view parameters) {
    bodies.push_back(
        {std::string(name), fmt::format(".func (.param .b32 status) {} {}{}", name, parameters, kDone)});
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
void define(std::string& text, const Body& body) {
  for (size_t at = text.find(body.name); at != std::string::npos; at = text.find(body.name, at + 1)) {
    const auto range = declaration_around(text, body.name, at);
    if (!range) continue;
    const auto lines =
        std::ranges::count(std::string_view(text).substr(range->begin, range->end - range->begin), '\n');
    text.replace(range->begin, range->end - range->begin,
                 body.text + std::string(static_cast<size_t>(lines), '\n'));
    return;
  }
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
  for (const Body& body : launch_bodies()) define(whole, body);
  const std::string own =
      fmt::format("{} {} {} ", kDeclared, kParametersBody, launch_body("__cudaCDP2LaunchDeviceV2"));
  const bool copies = whole.find("cudaMemcpyAsync_by_kernel") != std::string::npos;
  const bool fills = whole.find("cudaMemsetAsync_by_kernel") != std::string::npos;
  add_to_head(whole, fmt::format("{}{}{}", own, copies ? kCopyKernel : "", fills ? kFillKernel : ""));
  return whole;
}

}  // namespace lanescope::ptx
