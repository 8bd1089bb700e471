#include "report/advice.h"

#include "report/words.h"
#include "trace/traffic.h"

#include <cstdlib>

namespace lanescope::report {
namespace {

constexpr int64_t kRowOfBanksBytes = 128;

bool is_update(const trace::Operation& operation) {
  const trace::Kind kind = trace::direction_of(operation);
  return kind == trace::Kind::Atomic || kind == trace::Kind::Reduction;
}

Words advice_on_banks(const trace::Operation& operation, const trace::WarpAccess* access) {
  if (is_update(operation)) return Words::banks_update;
  if (operation.bytes_per_lane > 4) return Words::banks_wide;
  if (access != nullptr && access->addresses.affine() && access->addresses.stride % kRowOfBanksBytes == 0)
    return Words::banks_column;
  return Words::banks_other;
}

std::string advice_on_sectors(const trace::Operation& operation, const trace::WarpAccess* access,
                              Language language) {
  if (operation.space == trace::Space::Local) return said(language, Words::sectors_local);
  if (is_update(operation)) return said(language, Words::sectors_update);
  const bool loads = trace::direction_of(operation) == trace::Kind::Load;
  const int64_t width = operation.bytes_per_lane;
  const int64_t stride =
      access != nullptr && access->addresses.affine() ? std::abs(access->addresses.stride) : 0;
  constexpr int64_t kMostOfStruct = 64;
  if (stride > width && stride <= kMostOfStruct)
    return said(language, loads ? Words::fields_load : Words::fields_store, stride, width);
  if (stride > kMostOfStruct) return said(language, loads ? Words::apart_load : Words::apart_store, stride);
  return said(language, loads ? Words::scattered_load : Words::scattered_store);
}

}  // namespace

std::string advice_for(const exporting::CostRow& row, const trace::Operation& operation,
                       const trace::WarpAccess* access, Language language) {
  if (row.is_shared) return said(language, advice_on_banks(operation, access));
  if (exporting::is_unaligned(row)) return said(language, Words::sectors_unaligned);
  return advice_on_sectors(operation, access, language);
}

}  // namespace lanescope::report
