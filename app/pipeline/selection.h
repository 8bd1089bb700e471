// Looks up one warp and one of its accesses in a run: the warp's timeline, and what the access does lane by
// lane. Method: pure functions of a finished run; models run on the selected access alone.
// Tests: tests/unit/pipeline/selection_test.cpp

#pragma once

#include "base/ids.h"
#include "caches/sector_origins.h"
#include "launch/launch.h"
#include "model/banks.h"
#include "model/sectors.h"
#include "model/warp_timeline.h"
#include "pipeline/step_target.h"
#include "sass/folded_part.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

struct Run;

/// Which access of a run is shown.
struct SelectionRequest {
  CtaId cta;
  WarpId warp;          // of the block
  uint32_t access = 0;  // index among the warp's stored accesses
};

/// A lane of an access.
struct LaneRow {
  Dim3 thread;
  bool active = false;
  std::string address;  // "in[3][17]", "shared + 0x84"
  std::string value;    // formatted by the buffer's element type; empty when not stored
};

/// One access and what the models say of it. Borrows from the run's trace.
struct AccessDetail {
  model::TracedAccess traced;  // as the PTX makes it
  model::TracedAccess
      drawn;  // `traced`, or in a run that counts machine code the access that has it as a part
  std::shared_ptr<const sass::FoldedPart> folded;  // whose addresses `drawn` borrows; null: those of `traced`
  // Of `drawn`.
  std::optional<model::BankReport> banks;      // of an access to shared memory
  std::optional<model::SectorReport> sectors;  // of an access to global or local memory
  std::vector<caches::SectorOrigin> origins;   // of the sectors that it loads; empty where they are not known
};

/// A warp of a run, its accesses, and the selected one, by the rules of a device. Borrows from the run's
/// trace.
struct Selection {
  CtaId cta;
  WarpId warp;
  uint32_t warps = 0;                                  // per block
  uint32_t access = 0;                                 // index into timeline
  model::CostUnits units = model::CostUnits::Sectors;  // of the costs in timeline
  std::vector<model::TimelineEntry> timeline = {};     // empty where the block is not stored
  std::vector<LaneRow> lanes = {};                     // [lane] of the selected access; empty without one
  std::optional<AccessDetail> current = std::nullopt;  // the selected access
  // The nearest access to the other kind of memory, so that banks and sectors can be seen together.
  std::optional<AccessDetail> companion = std::nullopt;
};

/// Looks the request up in the run. A warp or an access beyond the end becomes the last one; where the block
/// is not stored, timeline, lanes and accesses are empty and `access` stays as requested.
/// `compute_capability` is that of the device whose rules count.
Selection select(const Run& run, const SelectionRequest& request, int compute_capability = 90);

/// The request that led to the selection.
SelectionRequest request_of(const Selection& selection);

/// Index of the access that a step leads to; the selected one where there is none.
uint32_t step_target(const Selection& selection, StepTo to);

/// First access of the selected warp on this source line.
std::optional<uint32_t> access_on_line(const Selection& selection, int line);

/// "in[3][17]", "out[99] + 2", "shared + 0x84": an address in the notation of the source.
std::string address_text(const trace::Trace& trace, trace::Space space, uint64_t address);

/// Bytes of one lane as the PTX type of the site says ("ld.global.f32"), else as `fallback`, else in
/// hexadecimal.
std::string value_text(std::string_view ptx_text, std::span<const std::byte> bytes,
                       std::optional<launch::ElementType> fallback);

}  // namespace lanescope::pipeline
