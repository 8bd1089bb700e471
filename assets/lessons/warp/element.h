// The element that the toggle chooses, and its sum: 1 and 2 bytes are integers, 16 bytes are four floats.
#pragma once

#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif

// clang-format off: one case a line
template <int bytes> struct ElementOf;
template <> struct ElementOf<1>  { using Type = unsigned char; };
template <> struct ElementOf<2>  { using Type = unsigned short; };
template <> struct ElementOf<4>  { using Type = float; };
template <> struct ElementOf<8>  { using Type = double; };
template <> struct ElementOf<16> { using Type = float4; };
// clang-format on
using Element = ElementOf<ELEMENT_BYTES>::Type;

template <class Number>
__device__ Number sum(Number a, Number b) {
  return a + b;
}
__device__ inline float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
