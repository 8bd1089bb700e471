// The memory of a run: the launch's buffers and the module's variables, and what an address means.
// Method: a global address is trace::global_address(buffer, offset), so that a wild pointer points to no
// buffer. In generic addressing the other spaces have windows of 4 GiB each below the first buffer; a null
// pointer is in none. Tests: tests/unit/emulator/memory_test.cpp

#pragma once

#include "base/array_shape.h"
#include "base/error.h"
#include "emulator/memory/fresh_memory.h"
#include "emulator/memory/heap.h"
#include "emulator/memory/image.h"
#include "emulator/memory/region.h"
#include "emulator/memory/spare_buffers.h"
#include "launch/launch.h"
#include "ptx/program.h"
#include "trace/access.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanescope::emulator {

inline constexpr int kWindowShift = 32;
inline constexpr uint64_t kSharedWindow = 1;
inline constexpr uint64_t kLocalWindow = 2;
inline constexpr uint64_t kConstantWindow = 3;
inline constexpr uint64_t kParameterWindow = 4;

/// The window of a generic address of this space; 0 for global, whose addresses are generic ones already.
constexpr uint64_t window_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      return kSharedWindow;
    case ptx::Space::Local:
    case ptx::Space::Frame:
      return kLocalWindow;
    case ptx::Space::Constant:
      return kConstantWindow;
    case ptx::Space::Parameter:
      return kParameterWindow;
    default:
      return 0;
  }
}

/// Name of the heap's buffer, after all others, of a kernel that allocates memory.
inline constexpr const char* kHeapName = "device heap";
bool uses_heap(const ptx::Program& program);
/// True if the kernel allocates memory, and no heap in place is given for it.
bool has_own_heap(const ptx::Program& program, const MemoryInPlace* in_place);

/// Workspace of a kernel whose blocks synchronize with grid.sync(), the last buffer: a GPU's driver gives it
/// to a cooperative launch, and its address in %envreg1 (high) and %envreg2 (low). The first word is its
/// size, the second counts arrivals. Source: cooperative_groups/details/{driver_abi,sync}.h
inline constexpr const char* kWorkspaceName = "grid workspace";
inline constexpr uint64_t kWorkspaceBytes = 8;

class Memory {
 public:
  /// Copies the buffers that the kernel may write, in memory from `spare`; the others are the launch's own.
  /// `in_place`, where it is not null, has the buffers instead, and nothing is copied.
  Memory(const ptx::Program& program, const launch::Launch& launch, SpareBuffers& spare,
         const MemoryInPlace* in_place = nullptr);

  const std::vector<Region>& buffers() const { return buffers_; }  // [buffer]: the launch's, then variables
  /// True if the buffers outlive the run.
  bool is_in_place() const { return is_in_place_; }
  /// True if the kernel may write to the buffer; true if the buffer has contents before the run.
  bool may_be_written(uint32_t buffer) const { return written_[buffer]; }
  bool is_initialized(uint32_t buffer) const { return initialized_[buffer]; }
  /// True unless the memory is in place, and nothing was put there before the kernels.
  bool has_inputs() const { return has_inputs_; }
  /// [buffer of size 0] MemoryInPlace::absent.
  const std::map<uint32_t, AbsentBuffer>& absent() const { return absent_; }
  /// True if the buffer may be uninitialized, in part or as a whole, and is recognized by its pattern.
  bool has_fresh(uint32_t buffer) const { return buffer < fresh_.size() && fresh_[buffer].key != 0; }
  /// Gives a page its pattern, if it is still to get one. To be called before reads of a buffer with
  /// has_fresh().
  void look_at_page(uint64_t address) const {
    const FreshBuffer& fresh = fresh_[trace::buffer_of(address)];
    const uint64_t page = trace::offset_of(address) / kFreshPageBytes;
    if (fresh.pages != nullptr && fresh.pages[page].load(std::memory_order_acquire) == 0)
      give_pattern_(trace::buffer_of(address), page);
  }
  /// True if all these bytes of a buffer with has_fresh() are uninitialized.
  bool is_unwritten(uint64_t address, uint32_t bytes) const {
    const uint32_t buffer = trace::buffer_of(address);
    look_at_page(address);
    return is_fresh(buffers_[buffer], fresh_[buffer].key, trace::offset_of(address), bytes);
  }
  /// True if no byte of a buffer with has_fresh() is uninitialized, by a look at all of them. It remains so:
  /// all writes initialize.
  bool is_all_written(uint32_t buffer) const;
  /// True if is_all_written() was true before.
  bool was_all_written(uint32_t buffer) const { return all_written_[buffer].load(std::memory_order_relaxed); }
  /// Number of buffers for which is_all_written() was true so far.
  uint32_t all_written_count() const { return all_written_count_.load(std::memory_order_relaxed); }
  const Region& constants() const { return constants_; }
  const Region& parameters() const { return parameters_; }

  /// The texture or surface object of a handle; null: it is none.
  const Image* image(uint64_t handle) const;

  /// The kernel's heap: in place, else after the variables; empty where the kernel allocates nothing.
  Heap& heap() const { return placed_heap_ != nullptr ? *placed_heap_ : *heap_; }

  /// The address of the grid's workspace; 0 where the kernel does not ask for it.
  uint64_t workspace() const { return workspace_; }

  /// Held during an update of 128 bits, for which not every CPU has an instruction.
  std::mutex& wide_atomics() const { return *wide_atomics_; }

  /// The name of a buffer, for messages.
  std::string name_of_buffer(uint32_t buffer) const;
  /// "in[3][17]": the element of a buffer of the launch that has this byte; empty where its type is not
  /// known.
  std::string element_of_buffer(uint32_t buffer, uint64_t offset) const;
  /// Value of a slot whose content is Symbol.
  uint64_t address_of(const ptx::Program& program, uint64_t symbol) const;
  /// [buffer of the launch] as they are now; null where they are in place. The memory is empty afterwards.
  std::vector<launch::Contents> take_buffers();
  /// The variables in global memory as they are now, for a launch that goes on with them. To be called before
  /// take_buffers().
  std::vector<launch::Variable> variables(const ptx::Program& program) const;

 private:
  /// Buffer of a variable in global memory.
  uint32_t buffer_of(const ptx::ProgramVariable& variable) const;
  uint64_t variable_address(const ptx::Program& program, uint32_t variable, bool generic) const;
  void place_variables(const ptx::Program& program, const MemoryInPlace* in_place);
  void initialize_variables(const ptx::Program& program, const launch::Launch& launch);
  void add_buffer(std::string name, uint64_t size_bytes, bool is_initialized);

  bool is_in_place_ = false;
  bool has_inputs_ = true;
  std::map<uint32_t, AbsentBuffer> absent_;
  std::vector<Region> buffers_;
  std::vector<std::string> names_;
  std::vector<ArrayShape> shapes_;         // [buffer of the launch]
  std::vector<launch::Contents> initial_;  // [buffer of the launch]
  std::vector<std::shared_ptr<launch::Bytes>>
      owned_;                                // [buffer]; null where `initial_` is used itself, and in place
  std::vector<bool> initialized_, written_;  // [buffer]
  std::vector<FreshBuffer> fresh_;           // [buffer]; empty: there is none
  std::function<void(uint32_t buffer, uint64_t page)> give_pattern_;
  std::unique_ptr<std::atomic<bool>[]> all_written_;  // [buffer of fresh_]
  mutable std::atomic<uint32_t> all_written_count_ = 0;
  std::vector<uint32_t> variable_buffers_;  // [global variable, by its offset] the buffer that it is
  std::vector<Image> images_;               // [image of the launch, or in place]
  std::unique_ptr<Heap> heap_ = std::make_unique<Heap>();
  Heap* placed_heap_ = nullptr;  // MemoryInPlace::heap; if not null, used instead of heap_
  std::unique_ptr<std::mutex> wide_atomics_ = std::make_unique<std::mutex>();
  uint64_t workspace_ = 0;
  Region constants_;
  Region parameters_;
  std::vector<std::byte> constant_bytes_;
  std::vector<std::byte> parameter_bytes_;
};

/// Checks that the launch's arguments fit the program's parameters; Launch error, naming the parameter, if
/// not.
Result<void> check_arguments(const ptx::Program& program, const launch::Launch& launch,
                             const MemoryInPlace* in_place = nullptr);

}  // namespace lanescope::emulator
