// What --arg says of a buffer: its name, TYPE[COUNT], and what it holds. Textures and surfaces, whose texels
// are a buffer, share it. Tests: tests/unit/launch/argument_spec_test.cpp

#pragma once

#include "launch/launch.h"

#include <string>
#include <string_view>

namespace lanescope::launch {

/// What may be written after --arg, for messages.
inline constexpr std::string_view kArgumentForms =
    "write TYPE:VALUE like i32:1024, bytes:HEX, [NAME=]TYPE[COUNT]:INIT like out=f32[64x64]:zeros, "
    "file(PATH.npy), texture(...), surface(...), the name of an earlier buffer, or a struct by its fields "
    "like {i32:3,f32:0.5}";

Result<ElementType> parse_type(std::string_view name);

/// Whether it is a name, and no other argument's.
Result<void> check_name(const Launch& launch, std::string_view name);

/// TYPE[COUNT] as a buffer without contents. COUNT is "1024" or "32x64", slowest first; all of it stays
/// within kMaximumBufferBytes.
Result<Buffer> parse_buffer_head(std::string_view head);

/// The same of the array that a file has, which says so itself.
Result<Buffer> buffer_of_file(const std::string& path);

/// Gives the buffer what `init` says: that of make_contents(), `none`, or partly(PATH,KEY), a file in which
/// what is uninitialized has the pattern of this key.
Result<void> fill_buffer(Buffer& buffer, std::string_view init);

}  // namespace lanescope::launch
