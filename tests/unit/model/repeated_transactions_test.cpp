// Transactions reused from a similar access, against newly computed ones.

#include "model/repeated_transactions.h"

#include "support/warp_pattern.h"

#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using List = std::vector<std::pair<uint64_t, uint32_t>>;

TEST(RepeatedTransactions, are_those_of_the_rules_for_every_device) {
  std::mt19937 random(12);
  for (const int capability : {10, 11, 12, 13, 20, 30, 35, 52, 90}) {
    trace::Trace trace;
    for (const int bytes : {1, 2, 4, 8, 16}) {
      trace::Site& site = trace.sites.emplace_back();
      site.operation = tests::global_load(bytes);
    }
    RepeatedTransactions repeated(trace, capability, Caching::L2Only);
    for (int round = 0; round < 4000; ++round) {
      trace::StoredBlock block;
      trace::StoredAccess stored;
      const auto site = static_cast<uint32_t>(random() % 5);
      const uint64_t width = uint64_t{1} << site;
      stored.site = SiteId{site};
      stored.active = random() % 3 == 0 ? LaneMask{static_cast<uint32_t>(random()) | 1} : kAllLanes;
      stored.base =
          trace::global_address(static_cast<uint32_t>(random() % 2), (1 << 16) + random() % 512 * width);
      constexpr int kStrides[] = {0, 1, -1, 2, 17, 64};
      stored.stride = kStrides[random() % 6] * static_cast<int>(width);
      if (random() % 8 == 0) {
        stored.affine = false;
        stored.base = 0;
        for (int n = 0; n < stored.active.count(); ++n)
          block.list.push_back(trace::global_address(0, random() % 999 * width));
      }
      List found, expected;
      repeated.for_each(block, stored,
                        [&](uint64_t address, uint32_t bytes) { found.emplace_back(address, bytes); });
      const auto transactions = transactions_of(view(trace, block, stored), capability, Caching::L2Only);
      for (const Transaction& one : transactions.all()) expected.emplace_back(one.address, one.bytes);
      ASSERT_EQ(found, expected) << capability << " " << width << " round " << round;
    }
  }
}

}  // namespace
}  // namespace lanescope::model
