#include "remote/message.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace lanescope::remote {
namespace {

static_assert(std::endian::native == std::endian::little, "sizes travel as they lie in memory");

constexpr std::string_view kBeginning = "LANESCP1";

struct Sizes {
  uint64_t head_bytes = 0;
  uint64_t parts = 0;
};

std::unexpected<Error> cancelled() { return fail(ErrorKind::Cancelled, "cancelled"); }

/// Waits until `descriptor` can be read or written; false if `stop` was requested. Polls, since a stop token
/// does not interrupt poll().
bool wait_for(int descriptor, short events, const std::stop_token& stop) {
  constexpr int kMilliseconds = 50;
  while (!stop.stop_requested()) {
    pollfd watched{descriptor, events, 0};
    if (poll(&watched, 1, kMilliseconds) > 0) return true;
  }
  return false;
}

/// Blocks SIGPIPE: a write to a pipe without a reader fails instead of ending the program.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&broken_pipe_);
    sigaddset(&broken_pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe() {
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0) sigtimedwait(&broken_pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t broken_pipe_{};
  sigset_t before_{};
};

Result<void> write_all(int descriptor, std::string_view bytes, const std::stop_token& stop) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(descriptor, POLLOUT, stop)) return cancelled();
    } else if (errno != EINTR) {
      return fail(ErrorKind::File,
                  fmt::format("the other end cannot receive ({})", std::generic_category().message(errno)));
    }
  }
  return {};
}

/// The beginning of data that is not a message, for the error: a shell's greeting, for example.
std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += c >= ' ' && c <= '~' ? c : '.';
  return text;
}

template <class Number>
std::string_view bytes_of(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

Channel::Channel(int read_from, int write_to) : read_from_(read_from), write_to_(write_to) {
  for (const int descriptor : {read_from, write_to})
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

Channel::Channel(Channel&& other) noexcept
    : read_from_(std::exchange(other.read_from_, -1)),
      write_to_(std::exchange(other.write_to_, -1)),
      at_end_(other.at_end_) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  if (this != &other) {
    close();
    read_from_ = std::exchange(other.read_from_, -1);
    write_to_ = std::exchange(other.write_to_, -1);
    at_end_ = other.at_end_;
  }
  return *this;
}

Channel::~Channel() { close(); }

void Channel::close() noexcept {
  if (read_from_ >= 0) ::close(read_from_);
  if (write_to_ >= 0 && write_to_ != read_from_) ::close(write_to_);
}

Result<void> Channel::send(const Message& message, const std::stop_token& stop) {
  const std::string head = message.head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const Sizes sizes{head.size(), message.parts.size()};
  std::string front(kBeginning);
  front += bytes_of(sizes);
  for (const std::string& part : message.parts) front += bytes_of(uint64_t{part.size()});
  const NoBrokenPipe guard;
  TRY_VOID(write_all(write_to_, front, stop));
  TRY_VOID(write_all(write_to_, head, stop));
  for (const std::string& part : message.parts) TRY_VOID(write_all(write_to_, part, stop));
  return {};
}

Result<void> Channel::read_exactly(char* bytes, size_t count, const std::stop_token& stop) {
  while (count > 0) {
    const ssize_t got = read(read_from_, bytes, count);
    if (got > 0) {
      bytes += got;
      count -= static_cast<size_t>(got);
    } else if (got == 0) {
      return fail(ErrorKind::File, "the other end closed in the middle of a message");
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(read_from_, POLLIN, stop)) return cancelled();
    } else if (errno != EINTR) {
      return fail(ErrorKind::File,
                  fmt::format("the other end cannot be read ({})", std::generic_category().message(errno)));
    }
  }
  return {};
}

Result<std::string> Channel::read_growing(uint64_t count, const std::stop_token& stop) {
  constexpr uint64_t kStep = uint64_t{4} << 20;
  std::string bytes;
  while (bytes.size() < count) {
    const size_t at = bytes.size();
    bytes.resize(at + std::min(kStep, count - at));
    TRY_VOID(read_exactly(bytes.data() + at, bytes.size() - at, stop));
  }
  return bytes;
}

Result<void> Channel::read_beginning(const std::stop_token& stop) {
  std::string beginning;
  while (beginning.size() < kBeginning.size()) {
    char next = 0;
    if (const auto got = read_exactly(&next, 1, stop); !got) {
      at_end_ = beginning.empty() && got.error().kind == ErrorKind::File;
      if (at_end_) return fail(ErrorKind::File, "the other end closed without a reply");
      return got;
    }
    beginning += next;
    if (kBeginning.starts_with(beginning)) continue;
    // The data received so far is enough to identify the other end; waiting for more could last forever.
    std::array<char, 80> more{};
    const ssize_t count = read(read_from_, more.data(), more.size());
    if (count > 0) beginning.append(more.data(), static_cast<size_t>(count));
    return fail(ErrorKind::Syntax,
                fmt::format("a message of Lanescope was expected, '{}' was received", printable(beginning)));
  }
  return {};
}

Result<Message> Channel::receive(const MessageLimits& limits, const std::stop_token& stop) {
  TRY_VOID(read_beginning(stop));
  Sizes sizes;
  TRY_VOID(read_exactly(reinterpret_cast<char*>(&sizes), sizeof sizes, stop));
  if (sizes.head_bytes > limits.head_bytes || sizes.parts > limits.parts)
    return fail(ErrorKind::Limit,
                fmt::format("a message may have a head of {} bytes and {} parts; one with {} and "
                            "{} came",
                            limits.head_bytes, limits.parts, sizes.head_bytes, sizes.parts));
  std::vector<uint64_t> part_bytes(sizes.parts);
  uint64_t left = limits.bytes;
  for (uint64_t& bytes : part_bytes) {
    TRY_VOID(read_exactly(reinterpret_cast<char*>(&bytes), sizeof bytes, stop));
    if (bytes > left)
      return fail(ErrorKind::Limit,
                  fmt::format("the parts of a message may have {} bytes, it announced more", limits.bytes));
    left -= bytes;
  }
  Message message;
  TRY(const std::string head, read_growing(sizes.head_bytes, stop));
  message.head = nlohmann::json::parse(head, nullptr, false);
  if (!message.head.is_object())
    return fail(ErrorKind::Syntax, fmt::format("the head of a message is a JSON object, '{}' was received",
                                               printable(head.substr(0, 60))));
  for (const uint64_t bytes : part_bytes) {
    TRY(std::string part, read_growing(bytes, stop));
    message.parts.push_back(std::move(part));
  }
  return message;
}

}  // namespace lanescope::remote
