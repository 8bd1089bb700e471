#include "driver/forward/launch_timer.h"

#include "driver/client/connection.h"
#include "driver/forward/real_driver.h"

#include <pthread.h>
#include <time.h>

enum { kMostOpen = 1024, kCollectAt = 64, kMostFree = kMostOpen };

struct Open {
  struct LaunchTimer timer;
  uint64_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of all timers
static struct Open open_timers[kMostOpen];                // in the order of their launches
static int open_count;
static struct LaunchTimer free_timers[kMostFree];
static int free_count;

/// Takes a free timer of the context; null members if there is none. With the lock held.
static struct LaunchTimer take_free(CUcontext context) {
  for (int n = 0; n < free_count; ++n) {
    if (free_timers[n].context != context) continue;
    const struct LaunchTimer taken = free_timers[n];
    free_timers[n] = free_timers[--free_count];
    return taken;
  }
  return (struct LaunchTimer){0};
}

static void destroy(struct LaunchTimer timer) {
  if (timer.begin) REAL(cuEventDestroy_v2)(timer.begin);
  if (timer.end) REAL(cuEventDestroy_v2)(timer.end);
}

/// With the lock held.
static void give_back(struct LaunchTimer timer) {
  if (free_count < kMostFree)
    free_timers[free_count++] = timer;
  else
    destroy(timer);
}

static struct LaunchTimer make_timer(CUcontext context) {
  struct LaunchTimer timer = {.context = context};
  if (REAL(cuEventCreate)(&timer.begin, CU_EVENT_DEFAULT) == CUDA_SUCCESS &&
      REAL(cuEventCreate)(&timer.end, CU_EVENT_DEFAULT) == CUDA_SUCCESS)
    return timer;
  destroy(timer);
  return (struct LaunchTimer){0};
}

struct LaunchTimer begin_timer(CUstream stream) {
  const struct LaunchTimer none = {0};
  CUcontext context = NULL;
  if (REAL(cuCtxGetCurrent)(&context) != CUDA_SUCCESS || !context) return none;
  pthread_mutex_lock(&lock);
  const int has_room = open_count < kMostOpen;
  struct LaunchTimer timer = has_room ? take_free(context) : none;
  pthread_mutex_unlock(&lock);
  if (has_room && !timer.begin) timer = make_timer(context);
  if (!timer.begin || REAL(cuEventRecord)(timer.begin, stream) == CUDA_SUCCESS) return timer;
  destroy(timer);
  return none;
}

void end_timer(struct LaunchTimer timer, uint64_t number, CUstream stream, CUresult result) {
  if (!timer.begin) return;
  const int is_recorded = result == CUDA_SUCCESS && REAL(cuEventRecord)(timer.end, stream) == CUDA_SUCCESS;
  pthread_mutex_lock(&lock);
  if (is_recorded && open_count < kMostOpen)
    open_timers[open_count++] = (struct Open){timer, number};
  else
    give_back(timer);
  const int is_due = open_count >= kCollectAt;
  pthread_mutex_unlock(&lock);
  if (is_due) collect_times();
}

/// True if the timer's launch has ended; then `measured` has its time, 0 if the driver does not report it.
static int has_ended(const struct Open* open, struct LanescopeMeasured* measured) {
  float milliseconds = 0;
  if (REAL(cuEventQuery)(open->timer.end) == CUDA_ERROR_NOT_READY) return 0;
  if (REAL(cuEventElapsedTime)(&milliseconds, open->timer.begin, open->timer.end) != CUDA_SUCCESS)
    milliseconds = 0;
  *measured = (struct LanescopeMeasured){open->number, (uint64_t)((double)milliseconds * 1e6)};
  return 1;
}

/// Takes the timers of launches that have ended. Returns the number of times in `measured`. A context that
/// cannot be pushed was destroyed, and its events with it: the timer is forgotten. With the lock held.
static int take_ended(struct LanescopeMeasured measured[kMostOpen]) {
  int count = 0, left = 0;
  CUcontext current = NULL;
  REAL(cuCtxGetCurrent)(&current);
  for (int n = 0; n < open_count; ++n) {
    const struct Open open = open_timers[n];
    const int is_elsewhere = open.timer.context != current;
    if (is_elsewhere && REAL(cuCtxPushCurrent_v2)(open.timer.context) != CUDA_SUCCESS) continue;
    CUcontext popped;
    if (has_ended(&open, &measured[count])) {
      count += measured[count].nanoseconds > 0;
      give_back(open.timer);
    } else {
      open_timers[left++] = open;
    }
    if (is_elsewhere) REAL(cuCtxPopCurrent_v2)(&popped);
  }
  open_count = left;
  return count;
}

void collect_times(void) {
  static struct LanescopeMeasured measured[kMostOpen];  // with the lock held
  pthread_mutex_lock(&lock);
  const int count = open_count > 0 ? take_ended(measured) : 0;
  if (count > 0) {
    struct Reply reply;
    const struct iovec part = {measured, (size_t)count * sizeof *measured};
    ask(kLanescopeMeasured, 0, 0, &part, 1, &reply);
    free_reply(&reply);
  }
  pthread_mutex_unlock(&lock);
}

static int count_open(void) {
  pthread_mutex_lock(&lock);
  const int count = open_count;
  pthread_mutex_unlock(&lock);
  return count;
}

void collect_all_times(void) {
  const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
  collect_times();
  for (int look = 0; look < 100 && count_open() > 0; ++look) {
    nanosleep(&moment, NULL);
    collect_times();
  }
}

void forget_times_of(CUcontext context) {
  pthread_mutex_lock(&lock);
  int left = 0;
  for (int n = 0; n < open_count; ++n)
    if (open_timers[n].timer.context != context) open_timers[left++] = open_timers[n];
  open_count = left;
  left = 0;
  for (int n = 0; n < free_count; ++n)
    if (free_timers[n].context != context) free_timers[left++] = free_timers[n];
  free_count = left;
  pthread_mutex_unlock(&lock);
}
