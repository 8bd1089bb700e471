#include "driver/client/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum State { kClosed, kOpen, kGone, kForked };

static _Atomic int state = kClosed;
static _Atomic int is_started = 0;  // cuInit has succeeded
static int server = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the socket
static struct DeviceFacts facts;

enum { kLongestLine = 2048 };

static const char kOpening[] = "lanescope: ";

static void compose(char line[kLongestLine], const char* format, va_list values) {
  const size_t begin = sizeof kOpening - 1;
  memcpy(line, kOpening, begin);
  vsnprintf(line + begin, kLongestLine - begin - 1, format, values);
  strcat(line, "\n");
}

/// Writes a line to stderr in one call, so that lines of several threads do not mix.
static void say(char line[kLongestLine], const char* format, va_list values) {
  compose(line, format, values);
  fputs(line, stderr);
}

static int is_reported_here(void) {
  unsigned long long device, inode;
  struct stat here;
  const char* file = getenv(LANESCOPE_REPORT_VARIABLE);
  return file && sscanf(file, "%llu:%llu", &device, &inode) == 2 && fstat(STDERR_FILENO, &here) == 0 &&
         here.st_dev == device && here.st_ino == inode;
}

void complain(const char* format, ...) {
  char line[kLongestLine];
  va_list values;
  va_start(values, format);
  say(line, format, values);
  va_end(values);
}

static void say_for_now(char line[kLongestLine], const char* format, va_list values) {
  compose(line, format, values);
  if (!is_reported_here()) fputs(line, stderr);
}

void complain_for_now(const char* format, ...) {
  char line[kLongestLine];
  va_list values;
  va_start(values, format);
  say_for_now(line, format, values);
  va_end(values);
}

CUresult invalid(const char* format, ...) {
  char line[kLongestLine];
  va_list values;
  va_start(values, format);
  say(line, format, values);
  va_end(values);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult refuse(CUresult result, const char* format, ...) {
  char line[kLongestLine];
  va_list values;
  va_start(values, format);
  say_for_now(line, format, values);
  va_end(values);
  line[strlen(line) - 1] = 0;
  tell(kLanescopeNote, 0, line + sizeof kOpening - 1);
  return result;
}

/// Resets the connection in a child of fork(). The lock is made again: another thread of the parent may have
/// held it.
static void begin_child(void) {
  if (server >= 0) close(server);
  server = -1;
  pthread_mutex_init(&lock, NULL);
  if (state != kClosed) state = is_started ? kForked : kClosed;
}

static void notice_forks(void) { pthread_atfork(NULL, NULL, begin_child); }

/// Gives the server up, and complains the first time. All later calls answer CUDA_ERROR_DEVICE_UNAVAILABLE.
static CUresult lose_server(const char* why) {
  if (atomic_exchange(&state, kGone) != kGone)
    complain("`lanescope run` has gone (%s); %s", why, this_library.without_server);
  return CUDA_ERROR_DEVICE_UNAVAILABLE;
}

static int send_all(struct iovec* parts, int count) {
  while (count > 0) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    ssize_t sent = sendmsg(server, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return 0;
    for (; count > 0 && (size_t)sent >= parts->iov_len; --count) sent -= (ssize_t)(parts++)->iov_len;
    if (count > 0) {
      parts->iov_base = (char*)parts->iov_base + sent;
      parts->iov_len -= (size_t)sent;
    }
  }
  return 1;
}

/// Receives `size` bytes. A descriptor that comes with them is stored in `memory`.
static int receive_all(void* into, size_t size, int* memory) {
  while (size > 0) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {into, size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    const ssize_t got = recvmsg(server, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    const struct cmsghdr* come = CMSG_FIRSTHDR(&message);
    if (come && come->cmsg_level == SOL_SOCKET && come->cmsg_type == SCM_RIGHTS) {
      if (*memory >= 0) close(*memory);
      memcpy(memory, CMSG_DATA(come), sizeof(int));
    }
    into = (char*)into + got;
    size -= (size_t)got;
  }
  return 1;
}

/// With the lock held.
static CUresult converse(struct iovec* parts, int count, struct Reply* reply) {
  struct LanescopeReply head;
  if (!send_all(parts, count) || !receive_all(&head, sizeof head, &reply->memory))
    return lose_server("its socket is closed");
  if (head.payload_bytes > LANESCOPE_MOST_PAYLOAD) return lose_server("its reply was not understood");
  reply->r[0] = head.r[0];
  reply->r[1] = head.r[1];
  if (head.payload_bytes > 0) {
    if (!(reply->payload = malloc((size_t)head.payload_bytes + 1)))
      return lose_server("this process has no memory left for its reply");
    if (!receive_all(reply->payload, head.payload_bytes, &reply->memory))
      return lose_server("its socket is closed");
    reply->size = head.payload_bytes;
    reply->payload[reply->size] = 0;
  }
  return (CUresult)head.result;
}

enum { kMostParts = 4 };

static CUresult ask_locked(enum LanescopeKind kind, uint64_t a0, uint64_t a1, const struct iovec* parts,
                           int count, struct Reply* reply) {
  struct LanescopeRequest request = {.kind = kind, .a = {a0, a1}};
  struct iovec all[kMostParts + 1] = {{&request, sizeof request}};
  size_t size = 0;
  for (int n = 0; n < count && n < kMostParts; ++n) {
    all[n + 1] = parts[n];
    if (parts[n].iov_len > LANESCOPE_MOST_PAYLOAD - size)
      return invalid("%zu bytes are more than the %u that may be passed to `lanescope run` at once",
                     size + parts[n].iov_len, LANESCOPE_MOST_PAYLOAD);
    size += parts[n].iov_len;
  }
  request.payload_bytes = (uint32_t)size;
  return converse(all, count + 1, reply);
}

CUresult ask(enum LanescopeKind kind, uint64_t a0, uint64_t a1, const struct iovec* parts, int count,
             struct Reply* reply) {
  *reply = (struct Reply){.memory = -1};
  pthread_mutex_lock(&lock);
  CUresult result = state == kOpen   ? ask_locked(kind, a0, a1, parts, count, reply)
                    : state == kGone ? CUDA_ERROR_DEVICE_UNAVAILABLE
                                     : CUDA_ERROR_NOT_INITIALIZED;
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult ask_with_text(enum LanescopeKind kind, uint64_t a0, const char* text, struct Reply* reply) {
  const struct iovec part = {(void*)text, strlen(text)};
  return ask(kind, a0, 0, &part, 1, reply);
}

CUresult tell(enum LanescopeKind kind, uint64_t a0, const char* text) {
  struct Reply reply;
  const CUresult result = ask_with_text(kind, a0, text, &reply);
  free_reply(&reply);
  return result;
}

void free_reply(struct Reply* reply) {
  if (reply->memory >= 0) close(reply->memory);
  free(reply->payload);
  *reply = (struct Reply){.memory = -1};
}

static CUresult open_socket(void) {
  const char* path = getenv(this_library.socket_variable);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || !*path) return CUDA_ERROR_NO_DEVICE;
  if (strlen(path) >= sizeof address.sun_path) {
    complain("the path in %s is longer than %zu bytes", this_library.socket_variable,
             sizeof address.sun_path - 1);
    return CUDA_ERROR_NO_DEVICE;
  }
  strcpy(address.sun_path, path);
  server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server >= 0 && connect(server, (struct sockaddr*)&address, sizeof address) == 0) return CUDA_SUCCESS;
  complain("`lanescope run` does not answer at %s: %s", path, strerror(errno));
  return CUDA_ERROR_DEVICE_UNAVAILABLE;
}

/// Reads this process's command line: words ended by a zero byte each, cut off at `room` bytes. Returns the
/// size in bytes.
static size_t read_command_line(char* into, size_t room) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t size = 0;
  ssize_t got;
  while (size < room && (got = read(file, into + size, room - size)) > 0) size += (size_t)got;
  close(file);
  return size;
}

static CUresult greet(void) {
  char words[16384];
  const struct iovec part = {words, read_command_line(words, sizeof words)};
  struct Reply reply = {.memory = -1};
  CUresult result = ask_locked(kLanescopeHello, kLanescopeProtocol, (uint64_t)getpid(), &part, 1, &reply);
  if (result == CUDA_SUCCESS && reply.size < sizeof facts.device) {
    complain(
        "`lanescope run` described its device in %u bytes, %zu were expected: the two are of different "
        "versions",
        reply.size, sizeof facts.device);
    result = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  } else if (result != CUDA_SUCCESS && reply.size > 0) {
    complain("%s", reply.payload);
  }
  if (result == CUDA_SUCCESS) {
    memcpy(&facts.device, reply.payload, sizeof facts.device);
    facts.device.name[sizeof facts.device.name - 1] = 0;
    if (facts.device.count > kLanescopeMostDevices) facts.device.count = kLanescopeMostDevices;
    facts.compute_capability = (int)reply.r[0];
    facts.memory_bytes = reply.r[1];
  }
  free_reply(&reply);
  return result;
}

static CUresult connect_locked(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (state == kOpen) return CUDA_SUCCESS;
  if (state != kClosed) return state == kGone ? CUDA_ERROR_DEVICE_UNAVAILABLE : CUDA_ERROR_NOT_INITIALIZED;
  pthread_once(&once, notice_forks);
  CUresult result = open_socket();
  if (result == CUDA_SUCCESS) result = greet();
  if (result == CUDA_SUCCESS) {
    state = kOpen;
  } else if (server >= 0) {
    close(server);
    server = -1;
  }
  return result;
}

CUresult connect_to_server(void) {
  pthread_mutex_lock(&lock);
  const CUresult result = connect_locked();
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult start_driver(void) {
  TRY(connect_to_server());
  is_started = 1;
  return CUDA_SUCCESS;
}

CUresult driver_state(void) {
  const int now = state;
  if (now == kOpen && is_started) return CUDA_SUCCESS;
  return now == kGone ? CUDA_ERROR_DEVICE_UNAVAILABLE : CUDA_ERROR_NOT_INITIALIZED;
}

const struct DeviceFacts* device_facts(void) { return &facts; }
