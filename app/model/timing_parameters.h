// The parameters of the memory timing model, and which of its assumptions are switched off. Numbers come from
// the device's file, each with its source; those without one are MODEL. Tests:
// tests/unit/model/timing_test.cpp

#pragma once

#include "base/text.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::model {

struct TimingParameters {
  uint32_t clusters = 10;               // texture processor clusters, each with a port to the memory
  double shader_hertz = 1296e6;         // clock of the multiprocessors' pipelines
  double core_hertz = 602e6;            // clock of the network and of the memory controllers' ports
  double latency_shader_cycles = 441;   // of a load without contention
  uint32_t issue_shader_cycles = 4;     // a multiprocessor's pipeline per warp instruction
  double instructions_per_ptx = 0.75;   // machine instructions that a PTX instruction becomes
  uint32_t bank_shader_cycles = 2;      // of shared memory per pass
  uint32_t division_instructions = 36;  // an integer division or remainder is a subroutine
  uint32_t cluster_queue = 16;          // transactions that a cluster buffers for completed stores
  uint32_t partition_credits = 28;      // transactions in progress at a partition
  double write_port_bytes_per_core_cycle = 12.5;
  double dispatch_core_cycles = 8;  // between two blocks that start
  bool operator==(const TimingParameters&) const = default;
};

/// The parameters of the bound of a later device (model/bound.h).
struct BoundParameters {
  double clock_hertz = 0;           // of the multiprocessors
  double start_seconds = 0;         // from the launch until the first bytes flow
  double kernel_start_seconds = 0;  // the same, without what a profiler does not count as the kernel's
  double memory_share = 1;          // reachable share of the memory's peak bandwidth
  double l2_bytes_per_second = 0;   // of the whole device
  double lines_per_second = 0;      // 128-byte lines of requests
  // That kernels reach whose data the L2 holds, by packets (caches/packets.h).
  double most_lines_per_second = 0;     // stored, each with a sector
  double most_l2_bytes_per_second = 0;  // loaded
  double latency_cycles = 0;            // of a load from memory
  // Operations of a multiprocessor in a cycle, a multiply-add as two; 0: not known.
  double fp32_per_cycle = 0;
  double fp64_per_cycle = 0;
  double fp16_per_cycle = 0;
  double tensor_per_cycle = 0;   // of the tensor cores, on elements of 16 bits
  double tensor8_per_cycle = 0;  // on elements of 8 bits
  bool operator==(const BoundParameters&) const = default;
};

/// An assumption that can be switched off, to see its effect.
enum class Assumption : uint8_t {
  LinearMap,  // off: addresses spread by a hash (the partition's number is XORed with the bits above it)
  WritePort,  // off: a partition takes writes as fast as its bus
  InOrderDispatch,  // off: a block starts on the first multiprocessor with room
  ClusterQueue,     // off: a transaction never waits for one to another partition
  Credits,          // off: a partition's queue is unbounded
  Residency,        // off: shared memory and warps limit nothing, only the number of blocks
  Barriers,         // off: no warp waits for the other warps of its block
  Instructions,     // off: instructions between the accesses take no time
  Divisions,        // off: a division is one instruction
  BankConflicts,    // off: shared memory takes one pass per access
  Latency,          // off: a load returns as soon as its transfer ends
};
inline constexpr size_t kAssumptions = 11;

struct AssumptionText {
  Assumption assumption;
  std::string_view name;  // what --without takes
  Text title;
  Text description;  // one sentence: what is assumed, and why
};
const std::array<AssumptionText, kAssumptions>& assumption_texts();
std::optional<Assumption> find_assumption(std::string_view name);

class Assumptions {
 public:
  bool holds(Assumption assumption) const { return (off_ >> static_cast<int>(assumption) & 1) == 0; }
  void switch_off(Assumption assumption) { off_ |= 1u << static_cast<int>(assumption); }
  bool operator==(const Assumptions&) const = default;

 private:
  uint32_t off_ = 0;
};

}  // namespace lanescope::model
