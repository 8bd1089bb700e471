#include "report/advice.h"

#include "trace/traffic.h"

#include <cstdlib>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

constexpr int64_t kRowOfBanksBytes = 128;

bool is_update(const trace::Operation& operation) {
  const trace::Kind kind = trace::direction_of(operation);
  return kind == trace::Kind::Atomic || kind == trace::Kind::Reduction;
}

std::string advice_on_banks(const trace::Operation& operation, const trace::WarpAccess* access) {
  if (is_update(operation))
    return "Let fewer lanes update words of one bank at a time: sum in registers or by shuffles first, or "
           "keep a copy for each warp.";
  if (operation.bytes_per_lane > 4)
    return "Store the words of an element apart, in one array each, or let neighboring lanes access "
           "neighboring elements.";
  if (access != nullptr && access->addresses.affine() && access->addresses.stride % kRowOfBanksBytes == 0)
    return "The lanes walk down a column, whose words share a bank: pad each row by one element, as in "
           "tile[32][33], or swizzle the columns.";
  return "Let the lanes of a warp access different banks: pad the rows of the array, swizzle its columns, or "
         "let neighboring lanes access neighboring words.";
}

std::string advice_on_sectors(const trace::Operation& operation, const trace::WarpAccess* access) {
  if (operation.space == trace::Space::Local)
    return "Keep the array in registers: index it by constants in unrolled loops; what remains in local "
           "memory may be registers that the assembler spilled.";
  if (is_update(operation))
    return "Let the lanes of a warp update neighboring words, or combine in shared memory first.";
  const bool loads = trace::direction_of(operation) == trace::Kind::Load;
  const int64_t width = operation.bytes_per_lane;
  const int64_t stride =
      access != nullptr && access->addresses.affine() ? std::abs(access->addresses.stride) : 0;
  constexpr int64_t kMostOfStruct = 64;
  if (stride > width && stride <= kMostOfStruct)
    return fmt::format(
        "Neighboring lanes are {} bytes apart and take {} of them: keep each field in an array of its own, "
        "or "
        "{} the whole element in one access.",
        stride, width, loads ? "load" : "store");
  if (stride > kMostOfStruct)
    return fmt::format(
        "Neighboring lanes are {} bytes apart: let threadIdx.x run along the dimension in which elements are "
        "neighbors, or {} a tile row by row and {} its columns in shared memory.",
        stride, loads ? "load" : "store", loads ? "read" : "write");
  return fmt::format(
      "Let neighboring lanes {} neighboring elements: order the data by the lane that uses it, or pass it "
      "through shared memory.",
      loads ? "load" : "store");
}

}  // namespace

std::string advice_for(const exporting::CostRow& row, const trace::Operation& operation,
                       const trace::WarpAccess* access) {
  if (row.is_shared) return advice_on_banks(operation, access);
  if (exporting::is_unaligned(row))
    return "Let each row begin at a multiple of 32 bytes: pad its pitch, as cudaMallocPitch does, or begin "
           "the loop at an aligned element. The neighbors of a stencil stay unaligned, which costs little "
           "where the L1 has their sectors.";
  return advice_on_sectors(operation, access);
}

}  // namespace lanescope::report
