#include "base/file.h"

#include "base/pipe.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanescope {
namespace {

std::unexpected<Error> cannot_write(const std::filesystem::path& file, int number) {
  std::string_view hint;
  if (number == ENOENT || number == ENOTDIR) hint = "; make the directory first";
  if (number == EACCES || number == EPERM || number == EROFS)
    hint = "; choose a directory that you may write to";
  if (number == ENOSPC || number == EDQUOT) hint = "; free some room there";
  return fail(ErrorKind::File, fmt::format("'{}' cannot be written: {}{}", file.string(),
                                           std::generic_category().message(number), hint));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes and returns 0 or the error number: a full disk may be reported only here.
  int close() {
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 ? 0 : errno;
  }

 private:
  int number_;
};

/// 0 or the error number.
int write_all(const Descriptor& descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

/// The target of a link; the path itself if there is no file yet.
std::filesystem::path resolved(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::weakly_canonical(file, failed);
  return failed ? file : real;
}

struct Neighbour {
  std::filesystem::path path;
  int number = -1;  // negative: none could be made, errno says why
};

/// A new file in the directory of `place`, with an unused name.
Neighbour open_neighbour(const std::filesystem::path& place) {
  constexpr int kAttempts = 1000;
  Neighbour made;
  for (int n = 0; n < kAttempts; ++n) {
    made.path = place.parent_path() / fmt::format(".lanescope-{}-{}", ::getpid(), n);
    made.number = ::open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made.number >= 0 || errno != EEXIST) break;
  }
  return made;
}

/// Whether to write directly to an existing pipe or device.
Result<bool> is_device(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  if (std::filesystem::is_directory(status))
    return fail(ErrorKind::File, fmt::format("'{}' is a directory; name a file in it", file.string()));
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

Result<void> check_place(const std::filesystem::path& file) {
  TRY(const bool device, is_device(file));
  if (device) return {};  // opening a pipe would wait for its reader
  const Neighbour neighbour = open_neighbour(resolved(file));
  if (neighbour.number < 0) return cannot_write(file, errno);
  const Descriptor descriptor(neighbour.number);
  ::unlink(neighbour.path.c_str());
  return {};
}

Result<std::string> read_text(const std::filesystem::path& file, uint64_t limit_bytes) {
  const Location where{file.string(), 0};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    return fail(ErrorKind::File, "there is no such file; check the path", where);
  if (std::filesystem::is_directory(status))
    return fail(ErrorKind::File, "this is a folder; name a file in it", where);
  TRY_VOID(refuse_pipe(file));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(ErrorKind::File, "the file cannot be opened; check its permissions", where);
  // Read up to the limit and one byte more: a file that is no regular one has no size to ask for.
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (stream && text.size() <= limit_bytes) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) return fail(ErrorKind::File, "the file cannot be read to its end", where);
  if (text.size() > limit_bytes)
    return fail(ErrorKind::File,
                fmt::format("the file is larger than {} MiB, the most that is read", limit_bytes >> 20),
                where);
  return text;
}

Result<void> write_file(const std::filesystem::path& file, std::string_view bytes) {
  TRY(const bool is_written_directly, is_device(file));
  if (is_written_directly) {
    Descriptor device(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (!device.valid()) return cannot_write(file, errno);
    const int failed = write_all(device, bytes);
    const int not_closed = device.close();
    if (failed != 0 || not_closed != 0) return cannot_write(file, failed != 0 ? failed : not_closed);
    return {};
  }

  const std::filesystem::path place = resolved(file);
  const Neighbour neighbour = open_neighbour(place);
  if (neighbour.number < 0) return cannot_write(file, errno);
  Descriptor descriptor(neighbour.number);
  int failed = write_all(descriptor, bytes);
  struct stat old{};  // a replaced file keeps its permissions
  if (failed == 0 && ::stat(place.c_str(), &old) == 0 &&
      ::fchmod(descriptor.number(), old.st_mode & 07777) != 0) {
    failed = errno;
  }
  const int not_closed = descriptor.close();
  if (failed == 0) failed = not_closed;
  if (failed == 0 && ::rename(neighbour.path.c_str(), place.c_str()) != 0) failed = errno;
  if (failed != 0) {
    ::unlink(neighbour.path.c_str());
    return cannot_write(file, failed);
  }
  return {};
}

}  // namespace lanescope
