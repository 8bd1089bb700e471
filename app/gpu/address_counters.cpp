#include "gpu/address_counters.h"

#include "gpu/cupti_functions.h"

#include <map>
#include <string>
#include <vector>

namespace lanescope::gpu {
namespace {

/// CUPTI's number of each metric that it knows for this chip.
Result<std::map<uint64_t, trace::HardwareCount>> known_metrics(const CuptiFunctions& cupti,
                                                               const Context& context) {
  CUpti_Device_GetChipName_Params chip{};
  chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  chip.deviceIndex = static_cast<size_t>(context.state()->handle);
  TRY_VOID(check(cupti, "cuptiDeviceGetChipName", cupti.chip_name(&chip)));
  std::map<uint64_t, trace::HardwareCount> known;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows()) {
    if (row.source != trace::CountSource::Address) continue;
    const std::string name(row.metric);
    CUpti_SassMetrics_GetProperties_Params properties{};
    properties.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
    properties.pChipName = chip.pChipName;
    properties.pMetricName = name.c_str();
    if (cupti.sass_properties(&properties) == CUPTI_SUCCESS) known[properties.metric.metricId] = row.count;
  }
  return known;
}

/// Metrics stay configured, and code stays patched, until this goes.
class Patching {
 public:
  Patching(const CuptiFunctions& cupti, const Context& context) : cupti_(cupti), context_(context) {}
  Patching(const Patching&) = delete;
  Patching& operator=(const Patching&) = delete;
  ~Patching() {
    if (enabled_) {
      CUpti_SassMetricsDisable_Params disable{};
      disable.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
      disable.ctx = context_.state()->context;
      cupti_.sass_disable(&disable);
    }
    if (configured_) {
      CUpti_SassMetricsUnsetConfig_Params unset{};
      unset.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
      unset.deviceIndex = static_cast<uint32_t>(context_.state()->handle);
      cupti_.sass_unset(&unset);
    }
  }

  Result<void> begin(const std::map<uint64_t, trace::HardwareCount>& metrics) {
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const auto& [number, count] : metrics)
      configs.push_back({number, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    CUpti_SassMetricsSetConfig_Params set{};
    set.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
    set.numOfMetricConfig = configs.size();
    set.pConfigs = configs.data();
    set.deviceIndex = static_cast<uint32_t>(context_.state()->handle);
    TRY_VOID(check(cupti_, "cuptiSassMetricsSetConfig", cupti_.sass_configure(&set)));
    configured_ = true;
    CUpti_SassMetricsEnable_Params enable{};
    enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
    enable.ctx = context_.state()->context;
    enable.enableLazyPatching = 1;
    TRY_VOID(check(cupti_, "cuptiSassMetricsEnable", cupti_.sass_enable(&enable)));
    enabled_ = true;
    return {};
  }

 private:
  const CuptiFunctions& cupti_;
  const Context& context_;
  bool configured_ = false;
  bool enabled_ = false;
};

/// Every value of every instruction.
Result<std::vector<CUpti_SassMetrics_InstanceValue>> flushed_values(const CuptiFunctions& cupti,
                                                                    CUcontext context, size_t metrics) {
  CUpti_SassMetricsGetDataProperties_Params size{};
  size.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
  size.ctx = context;
  TRY_VOID(check(cupti, "cuptiSassMetricsGetDataProperties", cupti.sass_size(&size)));
  const size_t records = size.numOfPatchedInstructionRecords;
  if (records == 0 || size.numOfInstances == 0) return std::vector<CUpti_SassMetrics_InstanceValue>();
  // At the granularity of the GPU the instances of a record are its metrics.
  const size_t each = std::max(size.numOfInstances, metrics);
  std::vector<CUpti_SassMetrics_InstanceValue> values(records * each);
  std::vector<CUpti_SassMetrics_Data> instructions(records);
  for (size_t n = 0; n < records; ++n) {
    instructions[n].structSize = sizeof(CUpti_SassMetrics_Data);
    instructions[n].pInstanceValues = &values[n * each];
  }
  CUpti_SassMetricsFlushData_Params flush{};
  flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
  flush.ctx = context;
  flush.numOfPatchedInstructionRecords = records;
  flush.numOfInstances = size.numOfInstances;
  flush.pMetricsData = instructions.data();
  TRY_VOID(check(cupti, "cuptiSassMetricsFlushData", cupti.sass_flush(&flush)));
  return values;
}

}  // namespace

Result<void> count_addresses(const Context& context, const Cupti& cupti,
                             const std::function<Result<void>()>& work, trace::HardwareCounts& counts) {
  const CuptiFunctions& functions = *cupti.functions();
  TRY(const auto metrics, known_metrics(functions, context));
  if (metrics.empty()) return {};
  Patching patching(functions, context);
  TRY_VOID(patching.begin(metrics));
  TRY_VOID(work());
  TRY_VOID(context.synchronize("a kernel with patched code"));
  TRY(const auto values, flushed_values(functions, context.state()->context, metrics.size()));
  // A kernel without such instructions has no records: it counts nothing, and that is known.
  for (const auto& [number, count] : metrics) counts[count] = 0;
  for (const CUpti_SassMetrics_InstanceValue& value : values)
    if (const auto metric = metrics.find(value.metricId); metric != metrics.end())
      counts[metric->second] = counts[metric->second].value_or(0) + value.value;
  return {};
}

}  // namespace lanescope::gpu
