// The memory accesses of one run of a kernel: sites, exact totals for the whole grid, and the stored
// accesses. Method: totals come from the counting sink, accesses from the storing sink. Accesses are stored
// block by block; an affine access takes a few bytes, other addresses are in a separate list. A Trace is
// immutable once finished and is shared as shared_ptr<const Trace>. Tests: tests/unit/trace/*

#pragma once

#include "base/dim3.h"
#include "base/provenance.h"
#include "trace/access.h"
#include "trace/hazard.h"
#include "trace/operations.h"
#include "trace/output.h"
#include "trace/site.h"
#include "trace/totals.h"
#include "trace/wait.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

/// A buffer of the launch as models and labels need it; its index is the buffer number of global addresses.
struct BufferInfo {
  std::string name;
  uint64_t size_bytes = 0;
  uint32_t element_bytes = 4;
  uint64_t row_elements = 0;  // elements per row of a 2-D buffer; 0 when it is not a matrix
};

/// A stored access. `site` indexes Trace::sites, which holds the operation.
struct StoredAccess {
  SiteId site;
  WarpId warp;
  uint32_t step = 0;
  LaneMask active;
  uint64_t base = 0;  // affine: address of lane 0; listed: index of the first address in StoredBlock::list
  int32_t stride = 0;
  bool affine = true;
  uint32_t values_at = kNoValues;  // index into StoredBlock::values
  static constexpr uint32_t kNoValues = 0xffffffffu;
};

/// The stored accesses of one block, sorted by (warp, step).
struct StoredBlock {
  CtaId cta;
  std::vector<StoredAccess> accesses;
  std::vector<uint64_t> list;
  std::vector<std::byte> values;
  std::vector<Wait> waits = {};  // of each warp in order; only of the block with values
  bool knows_waits = false;      // false: it may have waited all the same
};

/// Level of totals: they count the memory instructions of the PTX, or those of the machine code that the
/// assembler made of it. Stored accesses are those of the PTX.
enum class CountLevel : uint8_t { Ptx, MachineCode };
/// "ptx", "sass": on the command line and in files.
constexpr std::string_view name_of(CountLevel level) {
  return level == CountLevel::MachineCode ? "sass" : "ptx";
}

struct Trace {
  std::string kernel;
  CountLevel level = CountLevel::Ptx;  // of `totals`
  Provenance provenance = Provenance::Emulated;
  bool is_complete = true;  // else a hazard stopped the kernel: the totals are of what ran before
  Dim3 grid;
  Dim3 block;
  uint32_t shared_bytes = 0;          // static and dynamic, of a CTA
  uint32_t registers_per_thread = 0;  // of 32 bits; an estimate; 0: not known
  std::vector<BufferInfo> buffers;
  std::vector<Site> sites;
  std::vector<Totals> totals;          // [site], the whole grid
  std::vector<StoredBlock> blocks;     // stored blocks in rising order of cta
  uint64_t dropped = 0;                // accesses that were to be stored but did not fit
  std::vector<Hazard> hazards;         // defects
  std::vector<Hazard> notes;           // findings that are no defects, such as a race of equal values
  std::vector<std::string> unchecked;  // requested checks that could not be made, and why
  Output output;
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
  Operations operations = {};  // of the emulator
};

/// The access as producers made it. Borrows from `block`, of which `stored` is an element; of a copy of an
/// element the source of an asynchronous copy is not known.
WarpAccess view(const Trace& trace, const StoredBlock& block, const StoredAccess& stored);

/// Stored block, or null.
const StoredBlock* find_block(const Trace& trace, CtaId cta);

/// The accesses of one warp of a stored block, in order.
std::span<const StoredAccess> accesses_of(const StoredBlock& block, WarpId warp);

}  // namespace lanescope::trace
