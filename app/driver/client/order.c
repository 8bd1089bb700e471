#include "driver/client/order.h"

#include "driver/client/connection.h"
#include "driver/client/generated.h"
#include "driver/client/report.h"
#include "driver/client/stream.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { kMostWrites = 256, kLegacy = 0, kOfThread = 1, kFirstOwn = 2, kUnknown = -1 };

struct Stream {
  int is_used, is_non_blocking;
  struct Clock clock;
};

struct Write {
  CUdeviceptr first, last;
  int ends_alone, place;
  uint64_t number;
  char what[64], stream[24];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the variables up to write_count
static struct Stream streams[kMostOrdered] = {{.is_used = 1}, {.is_used = 1}};
static struct Clock host;
static uint64_t last_number;
static struct Write writes[kMostWrites];  // ring buffer of the latest writes
static size_t write_count;                // all writes since the host last waited for everything

static __thread int is_asynchronous;
static __thread CUstream copying_stream;

static void join(struct Clock* clock, const struct Clock* other) {
  for (int n = 0; n < kMostOrdered; ++n)
    if (other->of[n] > clock->of[n]) clock->of[n] = other->of[n];
}

static void join_all(struct Clock* clock) {
  for (int n = 0; n < kMostOrdered; ++n) clock->of[n] = last_number;
}

int order_new_stream(int is_non_blocking) {
  int place = kFirstOwn;
  pthread_mutex_lock(&lock);
  while (place < kMostOrdered && streams[place].is_used) ++place;
  if (place < kMostOrdered)
    streams[place] = (struct Stream){.is_used = 1, .is_non_blocking = is_non_blocking, .clock = host};
  pthread_mutex_unlock(&lock);
  return place < kMostOrdered ? place : kUnknown;
}

void order_end_stream(int place) {
  pthread_mutex_lock(&lock);
  // The work continues, but the program can no longer wait for this stream alone, and a new stream may get
  // the place. So the host counts as having waited for the work.
  if (place >= kFirstOwn) {
    streams[place].is_used = 0;
    host.of[place] = last_number;
  }
  pthread_mutex_unlock(&lock);
}

/// Enters new work of a stream, after all work that the host waited for. Work of the legacy default stream
/// also comes after that of all blocking streams, and work of a blocking stream after that of the legacy
/// default stream. With the lock held.
static void begin(int place) {
  struct Clock* clock = &streams[place].clock;
  join(clock, &host);
  for (int n = 0; n < kMostOrdered && place == kLegacy; ++n)
    if (streams[n].is_used && !streams[n].is_non_blocking) join(clock, &streams[n].clock);
  if (!streams[place].is_non_blocking) join(clock, &streams[kLegacy].clock);
  clock->of[place] = ++last_number;
}

void begin_work(CUstream stream, struct Work* work) {
  *work = (struct Work){.place = stream_place(stream)};
  snprintf(work->stream, sizeof work->stream, "stream %llu", (unsigned long long)stream_number(stream));
  if (work->place == kLegacy) strcpy(work->stream, "the default stream");
  pthread_mutex_lock(&lock);
  if (work->place == kUnknown) {
    work->number = ++last_number;
    join_all(&work->after);
  } else {
    begin(work->place);
    work->number = last_number;
    work->after = streams[work->place].clock;
  }
  pthread_mutex_unlock(&lock);
}

CUresult begin_asynchronous(CUstream stream) {
  TRY(check_stream(stream));
  is_asynchronous = 1;
  copying_stream = stream;
  return CUDA_SUCCESS;
}

void end_asynchronous(void) { is_asynchronous = 0; }

int lanescopeBeginAsynchronous(void* stream) { return (int)begin_asynchronous(stream); }
void lanescopeEndAsynchronous(void) { end_asynchronous(); }

CUstream stream_of_copies(void) { return is_asynchronous ? copying_stream : NULL; }

void begin_copy(struct Work* work) { begin_work(stream_of_copies(), work); }

void end_copy(const struct Work* work, int keeps_host) {
  if (!is_asynchronous || keeps_host) order_host_waits(&work->after);
}

void order_write(const struct Work* work, const char* what, CUdeviceptr address, size_t size,
                 int ends_alone) {
  if (work->place == kUnknown || size == 0) return;
  pthread_mutex_lock(&lock);
  struct Write* write = &writes[write_count++ % kMostWrites];
  *write = (struct Write){.first = address,
                          .last = address + size - 1,
                          .ends_alone = ends_alone,
                          .place = work->place,
                          .number = work->number};
  snprintf(write->what, sizeof write->what, "%s", what);
  memcpy(write->stream, work->stream, sizeof write->stream);
  pthread_mutex_unlock(&lock);
}

static int is_early(const struct Write* write, const struct Work* work, CUdeviceptr first, CUdeviceptr last) {
  if (write->number <= work->after.of[write->place]) return 0;
  if (!write->ends_alone) return write->first <= last && first <= write->last;
  return (write->first >= first && write->first <= last) || (write->last >= first && write->last <= last);
}

void order_read(const struct Work* work, const char* what, CUdeviceptr address, size_t size) {
  enum { kMostNotes = 4 };
  struct Write early[kMostNotes];
  int count = 0;
  if (size == 0) return;
  pthread_mutex_lock(&lock);
  const size_t known = write_count < kMostWrites ? write_count : kMostWrites;
  for (size_t n = 0; n < known && count < kMostNotes; ++n)
    if (is_early(&writes[n], work, address, address + size - 1)) early[count++] = writes[n];
  pthread_mutex_unlock(&lock);
  for (int n = 0; n < count; ++n) {
    char sentence[400];
    snprintf(
        sentence, sizeof sentence,
        "%s on %s reads what %s on %s writes, and nothing makes it wait: on a GPU it may read too early; "
        "call cudaStreamSynchronize() first, or let its stream wait for an event "
        "(cudaStreamWaitEvent())",
        what, work->stream, early[n].what, early[n].stream);
    tell(kLanescopeNote, 0, sentence);
  }
}

void order_record(CUstream stream, struct Clock* clock) {
  struct Work work;
  begin_work(stream, &work);
  *clock = work.after;
}

void order_stream_waits(CUstream stream, const struct Clock* clock) {
  const int place = stream_place(stream);
  pthread_mutex_lock(&lock);
  if (place != kUnknown) join(&streams[place].clock, clock);
  pthread_mutex_unlock(&lock);
}

void order_host_waits(const struct Clock* clock) {
  pthread_mutex_lock(&lock);
  join(&host, clock);
  pthread_mutex_unlock(&lock);
}

void order_host_waits_for_stream(CUstream stream) {
  struct Clock clock;
  order_record(stream, &clock);
  order_host_waits(&clock);
}

void order_host_waits_for_all(void) {
  pthread_mutex_lock(&lock);
  join_all(&host);
  write_count = 0;
  pthread_mutex_unlock(&lock);
}
