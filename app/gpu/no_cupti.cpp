// Replaces the hardware counters where the program was built without CUPTI's headers.

#include "gpu/address_counters.h"
#include "gpu/cupti.h"
#include "gpu/range_profiler.h"

namespace lanescope::gpu {
namespace {

constexpr const char* kMissing =
    "the hardware counters need CUPTI's headers when the program is built, and they were not found; run "
    "app/run, which fetches them";

}  // namespace

struct CuptiFunctions {};
struct RangeProfiler::State {};
struct AddressCounters::State {};

Cupti::Cupti(std::shared_ptr<const CuptiFunctions> functions, std::filesystem::path library)
    : functions_(std::move(functions)), library_(std::move(library)) {}
Result<Cupti> Cupti::open(std::span<const std::filesystem::path>) {
  return fail(ErrorKind::Unsupported, kMissing);
}

RangeProfiler::RangeProfiler(std::unique_ptr<State> state) : state_(std::move(state)) {}
RangeProfiler::RangeProfiler(RangeProfiler&&) noexcept = default;
RangeProfiler& RangeProfiler::operator=(RangeProfiler&&) noexcept = default;
RangeProfiler::~RangeProfiler() = default;
size_t RangeProfiler::passes() const { return 0; }
// The real one keeps the metrics. NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<RangeProfiler> RangeProfiler::make(const Context&, const Cupti&, std::vector<std::string>, size_t) {
  return fail(ErrorKind::Unsupported, kMissing);
}
Result<std::vector<std::vector<double>>> RangeProfiler::count(size_t, const RangeWork&, const RangeWork&) {
  return fail(ErrorKind::Unsupported, kMissing);
}
Result<size_t> passes_on(const Cupti&, const std::string&, const std::vector<std::string>&) {
  return fail(ErrorKind::Unsupported, kMissing);
}

AddressCounters::AddressCounters(std::unique_ptr<State> state) : state_(std::move(state)) {}
AddressCounters::AddressCounters(AddressCounters&&) noexcept = default;
AddressCounters& AddressCounters::operator=(AddressCounters&&) noexcept = default;
AddressCounters::~AddressCounters() = default;
Result<AddressCounters> AddressCounters::make(const Context&, const Cupti&) {
  return fail(ErrorKind::Unsupported, kMissing);
}
Result<void> AddressCounters::count(const std::function<Result<void>()>&, trace::HardwareCounts&) {
  return fail(ErrorKind::Unsupported, kMissing);
}

}  // namespace lanescope::gpu
