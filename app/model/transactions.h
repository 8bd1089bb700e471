// The memory transactions that one access to global memory becomes, by compute capability: from the segments
// of the G80 to the sectors of today. Method: the rules of the guides, taken literally, one group of lanes at
// a time. Source: CUDA C Programming Guide 4.2, F.3.2.1 (1.0, 1.1), F.3.2.2 (1.2, 1.3), F.4.2 (2.x), F.5.2
// (3.x); Kernel Profiling Guide, "sector" (5.0 and later). Tests: tests/unit/model/transactions_test.cpp

#pragma once

#include "trace/access.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::model {

struct Transaction {
  uint64_t address = 0;  // of its first byte, a multiple of `bytes`
  uint32_t bytes = 0;
};

/// How compute capability 2.x and 3.x read global memory: through L1 and L2 in lines of 128 bytes (nvcc's
/// -dlcm=ca), or through L2 alone in sectors of 32 (-dlcm=cg). Nothing else depends on it.
enum class Caching : uint8_t { L1AndL2, L2Only };

/// Lanes that are served together: the unit of the rules.
enum class RequestUnit : uint8_t { HalfWarp, WarpPart, Warp };
std::string_view name_of(RequestUnit unit);

class TransactionList {
 public:
  void add(uint64_t address, uint32_t bytes) { list_[count_++] = {address, bytes}; }
  void add_request() { ++requests_; }
  std::span<const Transaction> all() const { return {list_.data(), count_}; }
  /// Groups of lanes with at least one active: half-warps, warps, or the parts of a warp.
  uint32_t requests() const { return requests_; }
  uint64_t bytes_moved() const;

 private:
  // A lane's bytes are in one segment, or in two if not aligned.
  std::array<Transaction, 2 * kLanes> list_;  // [0, count_) are set
  uint32_t count_ = 0;
  uint32_t requests_ = 0;
};

/// The transactions of `access`, in the order in which the rules make them; none for other spaces. Stores of
/// 2.x and later go to L2 in sectors of 32 bytes. MODEL: the guide gives no separate rule.
TransactionList transactions_of(const trace::WarpAccess& access, int compute_capability,
                                Caching caching = Caching::L1AndL2);

RequestUnit request_unit(int compute_capability);

/// The total cost of accesses of one kind.
struct TransactionTotals {
  uint64_t requests = 0;
  uint64_t transactions = 0;
  uint64_t bytes_moved = 0;
  uint64_t bytes_used = 0;  // lanes x bytes per lane
  void add(const trace::WarpAccess& access, const TransactionList& list);
  /// bytes_used / bytes_moved; above 1 if lanes share bytes, 0 without transfers.
  double efficiency() const;
};

}  // namespace lanescope::model
