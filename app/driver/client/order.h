// Which work waits for which, where streams run side by side, as on a GPU: here all work is done when its
// call returns, so that a program that forgets to wait reads the right values, and on a GPU perhaps old ones.
// Method: vector clocks. Each stream, each event and the host know up to which piece of work of each stream
// they come after. A copy that reads what work wrote that it does not come after is noted for the report.
// Never noted: what kernels read, what the host reads without a call, and launches of which the server did
// not say what they wrote. Source: CUDA Driver API, "Stream synchronization behavior", "API synchronization
// behavior". Tests: tests/unit/driver/client/order_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>
#include <stdint.h>

/// Of more streams, those that were created last are taken to wait for everything.
enum { kMostOrdered = 32 };

struct Clock {
  uint64_t of[kMostOrdered];  // the number of the last piece of work of a stream that comes before
};

/// The place of a stream that is created; -1 where there is no room.
int order_new_stream(int is_non_blocking);
void order_end_stream(int place);

struct Work {
  int place;
  uint64_t number;
  struct Clock after;
  char stream[24];  // "stream 3"
};

/// Enters work of a stream.
void begin_work(CUstream stream, struct Work* work);

/// Enters a copy or a fill: work of the stream of begin_asynchronous(), else of the default stream, for which
/// the host waits in end_copy().
void begin_copy(struct Work* work);
/// `keeps_host`: the host waits for an asynchronous copy too, as for one to memory that is not pinned.
void end_copy(const struct Work* work, int keeps_host);

/// That the work writes these bytes. `what` is named in a note: "kernel add", "cuMemcpyDtoH". Where
/// `ends_alone`, it writes the first and the last byte, and perhaps not those between.
void order_write(const struct Work* work, const char* what, CUdeviceptr address, size_t size, int ends_alone);

/// Notes each write of these bytes that the work does not come after.
void order_read(const struct Work* work, const char* what, CUdeviceptr address, size_t size);

/// What a stream has done up to now, and that a stream or the host waits for that.
void order_record(CUstream stream, struct Clock* clock);
void order_stream_waits(CUstream stream, const struct Clock* clock);
void order_host_waits(const struct Clock* clock);
void order_host_waits_for_stream(CUstream stream);
void order_host_waits_for_all(void);
