// The costliest access of a line, and its picture: the figure of the program's banks or sectors. Tests:
// tests/unit/report/launch_report_test.cpp

#pragma once

#include "base/text.h"
#include "pipeline/run.h"
#include "pipeline/selection.h"
#include "plot/figure.h"
#include "trace/trace.h"

#include <optional>
#include <span>

namespace lanescope::report {

/// Of the first accesses of these sites that are stored, some 100,000, the one with the most sectors or
/// wavefronts beyond its ideal; the first of equal ones. None where no access is stored.
std::optional<pipeline::SelectionRequest> worst_access(const trace::Trace& trace,
                                                       std::span<const SiteId> sites);

/// The access that the request means.
trace::WarpAccess access_at(const trace::Trace& trace, const pipeline::SelectionRequest& request);

/// Why the access costs what it costs, in a sentence with its values; empty where there is nothing to say.
std::string explanation_of(const trace::WarpAccess& access, Language language);

/// None where the access has no figure.
std::optional<plot::Figure> picture_of(const pipeline::Run& run, const pipeline::SelectionRequest& request,
                                       Language language);

}  // namespace lanescope::report
