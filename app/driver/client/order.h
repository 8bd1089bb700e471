// Order of the work of streams as on a GPU, where streams run concurrently. Here all work is done when its
// call returns, so a program that forgets to wait reads correct values; on a GPU it may read old ones.
// Method: vector clocks. Each stream, each event and the host have, for each stream, the number of the last
// piece of its work that they come after. A copy that reads data of unordered work is noted for the report.
// Not noted: reads of kernels, reads of the host without a call, and reads of data of launches whose writes
// the server did not list. Source: CUDA Driver API, "Stream synchronization behavior", "API synchronization
// behavior". Tests: tests/unit/driver/client/order_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>
#include <stdint.h>

/// Most streams whose order is tracked, with the two default streams. Work of a further stream counts as
/// ordered after all work before it, and its writes are not entered.
enum { kMostOrdered = 32 };

struct Clock {
  uint64_t of[kMostOrdered];  // [place of a stream] number of the last piece of its work that comes before
};

/// Enters a new stream and returns its place in clocks; -1 if all places are in use.
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

/// Stream of this thread's copies and fills: that of begin_asynchronous(), else the default one.
CUstream stream_of_copies(void);

/// Enters a copy or a fill: work of the stream of begin_asynchronous(), else of the default stream. In the
/// second case end_copy() lets the host wait for the work.
void begin_copy(struct Work* work);
/// Ends a copy or a fill. `keeps_host`: the host waits for an asynchronous copy too, as on a GPU for a copy
/// to memory that is not pinned.
void end_copy(const struct Work* work, int keeps_host);

/// Enters a write of `size` bytes by the work. `what`: its name in notes, "kernel add", "cuMemcpyDtoH".
/// `ends_alone`: the first and the last byte are written, those between perhaps not.
void order_write(const struct Work* work, const char* what, CUdeviceptr address, size_t size, int ends_alone);

/// Checks a read of `size` bytes by the work: adds a note to the report for each write of these bytes that
/// the work does not come after.
void order_read(const struct Work* work, const char* what, CUdeviceptr address, size_t size);

/// Writes the present state of a stream to `clock`. The next functions enter that a stream or the host waits
/// for such a state, for a stream, or for all work.
void order_record(CUstream stream, struct Clock* clock);
void order_stream_waits(CUstream stream, const struct Clock* clock);
void order_host_waits(const struct Clock* clock);
void order_host_waits_for_stream(CUstream stream);
void order_host_waits_for_all(void);
