// Answers to a program's requests (messages.h): a reply, its payload, and a descriptor.
// Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "base/error.h"
#include "driver/messages.h"
#include "trace/hazard.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::driver {

/// Values of CUresult, as NVIDIA's documentation of the driver's interface lists them.
enum class Status : int32_t {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  NotFound = 500,
  IllegalAddress = 700,
  LaunchTimeout = 702,
  Assert = 710,
  MisalignedAddress = 716,
  LaunchFailed = 719,
  NotSupported = 801,
  Unknown = 999,
};

Status status_of(const Error& error);
Status status_of(trace::HazardKind kind);

/// A reply with its payload and descriptor.
struct Answer {
  LanescopeReply reply{};
  std::string payload;
  int descriptor = -1;  // passed along; it stays the process's
};

Answer failed(Status status, std::string_view sentence);
Answer failed(const Error& error);
Answer done(uint64_t first = 0, uint64_t second = 0, std::string payload = {}, int descriptor = -1);

/// Adds the answer of a launch by a kernel to that of the host's: time, output, and an error. What the
/// kernels wrote is not told then, as of a launch that was not checked.
void append(Answer& all, const Answer& child);

}  // namespace lanescope::driver
