// What some panels need besides the run: which block touched each element, the values of the buffers, all
// warps of the selected block, what each block costs. Made only once a panel asks for it. Tests:
// tests/unit/session/session_test.cpp

#pragma once

#include "session/command.h"
#include "session/snapshot.h"

#include <concepts>
#include <optional>

namespace lanescope::session {

template <class Type>
concept OfView = std::same_as<Type, ShowElements> || std::same_as<Type, ShowValues> ||
                 std::same_as<Type, ShowWarps> || std::same_as<Type, ShowBlockCosts>;

class RequestedViews {
 public:
  /// From now on snapshots have it: follow() makes it.
  void request(const ShowElements& wanted) { elements_ = wanted; }
  void request(const ShowValues&) { values_ = true; }
  void request(const ShowWarps&) { warps_ = true; }
  void request(const ShowBlockCosts&) { block_costs_ = true; }
  const std::optional<ShowElements>& elements() const { return elements_; }
  /// Makes what is requested and is not in the snapshot, or is of another run or block.
  void follow(Snapshot& snapshot) const;

 private:
  void make_elements(Snapshot& snapshot) const;

  std::optional<ShowElements> elements_;
  bool values_ = false, warps_ = false, block_costs_ = false;
};

}  // namespace lanescope::session
