#include "pipeline/saved_trace.h"

#include "model/device_totals.h"
#include "pipeline/line_costs.h"
#include "pipeline/partition_report.h"

#include <utility>

namespace lanescope::pipeline {

namespace {

/// The source of the first site whose kernel's file is known: the one from which all else is called.
void add_source(Run& run, const std::map<std::string, std::string>& sources) {
  for (const trace::Site& site : run.trace->sites) {
    const Location& outermost = site.called_from.empty() ? site.source : site.called_from.back();
    const auto found = sources.find(outermost.file);
    if (found == sources.end()) continue;
    run.source_name = found->first;
    run.source_text = found->second;
    return;
  }
}

Result<void> check_launch(const Run& run, const trace::Trace& part) {
  const trace::Trace& trace = *run.trace;
  if (part.grid == trace.grid && part.block == trace.block && part.kernel == trace.kernel &&
      part.sites.size() == trace.sites.size() && part.buffers.size() == trace.buffers.size())
    return {};
  return fail(ErrorKind::File, "the saved trace was replaced by that of another launch; open it again");
}

}  // namespace

std::shared_ptr<const Run> run_of_trace(trace::Trace trace, const model::Device& device,
                                        const std::map<std::string, std::string>& sources) {
  auto run = std::make_shared<Run>();
  auto launch = std::make_shared<launch::Launch>();
  launch->grid = trace.grid;
  launch->block = trace.block;
  run->launch = std::move(launch);
  run->kernel = trace.kernel;
  run->trace = std::make_shared<const trace::Trace>(std::move(trace));
  add_source(*run, sources);
  run->tiles = std::make_shared<const std::vector<model::TileMap>>(model::map_tiles(*run->trace));
  add_partitions(*run, device);
  add_costs(*run, device);
  return run;
}

std::shared_ptr<const Run> run_of_trace(trace::TracePart part, const model::Device& device,
                                        const std::map<std::string, std::string>& sources) {
  auto run = run_of_trace(std::move(part.trace), device, sources);
  if (!part.next) return run;
  auto partial = std::make_shared<Run>(*run);
  partial->unread = UnreadBlocks{.first = *part.next};
  return partial;
}

bool is_saved_trace(const Run& run) { return run.ptx_text.empty(); }

bool is_unread(const Run& run, CtaId block) {
  return run.unread && block.value < volume(run.trace->grid) &&
         trace::find_block(*run.trace, block) == nullptr;
}

Result<std::shared_ptr<const Run>> with_part(const Run& run, trace::TracePart part) {
  TRY_VOID(check_launch(run, part.trace));
  auto other = std::make_shared<Run>(run);
  other->trace = std::make_shared<const trace::Trace>(std::move(part.trace));
  return other;
}

BlockSums::BlockSums(std::shared_ptr<const Run> run, const model::Device& device,
                     std::optional<Elements> elements)
    : run_(std::move(run)),
      device_(device),
      wanted_elements_(elements),
      costs_{.units = model::units_of(device.compute_capability), .blocks = {}} {
  if (costs_.units != model::CostUnits::Sectors) totals_.resize(run_->trace->totals.size());
}

Result<void> BlockSums::add(const trace::Trace& part) {
  TRY_VOID(check_launch(*run_, part));
  const int capability = device_.compute_capability;
  model::append(tiles_, model::map_tiles(part));
  if (run_->partitions) {
    model::PartitionReport report = model::map_partitions(part, device_);
    if (partitions_)
      model::append(*partitions_, report);
    else
      partitions_ = std::move(report);
  }
  if (!totals_.empty()) model::add_stored(totals_, part, capability);
  const auto costs = model::block_costs(part, capability).blocks;
  costs_.blocks.insert(costs_.blocks.end(), costs.begin(), costs.end());
  if (elements_)
    model::mark_elements(*elements_, part);
  else if (wanted_elements_)
    elements_ = model::map_elements(part, wanted_elements_->buffer, wanted_elements_->kind);
  return {};
}

std::shared_ptr<const Run> BlockSums::counted(const Run& shown) {
  auto run = std::make_shared<Run>(shown);
  run->tiles = std::make_shared<const std::vector<model::TileMap>>(std::move(tiles_));
  if (partitions_) run->partitions = std::make_shared<const model::PartitionReport>(*std::move(partitions_));
  if (!totals_.empty()) {
    if (auto totals = model::exact_totals(std::move(totals_), *run->trace))
      set_totals(*run, *std::move(totals));
  }
  run->unread->are_counted = true;
  run->unread->costs = std::make_shared<const model::BlockCosts>(std::move(costs_));
  if (elements_) run->unread->elements = std::make_shared<const model::ElementMap>(*std::move(elements_));
  return run;
}

}  // namespace lanescope::pipeline
