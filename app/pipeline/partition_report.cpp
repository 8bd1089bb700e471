#include "pipeline/partition_report.h"

#include <fmt/format.h>

namespace lanescope::pipeline {

void add_partitions(Run& run, const model::Device& device) {
  run.partitions = nullptr;
  run.partitions_reason.clear();
  if (device.partitions.hash == model::PartitionMap::Hash::Linear)
    run.partitions =
        std::make_shared<const model::PartitionReport>(model::map_partitions(*run.trace, device));
  else
    run.partitions_reason = fmt::format(
        "{} spreads addresses over its partitions by a hash that its maker does not publish", device.title);
}

}  // namespace lanescope::pipeline
