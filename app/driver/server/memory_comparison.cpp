#include "driver/server/memory_comparison.h"

#include "launch/difference.h"
#include "launch/element.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

/// Largest |emulator - GPU| / |GPU| of the elements that differ; infinite for a NaN or a 0 of the GPU.
double largest_relative(launch::ElementType type, std::span<const std::byte> gpu,
                        std::span<const std::byte> emulator) {
  return launch::with_type(type, [&]<class T>(T) {
    double largest = 0;
    for (size_t at = 0; at + sizeof(T) <= gpu.size(); at += sizeof(T)) {
      if (std::memcmp(gpu.data() + at, emulator.data() + at, sizeof(T)) == 0) continue;
      const double expected = launch::number_at<T>(gpu.data() + at);
      const double relative =
          std::abs(launch::number_at<T>(emulator.data() + at) - expected) / std::abs(expected);
      // 0 and -0 are different bits and no error.
      if (launch::number_at<T>(emulator.data() + at) == expected) continue;
      largest = std::isnan(relative) ? HUGE_VAL : std::max(largest, relative);
    }
    return largest;
  });
}

/// True if every 32-bit word is 0, -0 or a float from 2^-63 to 2^64. Positive integers below 2^29 are not.
bool look_like_floats(std::span<const std::byte> bytes) {
  constexpr uint32_t kLeast = 64, kMost = 190;  // biased exponents: 2^-63 to 2^63
  for (size_t at = 0; at + sizeof(uint32_t) <= bytes.size(); at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    const uint32_t exponent = word >> 23 & 0xff;
    if ((word << 1) != 0 && (exponent < kLeast || exponent > kMost)) return false;
  }
  return true;
}

}  // namespace

void relocate(std::span<std::byte> bytes, std::vector<Relocation> allocations) {
  if (allocations.empty()) return;
  std::ranges::sort(allocations, {}, &Relocation::from);
  const uint64_t lowest = allocations.front().from;
  for (size_t at = 0; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word < lowest) continue;
    // Last allocation that begins at or before the address: where two touch, the address is the later one's.
    const auto next = std::ranges::upper_bound(allocations, word, {}, &Relocation::from);
    const Relocation& found = *std::prev(next);
    if (word - found.from > found.size_bytes) continue;
    word = word - found.from + found.to;
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

void compare(MemoryComparison& comparison, launch::Buffer buffer, std::span<const std::byte> gpu,
             std::span<const std::byte> emulator) {
  constexpr size_t kWord = 4;
  bool looks_so = false;
  ++comparison.buffers;
  comparison.bytes += gpu.size();
  if (buffer.type == launch::ElementType::U8 && buffer.shape.size() == 1 && gpu.size() % kWord == 0) {
    looks_so = look_like_floats(gpu) && look_like_floats(emulator);
    buffer.type = looks_so ? launch::ElementType::F32 : launch::ElementType::U32;
    buffer.shape = {gpu.size() / kWord};
  }
  const auto found = launch::difference_of(buffer, gpu, emulator);
  if (!found) return;
  const size_t size = launch::size_bytes(buffer.type);
  const auto value = [&](std::span<const std::byte> bytes) {
    return launch::element_value(buffer.type, bytes.subspan(found->first * size, size));
  };
  BufferDifference difference{.element = launch::element_name(buffer, found->first),
                              .type = std::string(launch::name_of(buffer.type)),
                              .looks_so = looks_so,
                              .gpu = value(gpu),
                              .emulator = value(emulator),
                              .different = found->count,
                              .elements = gpu.size() / size,
                              .largest_relative = {}};
  if (launch::is_float(buffer.type))
    difference.largest_relative = largest_relative(buffer.type, gpu, emulator);
  comparison.differences.push_back(std::move(difference));
}

std::vector<std::string> sentences_of(const MemoryComparison& comparison) {
  std::vector<std::string> sentences;
  if (comparison.differences.empty())
    sentences.push_back(fmt::format("memory after it is equal to the GPU's ({} buffer{}, {} bytes)",
                                    comparison.buffers, comparison.buffers == 1 ? "" : "s",
                                    comparison.bytes));
  for (const BufferDifference& one : comparison.differences) {
    std::string text = fmt::format(
        "{} of {} elements ({}) differ from the GPU's memory; the first is {}: {} on the GPU, {} "
        "in the emulator",
        one.different, one.elements, one.looks_so ? one.type + ", as the bits look" : one.type, one.element,
        one.gpu, one.emulator);
    if (one.largest_relative)
      text += fmt::format("; the largest relative difference is {:.2g}", *one.largest_relative);
    sentences.push_back(std::move(text));
  }
  if (!comparison.differences.empty())
    sentences.insert(sentences.end(), comparison.causes.begin(), comparison.causes.end());
  return sentences;
}

nlohmann::json to_json(const MemoryComparison& comparison) {
  nlohmann::json differences = nlohmann::json::array();
  for (const BufferDifference& one : comparison.differences) {
    differences.push_back({{"first", one.element},
                           {"type", one.type},
                           {"gpu", one.gpu},
                           {"emulator", one.emulator},
                           {"different", one.different},
                           {"elements", one.elements}});
    if (one.largest_relative && std::isfinite(*one.largest_relative))
      differences.back()["largest_relative"] = *one.largest_relative;
  }
  nlohmann::json json{{"equal", comparison.differences.empty()},
                      {"buffers", comparison.buffers},
                      {"bytes", comparison.bytes},
                      {"differences", std::move(differences)},
                      {"sentences", sentences_of(comparison)}};
  if (!comparison.differences.empty() && !comparison.causes.empty())
    json["possible_causes"] = comparison.causes;
  return json;
}

}  // namespace lanescope::driver
