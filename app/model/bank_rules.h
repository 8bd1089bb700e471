// Passes of shared memory by compute capability: 16 banks by half-warp, 32 banks of Fermi, Kepler's two
// modes, and what model/banks.h has for 5.0 and later. Method: the rules of the guides, each a function of
// one access. Source: CUDA C Programming Guide 4.2, F.3.3 (1.x), F.4.3 (2.x), F.5.3 (3.x); measured for 9.0
// (tests/data/h200_wavefronts.csv.gz) and assumed for 5.0 to 8.9, which were not measured. Tests:
// tests/unit/model/bank_rules_test.cpp

#pragma once

#include "model/banks.h"
#include "trace/access.h"

#include <cstdint>

namespace lanescope::model {

/// How compute capability 3.x maps words to banks (cudaDeviceSetSharedMemConfig). Four bytes is the driver's
/// initial setting.
enum class KeplerBanks : uint8_t { FourBytes, EightBytes };

struct SharedPasses {
  uint32_t requests = 0;  // groups of lanes served together: half-warps on 1.x, warps later
  uint32_t passes = 0;    // of the banks, all groups together
  uint32_t ideal = 0;     // with no two words in one bank
  uint32_t conflicts() const { return passes - ideal; }
};

/// Passes of a load, store or atomic to shared memory; all 0 for other spaces. Which word 1.x broadcasts is
/// not specified; here it is the word of most waiting lanes (MODEL), which is the guide's better case. Also
/// MODEL: atomics before 5.0 take a pass for each lane that shares a bank with another.
SharedPasses count_shared_passes(const trace::WarpAccess& access, int compute_capability,
                                 KeplerBanks kepler = KeplerBanks::FourBytes);

/// Banks of shared memory: 16 before compute capability 2.0, then 32.
constexpr int bank_count(int compute_capability) { return compute_capability < 20 ? 16 : 32; }

/// The words of an access to shared memory by bank and pass: count_banks() since 5.0. Before it, `wavefronts`
/// are passes. MODEL: which lanes a pass serves, by rising lane after the broadcast of 1.x; of 16-byte loads
/// of 2.x, whose passes are counted by a formula, the passes drawn can be fewer.
BankReport device_banks(const trace::WarpAccess& access, int compute_capability);

}  // namespace lanescope::model
