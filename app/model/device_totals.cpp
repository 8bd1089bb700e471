#include "model/device_totals.h"

#include <string>
#include <unordered_map>

namespace lanescope::model {
namespace {

using trace::StoredAccess;
using trace::StoredBlock;

constexpr uint64_t kPeriod = 128;  // bytes after which costs repeat

/// Costs of the patterns of one site.
class SiteCosts {
 public:
  trace::Cost cost_of(const trace::WarpAccess& access, const StoredBlock& block, const StoredAccess& stored,
                      int compute_capability) {
    const bool is_last = stored.affine && has_last_ && stored.active == last_.active &&
                         stored.stride == last_.stride && stored.base % kPeriod == last_.base % kPeriod;
    if (is_last) return last_cost_;
    const auto [place, is_new] = known_.try_emplace(key_of(block, stored));
    if (is_new) place->second = device_cost(access, compute_capability);
    if (stored.affine) has_last_ = true, last_ = stored, last_cost_ = place->second;
    return place->second;
  }

 private:
  static void append(std::string& key, uint64_t value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  static std::string key_of(const StoredBlock& block, const StoredAccess& stored) {
    std::string key;
    append(key, stored.active.bits);
    if (stored.affine) {
      append(key, stored.base % kPeriod);
      append(key, static_cast<uint64_t>(stored.stride));
      return key;
    }
    const auto count = static_cast<size_t>(stored.active.count());
    const uint64_t* const first = block.list.data() + stored.base;
    const uint64_t origin = count == 0 ? 0 : *first / kPeriod * kPeriod;
    for (size_t n = 0; n < count; ++n) append(key, first[n] - origin);
    return key;
  }

  std::unordered_map<std::string, trace::Cost> known_;
  bool has_last_ = false;
  StoredAccess last_;
  trace::Cost last_cost_;
};

}  // namespace

std::optional<std::vector<trace::Totals>> device_totals(const trace::Trace& trace, int compute_capability) {
  if (units_of(compute_capability) == CostUnits::Sectors) return {};
  std::vector<trace::Totals> totals(trace.totals.size());
  std::vector<SiteCosts> costs(trace.totals.size());
  for (const StoredBlock& block : trace.blocks)
    for (const StoredAccess& stored : block.accesses) {
      const size_t site = stored.site.value;
      if (!stored.active.any()) continue;
      const trace::WarpAccess access = view(trace, block, stored);
      totals[site].add(access, costs[site].cost_of(access, block, stored, compute_capability));
    }
  for (size_t n = 0; n < totals.size(); ++n) {
    if (!has_addresses(trace.sites[n].operation.space)) totals[n] = trace.totals[n];
    if (totals[n].requests != trace.totals[n].requests) return {};
  }
  return totals;
}

}  // namespace lanescope::model
