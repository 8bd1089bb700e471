// Arithmetic that a launch did: operations of lanes by what they compute with. A multiply-add counts as two,
// an instruction on pairs of halves as both, one on packed integers as a multiply-add. Tests:
// tests/unit/emulator/operations_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::trace {

struct Operations {
  uint64_t fp16 = 0;  // f16 and bf16, without the tensor cores
  uint64_t fp32 = 0;
  uint64_t fp64 = 0;
  uint64_t integer = 0;  // also of addresses and of bits
  uint64_t tensor = 0;   // of the tensor cores, on elements of 16 bits and more
  uint64_t tensor8 = 0;  // on elements of 8 bits and fewer
  bool operator==(const Operations&) const = default;
  Operations& operator+=(const Operations& other) {
    fp16 += other.fp16;
    fp32 += other.fp32;
    fp64 += other.fp64;
    integer += other.integer;
    tensor += other.tensor;
    tensor8 += other.tensor8;
    return *this;
  }
};

}  // namespace lanescope::trace
