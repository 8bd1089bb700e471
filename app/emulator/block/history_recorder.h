// Notes what the instructions of one warp do while its block runs. Method: the warps of that block run
// independently; after each step of the chosen warp its destinations are read. Registers share places in the
// register file, so what a register held before comes from the notes and not from there. Other blocks are not
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
  /// Nothing more is noted.
  bool is_full() const { return history_.is_cut; }
  /// Executes the step for the warp, and notes what it did.
  void execute(Warps& warps, const Step& step);
  /// Notes a step whose destinations hold its results by now.
  void note(const BlockState& block, const Step& step, LaneMask active, LaneMask lanes);
  /// The warp enters a function that is running already: remembers its registers by the number of the call.
  void keep(uint32_t call);
  /// The lanes return from it: the instruction that was noted last gives them these registers again.
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
