// The server at the GPU's end of the pipe: answers requests until its input closes. Method: a request that
// cannot be read ends the connection with an error as its last message; a request that fails is answered with
// the error, and the server waits for the next one. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "remote/message.h"

#include <functional>

namespace lanescope::remote {

/// Opens the GPU at the first request for it, so that a machine without one can report that.
using OpenGpu = std::function<Result<std::unique_ptr<gpu::Gpu>>()>;

/// Error: what was wrong with a message, already reported to the other end.
Result<void> serve(Channel& channel, const OpenGpu& open);

}  // namespace lanescope::remote
