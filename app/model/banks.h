// Shared-memory wavefronts of one warp access: 32 banks of 4 bytes, compute capability 5.0 and later.
// Method: per group of lanes, the largest number of distinct 32-bit words in one bank; how wide accesses and
// atomics split into groups was measured on an H200, NVIDIA does not document it; of asynchronous copies
// copy_schedule.h has the rules. Source: CUDA C++ Programming Guide, compute capability 5.x, "Shared Memory";
// measured: tests/data/h200_wavefronts.csv.gz. Tests: tests/unit/model/banks_test.cpp

#pragma once

#include "trace/access.h"

#include <cstdint>
#include <vector>

namespace lanescope::model {

inline constexpr int kBanks = 32;

/// Wavefronts as l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st,atom} counts them on an H200.
uint16_t count_wavefronts(const trace::WarpAccess& access);
/// Wavefronts as memory_l1_wavefronts_shared counts them, from addresses (differs for some wide loads).
uint16_t count_address_wavefronts(const trace::WarpAccess& access);
/// memory_l1_wavefronts_shared_ideal.
uint16_t count_ideal_wavefronts(const trace::WarpAccess& access);

/// One 32-bit word of the access, and the wavefront that serves it. The order of words within a bank is not
/// documented: rising lane order here (MODEL). The counts do not depend on it.
struct BankWord {
  uint16_t wavefront = 0;
  uint8_t bank = 0;
  uint32_t word = 0;  // byte offset / 4
  LaneMask lanes;     // the lanes that share it
};

struct BankReport {
  int compute_capability = 90;  // whose rules count; below 2.0 each half-warp is served by itself
  int banks = kBanks;
  uint16_t wavefronts = 0;  // hardware count, below 5.0 passes; the words fill wavefronts [0, wavefronts)
  uint16_t address_wavefronts = 0;
  uint16_t ideal = 0;
  bool is_by_source = false;    // of an asynchronous copy: the banks of the global data make it longer
  std::vector<BankWord> words;  // sorted by (wavefront, bank)
};

BankReport count_banks(const trace::WarpAccess& access);

}  // namespace lanescope::model
