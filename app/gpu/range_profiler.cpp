#include "gpu/range_profiler.h"

#include "gpu/cupti_functions.h"

#include <span>
#include <utility>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

/// CUPTI requires the size of every structure in its first member.
template <class Parameters>
Parameters sized(size_t size) {
  Parameters parameters{};
  parameters.structSize = size;
  return parameters;
}

Result<std::vector<uint8_t>> availability_of(const CuptiFunctions& cupti, CUcontext context) {
  auto parameters = sized<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  parameters.ctx = context;
  TRY_VOID(check(cupti, "cuptiProfilerGetCounterAvailability", cupti.availability(&parameters)));
  std::vector<uint8_t> image(parameters.counterAvailabilityImageSize);
  parameters.pCounterAvailabilityImage = image.data();
  TRY_VOID(check(cupti, "cuptiProfilerGetCounterAvailability", cupti.availability(&parameters)));
  return image;
}

/// CUPTI's side of it that needs no GPU: which counters are read in which pass, and what they come to.
class Host {
 public:
  explicit Host(std::shared_ptr<const CuptiFunctions> cupti) : cupti_(std::move(cupti)) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    if (object_ == nullptr) return;
    auto parameters =
        sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    parameters.pHostObject = object_;
    cupti_->host_deinitialize(&parameters);
  }

  /// `availability` may be null: then all that such a chip has.
  Result<void> open(const char* chip, const uint8_t* availability) {
    auto parameters =
        sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    parameters.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    parameters.pChipName = chip;
    parameters.pCounterAvailabilityImage = availability;
    TRY_VOID(check(*cupti_, "cuptiProfilerHostInitialize", cupti_->host_initialize(&parameters)));
    object_ = parameters.pHostObject;
    return {};
  }

  Result<std::vector<uint8_t>> configure(std::span<const char*> metrics) {
    auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = object_;
    add.ppMetricNames = metrics.data();
    add.numMetrics = metrics.size();
    TRY_VOID(check(*cupti_, "cuptiProfilerHostConfigAddMetrics", cupti_->add_metrics(&add)));
    auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = object_;
    TRY_VOID(check(*cupti_, "cuptiProfilerHostGetConfigImageSize", cupti_->config_size(&size)));
    std::vector<uint8_t> config(size.configImageSize);
    auto image = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    image.pHostObject = object_;
    image.configImageSize = config.size();
    image.pConfigImage = config.data();
    TRY_VOID(check(*cupti_, "cuptiProfilerHostGetConfigImage", cupti_->config_image(&image)));
    return config;
  }

  Result<size_t> passes(std::vector<uint8_t>& config) const {
    auto number = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
        CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    number.configImageSize = config.size();
    number.pConfigImage = config.data();
    TRY_VOID(check(*cupti_, "cuptiProfilerHostGetNumOfPasses", cupti_->passes(&number)));
    return number.numOfPasses;
  }

  Result<void> evaluate(std::span<const uint8_t> data, size_t range, std::span<const char*> metrics,
                        std::vector<double>& values) const {
    auto parameters = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    parameters.pHostObject = object_;
    parameters.pCounterDataImage = data.data();
    parameters.counterDataImageSize = data.size();
    parameters.rangeIndex = range;
    parameters.ppMetricNames = metrics.data();
    parameters.numMetrics = metrics.size();
    parameters.pMetricValues = values.data();
    return check(*cupti_, "cuptiProfilerHostEvaluateToGpuValues", cupti_->evaluate(&parameters));
  }

 private:
  std::shared_ptr<const CuptiFunctions> cupti_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

std::vector<const char*> pointers_to(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

}  // namespace

struct RangeProfiler::State {
  std::shared_ptr<const CuptiFunctions> cupti;
  Context context;
  std::vector<std::string> metrics;
  std::vector<const char*> metric_names;  // borrows from metrics
  size_t most_ranges = 0;
  size_t passes = 0;
  std::vector<uint8_t> availability, config, data;
  Host host;
  CUpti_RangeProfiler_Object* profiler = nullptr;

  State(const std::shared_ptr<const CuptiFunctions>& functions, Context on, std::vector<std::string> wanted,
        size_t ranges)
      : cupti(functions),
        context(std::move(on)),
        metrics(std::move(wanted)),
        metric_names(pointers_to(metrics)),
        most_ranges(ranges),
        host(functions) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  Result<void> open();
  Result<void> enable();
  Result<void> clear_data();
  Result<void> configure();
  Result<void> start();
  Result<bool> stop();
  Result<void> do_range(size_t range, const RangeWork& before, const RangeWork& work);
  Result<std::vector<std::vector<double>>> values(size_t ranges);
};

RangeProfiler::State::~State() {
  if (profiler != nullptr) {
    auto parameters =
        sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    parameters.pRangeProfilerObject = profiler;
    cupti->range_disable(&parameters);
  }
}

Result<void> RangeProfiler::State::open() {
  auto parameters = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  TRY_VOID(check(*cupti, "cuptiProfilerInitialize", cupti->initialize(&parameters)));
  // Never undone: others of this process may count, and initializing again does nothing.
  auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = static_cast<size_t>(context.state()->handle);
  TRY_VOID(check(*cupti, "cuptiDeviceGetChipName", cupti->chip_name(&chip)));
  TRY(availability, availability_of(*cupti, context.state()->context));
  TRY_VOID(host.open(chip.pChipName, availability.data()));
  TRY(config, host.configure(metric_names));
  TRY(passes, host.passes(config));
  return {};
}

Result<void> RangeProfiler::State::enable() {
  auto parameters = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  parameters.ctx = context.state()->context;
  TRY_VOID(check(*cupti, "cuptiRangeProfilerEnable", cupti->range_enable(&parameters)));
  profiler = parameters.pRangeProfilerObject;
  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = profiler;
  size.pMetricNames = metric_names.data();
  size.numMetrics = metric_names.size();
  size.maxNumOfRanges = most_ranges;
  size.maxNumRangeTreeNodes = static_cast<uint32_t>(most_ranges);
  TRY_VOID(check(*cupti, "cuptiRangeProfilerGetCounterDataSize", cupti->range_data_size(&size)));
  data.resize(size.counterDataSize);
  return {};
}

Result<void> RangeProfiler::State::clear_data() {
  auto parameters = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  parameters.pRangeProfilerObject = profiler;
  parameters.counterDataSize = data.size();
  parameters.pCounterData = data.data();
  return check(*cupti, "cuptiRangeProfilerCounterDataImageInitialize",
               cupti->range_data_initialize(&parameters));
}

Result<void> RangeProfiler::State::configure() {
  auto parameters =
      sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  parameters.pRangeProfilerObject = profiler;
  parameters.configSize = config.size();
  parameters.pConfig = config.data();
  parameters.counterDataImageSize = data.size();
  parameters.pCounterDataImage = data.data();
  parameters.range = CUPTI_UserRange;
  parameters.replayMode = CUPTI_UserReplay;
  parameters.maxRangesPerPass = most_ranges;
  parameters.numNestingLevels = 1;
  parameters.minNestingLevel = 1;
  parameters.passIndex = 0;
  parameters.targetNestingLevel = 0;
  return check(*cupti, "cuptiRangeProfilerSetConfig", cupti->range_configure(&parameters));
}

Result<void> RangeProfiler::State::start() {
  auto parameters = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  parameters.pRangeProfilerObject = profiler;
  return check(*cupti, "cuptiRangeProfilerStart", cupti->range_start(&parameters));
}

/// Whether that was the last pass.
Result<bool> RangeProfiler::State::stop() {
  auto parameters = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  parameters.pRangeProfilerObject = profiler;
  TRY_VOID(check(*cupti, "cuptiRangeProfilerStop", cupti->range_stop(&parameters)));
  return parameters.isAllPassSubmitted != 0;
}

Result<void> RangeProfiler::State::do_range(size_t range, const RangeWork& before, const RangeWork& work) {
  if (before) {
    TRY_VOID(before(range));
    // What was queued before must not count into the range.
    TRY_VOID(context.synchronize("the work before a counted launch"));
  }
  const std::string name = fmt::format("r{}", range);
  auto push = sized<CUpti_RangeProfiler_PushRange_Params>(CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
  push.pRangeProfilerObject = profiler;
  push.pRangeName = name.c_str();
  TRY_VOID(check(*cupti, "cuptiRangeProfilerPushRange", cupti->range_push(&push)));
  TRY_VOID(work(range));
  TRY_VOID(context.synchronize("a counted launch"));
  auto pop = sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
  pop.pRangeProfilerObject = profiler;
  return check(*cupti, "cuptiRangeProfilerPopRange", cupti->range_pop(&pop));
}

Result<std::vector<std::vector<double>>> RangeProfiler::State::values(size_t ranges) {
  auto decode =
      sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  decode.pRangeProfilerObject = profiler;
  TRY_VOID(check(*cupti, "cuptiRangeProfilerDecodeData", cupti->range_decode(&decode)));
  auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
  info.pCounterDataImage = data.data();
  info.counterDataImageSize = data.size();
  TRY_VOID(check(*cupti, "cuptiRangeProfilerGetCounterDataInfo", cupti->range_info(&info)));
  if (info.numTotalRanges != ranges || decode.numOfRangeDropped != 0)
    return fail(ErrorKind::Internal,
                fmt::format("{} counted launches were expected, CUPTI kept {}", ranges, info.numTotalRanges));
  std::vector<std::vector<double>> all(ranges, std::vector<double>(metrics.size()));
  for (size_t range = 0; range < ranges; ++range)
    TRY_VOID(host.evaluate(data, range, metric_names, all[range]));
  return all;
}

RangeProfiler::RangeProfiler(std::unique_ptr<State> state) : state_(std::move(state)) {}
RangeProfiler::RangeProfiler(RangeProfiler&&) noexcept = default;
RangeProfiler& RangeProfiler::operator=(RangeProfiler&&) noexcept = default;
RangeProfiler::~RangeProfiler() = default;

size_t RangeProfiler::passes() const { return state_->passes; }

Result<RangeProfiler> RangeProfiler::make(const Context& context, const Cupti& cupti,
                                          std::vector<std::string> metrics, size_t most_ranges) {
  auto state = std::make_unique<State>(cupti.functions(), context, std::move(metrics), most_ranges);
  TRY_VOID(state->open());
  TRY_VOID(state->enable());
  return RangeProfiler(std::move(state));
}

Result<std::vector<std::vector<double>>> RangeProfiler::count(size_t ranges, const RangeWork& before,
                                                              const RangeWork& work) {
  if (ranges == 0 || ranges > state_->most_ranges)
    return fail(ErrorKind::Internal, fmt::format("1 to {} launches can be counted at once, {} were asked for",
                                                 state_->most_ranges, ranges));
  TRY_VOID(state_->clear_data());
  TRY_VOID(state_->configure());
  for (bool last = false; !last;) {
    TRY_VOID(state_->start());
    for (size_t range = 0; range < ranges; ++range) TRY_VOID(state_->do_range(range, before, work));
    TRY(last, state_->stop());
  }
  return state_->values(ranges);
}

Result<size_t> passes_on(const Cupti& cupti, const std::string& chip,
                         const std::vector<std::string>& metrics) {
  Host host(cupti.functions());
  TRY_VOID(host.open(chip.c_str(), nullptr));
  std::vector<const char*> names = pointers_to(metrics);
  TRY(auto config, host.configure(names));
  return host.passes(config);
}

}  // namespace lanescope::gpu
