// The heap of malloc in a kernel: pieces of one buffer after those of the launch. Method: first fit over a
// list of free pieces, under a lock. A freed piece is allocated again only if there is no other room,
// so that accesses of successive owners are not mistaken for a race. A gap after each piece belongs to none,
// so that an index a little too large is found. As on a GPU its size is fixed before the first launch, a null
// pointer says that it is full, and a piece lives until it is freed, over launches where the heap does.
// Source: CUDA C++ Programming Guide, "Dynamic Global Memory Allocation". Tests:
// tests/unit/emulator/heap_test.cpp

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace lanescope::emulator {

/// Why bytes of the heap may not be accessed.
struct HeapFault {
  bool is_freed = false;     // the piece was freed; else the bytes lie beyond it
  uint64_t offset = 0;       // of the bytes, from the start of their piece or of the one before them
  uint64_t piece_bytes = 0;  // that malloc was asked for; 0: there is no such piece
};

class Heap {
 public:
  /// The default of a GPU.
  static constexpr uint64_t kSizeBytes = uint64_t{8} << 20;

  /// `begin`: the address of its first byte; 0 where the kernel has no heap.
  void reset(uint64_t begin, uint64_t size_bytes = kSizeBytes);
  /// Begins the run of a kernel: pieces that were allocated before belong to earlier runs.
  void begin_run();
  /// The address of a new piece, a multiple of 16; 0 if there is no room, or `bytes` is 0.
  uint64_t allocate(uint64_t bytes);
  /// False for an address that allocate() did not give. The null pointer is fine.
  bool free(uint64_t address);
  uint64_t begin() const { return begin_; }
  /// True if this run may allocate freed pieces again: old and new owner then cannot be distinguished.
  bool gives_again() const { return gives_again_.load(std::memory_order_relaxed); }
  /// True if the address is in a live piece that an earlier run allocated.
  bool is_of_earlier_run(uint64_t address);
  /// Absent if `bytes` from the address on, which is one of the heap's buffer, lie in one live piece.
  std::optional<HeapFault> fault_at(uint64_t address, uint64_t bytes);

  struct Piece {
    uint64_t room = 0;   // bytes of the heap that it takes, with its gap
    uint64_t bytes = 0;  // that were asked for
    uint64_t run = 0;    // that allocated it
  };
  /// Pieces of the heap, by their offsets.
  struct Pieces {
    std::map<uint64_t, uint64_t> free;  // bytes
    std::map<uint64_t, Piece> used;
    std::map<uint64_t, Piece> freed;  // reused when no other piece is large enough
  };
  /// Saves and restores the pieces, for a run that is repeated or does not count.
  Pieces pieces();
  void set_pieces(Pieces pieces);

 private:
  uint64_t take(uint64_t room, uint64_t bytes);
  void join_freed();

  std::mutex mutex_;
  uint64_t begin_ = 0;
  uint64_t size_bytes_ = kSizeBytes;
  uint64_t run_ = 0;
  Pieces pieces_;
  std::atomic<bool> gives_again_ = false;
};

}  // namespace lanescope::emulator
