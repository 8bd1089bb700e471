// Notes the effects of the instructions of one warp while its block runs. Method: the warps of that block run
// independently; after each step of the chosen warp its destinations are read. Registers share storage in the
// register file, so the value that a register had before a step comes from the notes. Other blocks are not
// affected. Tests: tests/unit/emulator/history_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/options.h"
#include "trace/history.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// Fills a trace::History while one block runs.
class HistoryRecorder {
 public:
  HistoryRecorder(const Code& code, const HistoryRequest& request);

  uint32_t warp() const { return history_.warp.value; }
  /// True if nothing more is noted.
  bool is_full() const { return history_.is_cut; }
  /// Executes the step for the warp, and notes its effects.
  void execute(Warps& warps, const Step& step);
  /// Notes a step whose destinations hold its results already.
  void note(const BlockState& block, const Step& step, LaneMask active, LaneMask lanes);
  /// Keeps the warp's registers under the number of a call to a function that is running already.
  void keep(uint32_t call);
  /// Restores the kept registers in the lanes that return from the call, as results of the instruction that
  /// was noted last.
  void bring_back(uint32_t call, uint32_t function, LaneMask lanes);

 private:
  bool has_room();
  void add_entry(const BlockState& block, const Step& step, LaneMask active, LaneMask lanes);
  void add_results(const BlockState& block, const Step& step, LaneMask lanes);
  uint32_t number_of(const std::string& name, uint32_t function, uint32_t bytes);
  void add_change(uint32_t reg, trace::History::Meaning meaning, LaneMask lanes,
                  const std::array<uint64_t, kLanes>& after);

  const Code& code_;
  uint32_t most_entries_;
  trace::History& history_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> numbers_;  // by function and name
  std::vector<trace::RegisterValue> now_;                         // [register]
  std::map<uint32_t, std::vector<trace::RegisterValue>> kept_;    // [call][register]
};

}  // namespace lanescope::emulator
