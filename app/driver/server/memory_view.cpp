#include "driver/server/memory_view.h"

#include "trace/access.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

/// Bits of an entry of /proc/self/pagemap.
constexpr uint64_t kPresent = uint64_t{1} << 63, kSwapped = uint64_t{1} << 62, kOfFile = uint64_t{1} << 61;

/// Pages that the system has copied. All pages count as copied if /proc/self/pagemap cannot be read, as in
/// some sandboxes.
class CopiedPages {
 public:
  CopiedPages()
      : page_bytes_(static_cast<uint64_t>(sysconf(_SC_PAGESIZE))),
        file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~CopiedPages() {
    if (file_ >= 0) close(file_);
  }
  CopiedPages(const CopiedPages&) = delete;
  CopiedPages& operator=(const CopiedPages&) = delete;

  uint64_t page_bytes() const { return page_bytes_; }
  bool are_known() const { return file_ >= 0; }
  /// Calls f(offset, bytes) for each copied piece of the region; a piece begins at a page.
  template <class F>
  void for_each(const emulator::Region& region, F&& f) const {
    const uint64_t first = reinterpret_cast<uintptr_t>(region.data) / page_bytes_;
    const uint64_t pages = (region.size_bytes + page_bytes_ - 1) / page_bytes_;
    std::array<uint64_t, 4096> entries;
    uint64_t begin = 0, end = 0;  // pages of the piece that the last one found belongs to
    const auto tell = [&] {
      if (begin != end)
        f(begin * page_bytes_, std::min(end * page_bytes_, region.size_bytes) - begin * page_bytes_);
    };
    for (uint64_t done = 0; done < pages;) {
      const uint64_t count = std::min<uint64_t>(entries.size(), pages - done);
      const auto bytes = static_cast<ssize_t>(count * sizeof(uint64_t));
      const auto at = static_cast<off_t>((first + done) * sizeof(uint64_t));
      if (file_ < 0 || pread(file_, entries.data(), static_cast<size_t>(bytes), at) != bytes)
        return f(uint64_t{0}, region.size_bytes);
      for (uint64_t n = 0; n < count; ++n) {
        if (!is_copy(entries[n])) continue;
        if (done + n != end) {
          tell();
          begin = done + n;
        }
        end = done + n + 1;
      }
      done += count;
    }
    tell();
  }

 private:
  static bool is_copy(uint64_t entry) {
    return (entry & kSwapped) != 0 || (entry & (kPresent | kOfFile)) == kPresent;
  }
  uint64_t page_bytes_;
  int file_ = -1;
};

}  // namespace

MemoryView::MemoryView(DeviceMemory& memory) : memory_(memory) {
  const size_t count = memory.regions().size();
  for (uint32_t number = 0; number < count; ++number) {
    const std::optional<emulator::Region> view = memory.private_view(number);
    if (!view) {
      regions_.clear();
      return;
    }
    regions_.push_back(*view);
  }
}

MemoryView::~MemoryView() {
  if (!is_finished_) drop();
}

std::optional<std::vector<bool>> MemoryView::written() const {
  const CopiedPages copied;
  if (!copied.are_known()) return std::nullopt;
  std::vector<bool> written(regions_.size());
  for (size_t number = 0; number < regions_.size(); ++number)
    copied.for_each(regions_[number], [&](uint64_t, uint64_t) { written[number] = true; });
  return written;
}

void MemoryView::drop() {
  const CopiedPages copied;
  for (const emulator::Region& region : regions_)
    copied.for_each(region, [&](uint64_t offset, uint64_t bytes) {
      madvise(region.data + offset, bytes, MADV_DONTNEED);
    });
}

std::vector<LanescopeWritten> MemoryView::finish(Effects effects) {
  const CopiedPages copied;
  std::vector<LanescopeWritten> changes;
  for (uint32_t number = 0; number < regions_.size(); ++number) {
    std::byte* const device = memory_.allocation(number).region.data;
    std::byte* const view = regions_[number].data;
    std::optional<std::pair<uint64_t, uint64_t>> changed;  // offsets of the first and the last byte
    copied.for_each(regions_[number], [&](uint64_t offset, uint64_t bytes) {
      const uint64_t end = offset + bytes;
      for (uint64_t at = offset; at < end; at += copied.page_bytes()) {
        const uint64_t size = std::min(copied.page_bytes(), end - at);
        // A page without changes is not written: the program may be writing it.
        if (std::memcmp(device + at, view + at, size) == 0) continue;
        uint64_t first = at, last = at + size - 1;
        while (device[first] == view[first]) ++first;
        while (device[last] == view[last]) --last;
        changed = {changed ? changed->first : first, last};
        if (effects == Effects::Kept) std::memcpy(device + at, view + at, size);
      }
      madvise(view + offset, bytes, MADV_DONTNEED);
    });
    const uint64_t begin = trace::global_address(number, 0);
    if (changed) changes.push_back({.first = begin + changed->first, .last = begin + changed->second});
  }
  is_finished_ = true;
  return changes;
}

}  // namespace lanescope::driver
