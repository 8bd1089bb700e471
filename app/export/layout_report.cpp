#include "export/layout_report.h"

#include "base/provenance.h"
#include "export/json.h"

namespace lanescope::exporting {
namespace {

Json cost_json(const layout::AccessCost& cost) {
  return {{"requests", cost.requests},
          {"wavefronts", cost.wavefronts},
          {"ideal_wavefronts", cost.ideal},
          {"wavefronts_of_a_request", cost.most}};
}

Json cost_json(const Result<layout::AccessCost>& cost) {
  return cost ? cost_json(*cost) : Json{{"impossible", cost.error().message}};
}

Json candidate_json(const std::optional<layout::Candidate>& candidate, uint32_t plain_bytes) {
  if (!candidate) return nullptr;
  return {{"name", layout::name_of(candidate->arrangement)},
          {"excess_wavefronts", candidate->excess},
          {"size_bytes", candidate->size_bytes},
          {"more_bytes", candidate->size_bytes - plain_bytes}};
}

}  // namespace

std::string layout_report(const layout::Report& report, const LayoutCounts& counts) {
  Json json{{"lanescope", LANESCOPE_VERSION},
            {"layout", report.tile.layout.text},
            {"element", launch::name_of(report.tile.element)},
            {"arrangement", layout::name_of(report.tile.arrangement)},
            {"rows", report.placed.rows()},
            {"columns", report.placed.columns()},
            {"size_bytes", report.placed.size_bytes},
            {"plain_bytes", report.plain.size_bytes},
            {"provenance", name_of(Provenance::Modelled)},
            {"accesses", Json::array()}};
  for (size_t n = 0; n < report.rows.size(); ++n) {
    const layout::AccessRow& row = report.rows[n];
    Json one{{"access", row.access.name}};
    one.update(cost_json(row.cost));
    one["plain"] = cost_json(row.plain);
    if (n < counts.emulated.size()) one["emulated"] = cost_json(counts.emulated[n]);
    json["accesses"].push_back(std::move(one));
  }
  if (const auto& found = counts.found)
    json["search"] = {{"plain_serves", found->plain_serves},
                      {"swizzle", candidate_json(found->swizzle, found->plain_bytes)},
                      {"padding", candidate_json(found->padding, found->plain_bytes)},
                      {"best", candidate_json(found->best, found->plain_bytes)}};
  return json.dump(2) + "\n";
}

}  // namespace lanescope::exporting
