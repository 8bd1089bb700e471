// The transactions of the accesses of a trace, where most are like one before: the same lanes and stride at
// another base. Method: every rule of model/transactions.h depends on addresses modulo 256 bytes at most (two
// segments of 128, on 1.0), so such an access has the same transactions, shifted by the difference of the
// bases. Tests: tests/unit/model/repeated_transactions_test.cpp

#pragma once

#include "model/transactions.h"
#include "trace/trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lanescope::model {

class RepeatedTransactions {
 public:
  RepeatedTransactions(const trace::Trace& trace, int compute_capability, Caching caching)
      : trace_(trace),
        compute_capability_(compute_capability),
        caching_(caching),
        known_(trace.sites.size()) {}

  /// Calls f(address, bytes) for each transaction of a stored access, in the order of the rules.
  template <class F>
  void for_each(const trace::StoredBlock& block, const trace::StoredAccess& stored, F&& f) {
    const auto call = [&](const TransactionList& list, uint64_t moved) {
      for (const Transaction& one : list.all()) f(one.address + moved, one.bytes);
    };
    if (!stored.affine) return call(made(block, stored), 0);
    if (!known_[stored.site.value]) known_[stored.site.value] = std::make_unique<Entries>();
    Entry& entry = (*known_[stored.site.value])[stored.base / 32 % kEntries];
    if (!entry.known || entry.stride != stored.stride || entry.active != stored.active ||
        (stored.base - entry.base) % kTurn != 0)
      entry = {stored.base, stored.stride, stored.active, true, made(block, stored)};
    call(entry.list, stored.base - entry.base);
  }

 private:
  static constexpr uint64_t kTurn = 256;
  static constexpr size_t kEntries = kTurn / 32;
  struct Entry {
    uint64_t base = 0;
    int32_t stride = 0;
    LaneMask active;
    bool known = false;
    TransactionList list;
  };
  using Entries = std::array<Entry, kEntries>;

  TransactionList made(const trace::StoredBlock& block, const trace::StoredAccess& stored) const {
    return transactions_of(view(trace_, block, stored), compute_capability_, caching_);
  }

  const trace::Trace& trace_;
  int compute_capability_;
  Caching caching_;
  std::vector<std::unique_ptr<Entries>> known_;  // [site], by the base modulo kTurn
};

}  // namespace lanescope::model
