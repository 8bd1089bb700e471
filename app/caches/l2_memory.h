// The L2 of a device from launch to launch of a program. Method: once launches can fill half of it, an L2
// that is a fifth smaller and one that is a fifth larger get the requests too, in the order of the exact one,
// for the band of the DRAM's reads. Tests:
// tests/unit/caches/l2_memory_test.cpp

#pragma once

#include "caches/l2_cache.h"
#include "caches/rules.h"
#include "model/device.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lanescope::caches {

class L2Memory {
 public:
  /// Empty, as after a flush.
  L2Memory(const model::CacheParameters& device, const Rules& rules);

  /// Counts begin anew; the contents stay. `bytes`: of memory that the launch can touch.
  void begin_launch(uint64_t bytes);
  void clear() { *this = L2Memory(device_, rules_); }

  /// As L2Cache::read().
  L2Cache::Found read(uint32_t partition, uint64_t line, SectorMask sectors, uint32_t fetched_bytes,
                      bool leaves_first = false);
  void write(uint64_t line, const std::array<uint32_t, kSectorsOfLine>& bytes);
  /// As L2Cache::expect_read().
  void expect_read(uint32_t partition, uint64_t line) const;

  /// What a copy between memories or a fill has used of the device's memory.
  struct Copy {
    uint64_t first = 0;  // address
    uint64_t bytes = 0;
    bool is_written = false;  // not read
    bool is_of_host = false;  // the host's memory is the other side
  };
  /// What it reads or writes is there afterwards. Measured on an H200: what a copy from or to the host's
  /// memory brings is the first to leave, unless it has at most 64 KiB.
  void copy(const Copy& copy);

  const L2Cache& exact() const { return exact_; }
  /// Sectors that the DRAM read for the launch by the smaller and the larger L2; nullopt: the launch can fill
  /// less than half of the L2, so that fewer lines fit into the smaller one too.
  struct Band {
    uint64_t low = 0, high = 0;
  };
  std::optional<Band> dram_reads() const;

 private:
  model::CacheParameters device_;
  Rules rules_;
  L2Cache exact_;
  std::optional<L2Cache> smaller_, larger_;
};

}  // namespace lanescope::caches
