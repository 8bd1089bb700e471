#include "model/known_costs.h"

#include "model/device_cost.h"

namespace lanescope::model {
namespace {

constexpr uint64_t kPeriod = 128;  // bytes after which costs repeat

void append(std::string& key, uint64_t value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string key_of(const trace::StoredBlock& block, const trace::StoredAccess& stored) {
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

}  // namespace

trace::Cost KnownCosts::cost_of(const trace::WarpAccess& access, const trace::StoredBlock& block,
                                const trace::StoredAccess& stored, int compute_capability) {
  if (access.reading.any()) return device_cost(access, compute_capability);
  const bool is_last = stored.affine && has_last_ && stored.active == last_.active &&
                       stored.stride == last_.stride && stored.base % kPeriod == last_.base % kPeriod;
  if (is_last) return last_cost_;
  const auto [place, is_new] = known_.try_emplace(key_of(block, stored));
  if (is_new) place->second = device_cost(access, compute_capability);
  if (stored.affine) has_last_ = true, last_ = stored, last_cost_ = place->second;
  return place->second;
}

}  // namespace lanescope::model
