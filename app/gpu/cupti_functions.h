// The functions of libcupti that are used, found by name at run time, and what their status means to a
// person. Tests: tests/unit/gpu/counters_test.cpp

#pragma once

#include "gpu/cupti.h"
#include "gpu/driver_functions.h"

#include <string_view>

// CUPTI's headers rely on what includes them for these two.
#include <cstddef>
#include <cstdint>

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

namespace lanescope::gpu {

struct CuptiFunctions {
  void* handle = nullptr;

  decltype(&cuptiGetResultString) result_string = nullptr;
  decltype(&cuptiProfilerInitialize) initialize = nullptr;
  decltype(&cuptiProfilerGetCounterAvailability) availability = nullptr;
  decltype(&cuptiDeviceGetChipName) chip_name = nullptr;

  decltype(&cuptiProfilerHostInitialize) host_initialize = nullptr;
  decltype(&cuptiProfilerHostDeinitialize) host_deinitialize = nullptr;
  decltype(&cuptiProfilerHostConfigAddMetrics) add_metrics = nullptr;
  decltype(&cuptiProfilerHostGetConfigImageSize) config_size = nullptr;
  decltype(&cuptiProfilerHostGetConfigImage) config_image = nullptr;
  decltype(&cuptiProfilerHostGetNumOfPasses) passes = nullptr;
  decltype(&cuptiProfilerHostEvaluateToGpuValues) evaluate = nullptr;

  decltype(&cuptiRangeProfilerEnable) range_enable = nullptr;
  decltype(&cuptiRangeProfilerDisable) range_disable = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataSize) range_data_size = nullptr;
  decltype(&cuptiRangeProfilerCounterDataImageInitialize) range_data_initialize = nullptr;
  decltype(&cuptiRangeProfilerSetConfig) range_configure = nullptr;
  decltype(&cuptiRangeProfilerStart) range_start = nullptr;
  decltype(&cuptiRangeProfilerStop) range_stop = nullptr;
  decltype(&cuptiRangeProfilerPushRange) range_push = nullptr;
  decltype(&cuptiRangeProfilerPopRange) range_pop = nullptr;
  decltype(&cuptiRangeProfilerDecodeData) range_decode = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataInfo) range_info = nullptr;

  decltype(&cuptiSassMetricsGetProperties) sass_properties = nullptr;
  decltype(&cuptiSassMetricsSetConfig) sass_configure = nullptr;
  decltype(&cuptiSassMetricsUnsetConfig) sass_unset = nullptr;
  decltype(&cuptiSassMetricsEnable) sass_enable = nullptr;
  decltype(&cuptiSassMetricsDisable) sass_disable = nullptr;
  decltype(&cuptiSassMetricsGetDataProperties) sass_size = nullptr;
  decltype(&cuptiSassMetricsFlushData) sass_flush = nullptr;
};

/// Nothing for success; else "cuptiX failed: CUPTI's words; what to do".
Result<void> check(const CuptiFunctions& cupti, std::string_view call, CUptiResult status);

}  // namespace lanescope::gpu
