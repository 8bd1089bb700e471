// Parses what --arg says of a texture or surface object:
//   [NAME=]texture(TYPE[COUNT]:INIT, OPTION...)   texels of their own; TYPE is f32, u8x4, ...
//   texture(NAME, OPTION...)                      over an earlier buffer, or the texels of an earlier object
//   [NAME=]texture(file(PATH), OPTION...)         a .png or .npy that says itself what it holds
//   [NAME=]surface(TYPE[COUNT]:INIT, OPTION...), surface(NAME)
// COUNT is WIDTH, HEIGHTxWIDTH or DEPTHxHEIGHTxWIDTH. The options are point or linear; wrap, clamp, mirror or
// border, for all dimensions or for x, y and z in this order; normalized; normalized_float; layered, where
// the slowest extent counts layers; cube, where it counts the faces of cubes; x2 or x4, the channels of a
// texture over a buffer. Tests: tests/unit/launch/image_spec_test.cpp

#pragma once

#include "launch/launch.h"

#include <string_view>

namespace lanescope::launch {

/// Whether it is one of those forms, as far as its beginning says.
bool is_image(std::string_view spec);

/// Adds the object to `launch`, and its texels as a buffer of this name, which has been checked. `spec` is
/// without the name.
Result<void> add_image(Launch& launch, std::string_view name, std::string_view spec);

}  // namespace lanescope::launch
