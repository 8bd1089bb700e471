// A libcuda that executes no kernels: memory is the host's, launches are recorded, and two kernels have an
// effect (append, print). For tests of which functions of the driver are called, in which order.

#pragma once

#include <cstdint>

extern "C" {
/// Forgets what was noted; from now on the GPU has so much memory. Its L2 has 1 MiB.
void fake_driver_begin(uint64_t memory_bytes);
/// A line for each call since: "launch NAME [found]", "event", "copy BYTES", "upload BYTES", "shared BYTES",
/// "registers MOST". A kernel whose name begins with "append" adds 1 to the first word of its first buffer,
/// and to the variable `counter` of its module, if its text has one; `found` are the two before. One whose
/// name begins with "print" prints a line.
const char* fake_driver_notes();
}
