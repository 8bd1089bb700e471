// The CUDA driver API: contexts, modules, buffers, events as move-only types.
// Method: libcuda.so.1 is opened at run time, so the program starts where there is no driver; its types come
// from cuda.h. Every error names the call, what it was about, the driver's own words and what to do. An
// object holds what it needs alive (a module its context, a context the library), so the order of destruction
// does not matter. Source: CUDA Driver API reference. Tests: tests/unit/gpu/driver_test.cpp (without a GPU),
// the target record_on_gpu (with one).

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "launch/bytes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::gpu {

struct DriverFunctions;
struct ContextState;

/// libcuda, opened and initialized. Copies share it.
class Driver {
 public:
  /// Error (Unsupported): no driver, a driver too old, no GPU; says what to do. `library` is "libcuda.so.1"
  /// but in tests.
  static Result<Driver> open(const std::string& library = "libcuda.so.1");

  /// The newest CUDA version whose PTX the driver takes: 13000 for 13.0.
  int version() const;
  const DriverFunctions& functions() const { return *functions_; }

 private:
  explicit Driver(std::shared_ptr<const DriverFunctions> functions);
  std::shared_ptr<const DriverFunctions> functions_;
};

/// What is known of a GPU.
struct Device {
  std::string name;  // "NVIDIA H200"
  int major = 0;     // compute capability
  int minor = 0;
  int multiprocessors = 0;
  uint64_t memory_bytes = 0;
  uint64_t l2_bytes = 0;
};

/// The primary context of a GPU, current on the thread that made it and to be used on that thread alone.
/// A kernel that faults spoils the GPU for the whole process: every later call fails, also in a context that
/// is created afterwards (CUDA Driver API, CUDA_ERROR_ILLEGAL_ADDRESS; measured: driver 580, for primary
/// contexts reset or released and for others). To continue after a fault, run kernels in a separate process.
class Context {
 public:
  /// GPU number `ordinal` of those that the driver shows (CUDA_VISIBLE_DEVICES chooses).
  static Result<Context> make(const Driver& driver, int ordinal = 0);

  const Device& device() const;
  /// Waits until everything that was launched has ended; `what` names it in the error. Error (Limit): it took
  /// longer than the limit. The GPU is still busy then, and nothing else can be done with this context but
  /// end the process.
  Result<void> synchronize(std::string_view what) const;

  /// Of each synchronize(); 0, the default: none.
  void limit_waiting(std::chrono::seconds most);

  const std::shared_ptr<ContextState>& state() const { return state_; }

 private:
  explicit Context(std::shared_ptr<ContextState> state);
  std::shared_ptr<ContextState> state_;
};

/// Frees an object of the driver, unless the context is abandoned.
struct FreeInContext {
  std::shared_ptr<ContextState> context;
  void (*free)(const DriverFunctions& driver, void* object) = nullptr;
  void operator()(void* object) const noexcept;
};
/// An object of the driver, which keeps its context alive.
using ContextObject = std::unique_ptr<void, FreeInContext>;

/// Memory on the GPU.
class Buffer {
 public:
  static Result<Buffer> allocate(const Context& context, uint64_t bytes);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  uint64_t address() const { return address_; }
  uint64_t size_bytes() const { return bytes_; }
  Result<void> upload(std::span<const std::byte> bytes);
  Result<launch::Bytes> download() const;
  /// Zeros, all of it.
  Result<void> clear();
  /// Parts, from `offset` on; they lie in the buffer.
  Result<void> upload_part(uint64_t offset, std::span<const std::byte> bytes);
  Result<std::vector<std::byte>> download_part(uint64_t offset, uint64_t bytes) const;
  /// Queues a copy of all of `source`, which is as large; does not wait.
  Result<void> queue_copy(const Buffer& source);
  /// The same with other memory of the GPU at `address`, which is there for as many bytes.
  Result<void> queue_copy_from(uint64_t address);
  Result<void> queue_copy_to(uint64_t address) const;

 private:
  Buffer(std::shared_ptr<ContextState> context, uint64_t address, uint64_t bytes);
  Result<void> read(uint64_t offset, std::span<std::byte> to) const;
  void release() noexcept;
  std::shared_ptr<ContextState> context_;
  uint64_t address_ = 0;
  uint64_t bytes_ = 0;
};

/// Cooperative: all blocks are resident together, so that they may wait for each other.
enum class LaunchKind : uint8_t { Plain, Cooperative };

/// PTX that the driver has compiled for the GPU.
class Module {
 public:
  /// Error (Compile) with the driver's log where it refuses the text; `name` names it. `most_registers` of a
  /// thread: as many as the driver's compiler finds right, unless it is said.
  static Result<Module> load(const Context& context, std::string_view ptx, std::string_view name,
                             std::optional<unsigned> most_registers = {});
  /// Starts kernel `entry`; does not wait. `arguments` points to the bytes of each parameter.
  Result<void> launch(const std::string& entry, Dim3 grid, Dim3 block, uint32_t dynamic_shared_bytes,
                      std::span<void*> arguments, LaunchKind kind = LaunchKind::Plain) const;

  struct Variable {
    uint64_t address = 0;
    uint64_t bytes = 0;
  };
  /// The address of a variable of global memory; none if the driver's compiler removed it as unused.
  Result<std::optional<Variable>> variable(const std::string& name) const;

 private:
  explicit Module(ContextObject module) : module_(std::move(module)) {}
  const DriverFunctions& driver() const;
  ContextObject module_;
};

/// A point in the GPU's work whose time is taken.
class Event {
 public:
  static Result<Event> make(const Context& context);

  Result<void> record();
  /// Seconds from `start` to this event, once both have passed. Waits for them.
  Result<double> seconds_since(const Event& start) const;

 private:
  explicit Event(ContextObject event) : event_(std::move(event)) {}
  const DriverFunctions& driver() const;
  ContextObject event_;
};

}  // namespace lanescope::gpu
