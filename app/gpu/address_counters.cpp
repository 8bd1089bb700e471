#include "gpu/address_counters.h"

#include "gpu/cupti_functions.h"

#include <map>
#include <string>
#include <vector>

namespace lanescope::gpu {
namespace {

/// CUPTI's number of each metric that it has for this chip.
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

/// Code is patched until this goes.
class Patching {
 public:
  Patching(const CuptiFunctions& cupti, CUcontext context) : cupti_(cupti), context_(context) {}
  Patching(const Patching&) = delete;
  Patching& operator=(const Patching&) = delete;
  ~Patching() {
    if (!enabled_) return;
    CUpti_SassMetricsDisable_Params disable{};
    disable.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
    disable.ctx = context_;
    cupti_.sass_disable(&disable);
  }

  Result<void> begin() {
    CUpti_SassMetricsEnable_Params enable{};
    enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
    enable.ctx = context_;
    enable.enableLazyPatching = 1;
    TRY_VOID(check(cupti_, "cuptiSassMetricsEnable", cupti_.sass_enable(&enable)));
    enabled_ = true;
    return {};
  }

 private:
  const CuptiFunctions& cupti_;
  CUcontext context_;
  bool enabled_ = false;
};

}  // namespace

struct AddressCounters::State {
  std::shared_ptr<const CuptiFunctions> cupti;
  Context context;
  std::map<uint64_t, trace::HardwareCount> metrics;
  bool configured = false;

  State(std::shared_ptr<const CuptiFunctions> functions, Context on)
      : cupti(std::move(functions)), context(std::move(on)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!configured) return;
    CUpti_SassMetricsUnsetConfig_Params unset{};
    unset.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
    unset.deviceIndex = static_cast<uint32_t>(context.state()->handle);
    cupti->sass_unset(&unset);
  }

  /// Once: a second configuration of the same device fails (measured: CUPTI 13.0, out of memory).
  Result<void> configure() {
    TRY(metrics, known_metrics(*cupti, context));
    if (metrics.empty()) return {};
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const auto& [number, count] : metrics)
      configs.push_back({number, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    CUpti_SassMetricsSetConfig_Params set{};
    set.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
    set.numOfMetricConfig = configs.size();
    set.pConfigs = configs.data();
    set.deviceIndex = static_cast<uint32_t>(context.state()->handle);
    TRY_VOID(check(*cupti, "cuptiSassMetricsSetConfig", cupti->sass_configure(&set)));
    configured = true;
    return {};
  }
};

AddressCounters::AddressCounters(std::unique_ptr<State> state) : state_(std::move(state)) {}
AddressCounters::AddressCounters(AddressCounters&&) noexcept = default;
AddressCounters& AddressCounters::operator=(AddressCounters&&) noexcept = default;
AddressCounters::~AddressCounters() = default;

Result<AddressCounters> AddressCounters::make(const Context& context, const Cupti& cupti) {
  auto state = std::make_unique<State>(cupti.functions(), context);
  TRY_VOID(state->configure());
  return AddressCounters(std::move(state));
}

Result<void> AddressCounters::count(const std::function<Result<void>()>& work,
                                    trace::HardwareCounts& counts) {
  if (!state_->configured) return {};
  Patching patching(*state_->cupti, state_->context.state()->context);
  TRY_VOID(patching.begin());
  TRY_VOID(work());
  TRY_VOID(state_->context.synchronize("a kernel with patched code"));
  TRY(const auto values,
      flushed_values(*state_->cupti, state_->context.state()->context, state_->metrics.size()));
  // A kernel without such instructions has no records: it counts nothing, and that is known.
  for (const auto& [number, count] : state_->metrics) counts[count] = 0;
  for (const CUpti_SassMetrics_InstanceValue& value : values)
    if (const auto metric = state_->metrics.find(value.metricId); metric != state_->metrics.end())
      counts[metric->second] = counts[metric->second].value_or(0) + value.value;
  return {};
}

}  // namespace lanescope::gpu
