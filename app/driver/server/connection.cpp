#include "driver/server/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

/// Reads `size` bytes. False if the stream ends before that.
bool read_whole(int socket, char* into, size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, into, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool write_whole(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

/// Sends the descriptor with the first bytes of a message. Returns the number of bytes sent; 0 on failure.
size_t write_with(int socket, std::string_view bytes, int descriptor) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  ssize_t sent = 0;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent > 0 ? static_cast<size_t>(sent) : 0;
}

}  // namespace

Connection::~Connection() { close(socket_); }

Result<std::optional<Received>> Connection::receive() {
  Received received;
  if (!read_whole(socket_, reinterpret_cast<char*>(&received.request), sizeof received.request))
    return std::nullopt;
  size_t left = received.request.payload_bytes;
  if (left > LANESCOPE_MOST_PAYLOAD)
    return fail(ErrorKind::Syntax, fmt::format("a request of {} bytes came, none is longer than {}", left,
                                               LANESCOPE_MOST_PAYLOAD));
  // The payload grows as its bytes arrive: a false length takes no memory.
  constexpr size_t kPiece = size_t{1} << 20;
  while (left > 0) {
    const size_t piece = std::min(left, kPiece), at = received.payload.size();
    received.payload.resize(at + piece);
    if (!read_whole(socket_, received.payload.data() + at, piece)) return std::nullopt;
    left -= piece;
  }
  return received;
}

bool Connection::send(const LanescopeReply& reply, std::string_view payload, int descriptor) {
  LanescopeReply whole = reply;
  whole.payload_bytes = static_cast<uint32_t>(payload.size());
  std::string bytes(reinterpret_cast<const char*>(&whole), sizeof whole);
  bytes += payload;
  if (descriptor < 0) return write_whole(socket_, bytes);
  const size_t sent = write_with(socket_, bytes, descriptor);
  return sent > 0 && write_whole(socket_, std::string_view(bytes).substr(sent));
}

void Connection::shut_down() { shutdown(socket_, SHUT_RDWR); }

}  // namespace lanescope::driver
