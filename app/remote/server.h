// The end of the pipe where the GPU is: answers one request after the other until its input closes.
// Method: a request that cannot be read ends the connection with an error as its last message; a request that
// fails is answered with the error and the next one is awaited. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "remote/message.h"

#include <functional>

namespace lanescope::remote {

/// Opens the GPU when it is first asked for, so that a machine without one can say so.
using OpenGpu = std::function<Result<std::unique_ptr<gpu::Gpu>>()>;

/// Error: what was wrong with a message, already told to the other end.
Result<void> serve(Channel& channel, const OpenGpu& open);

}  // namespace lanescope::remote
