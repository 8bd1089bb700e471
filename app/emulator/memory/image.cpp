#include "emulator/memory/image.h"

#include "launch/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace lanescope::emulator {
namespace {

using launch::AddressMode;
using launch::ElementType;

constexpr int kFractionBits = 8;  // of a filter's weights
constexpr int64_t kOne = 1 << kFractionBits;

std::array<uint64_t, 3> extents_of(const launch::Image& shape) {
  return {shape.width, std::max<uint64_t>(shape.height, 1), std::max<uint64_t>(shape.depth, 1)};
}

/// Index, among `extent` texels, that the address mode gives for `index`; none for the border.
std::optional<uint64_t> addressed(int64_t index, uint64_t extent, AddressMode mode) {
  const auto size = static_cast<int64_t>(extent);
  if (index >= 0 && index < size) return static_cast<uint64_t>(index);
  const auto modulo = [&](int64_t period) { return (index % period + period) % period; };
  switch (mode) {
    case AddressMode::Wrap:
      return static_cast<uint64_t>(modulo(size));
    case AddressMode::Clamp:
      return index < 0 ? 0 : extent - 1;
    case AddressMode::Mirror: {
      const int64_t place = modulo(2 * size);
      return static_cast<uint64_t>(place < size ? place : 2 * size - 1 - place);
    }
    case AddressMode::Border:
      break;
  }
  return {};
}

/// The coordinate in texels. NaN is 0, and a coordinate far beyond any texture is limited. A normalized
/// coordinate is cut to 21 bits of fraction.
double in_texels(float coordinate, uint64_t extent, const launch::Sampler& sampler) {
  if (std::isnan(coordinate)) return 0;
  constexpr double kFarthest = 1e12;
  const auto given = std::clamp(static_cast<double>(coordinate), -kFarthest, kFarthest);
  if (!sampler.normalized) return given;
  constexpr double kParts = 1 << 21;
  return std::floor(given * kParts) / kParts * static_cast<double>(extent);
}

/// Mode of dimension n. A face of a cube ends at its edges.
AddressMode address_mode(const launch::Image& shape, size_t n) {
  return shape.is_cube ? AddressMode::Clamp : shape.sampler.address[n];
}

/// The first of the two texels that a linear filter weighs, and the weight of the second in 256ths.
struct Place {
  int64_t first = 0;
  int64_t weight = 0;
};
Place place_between(double texels) {
  const auto fixed = static_cast<int64_t>(std::floor(texels * kOne + 0.5)) - kOne / 2;
  return {fixed >> kFractionBits, fixed & (kOne - 1)};
}

/// Texels and weights in each dimension. Where a clamped read sees one texel twice, its first copy has all
/// the weight: that matters for how the weights of the other dimensions are rounded.
std::array<Place, 3> places_of(const Image& image, const TextureCoordinates& coordinates) {
  const auto extents = extents_of(image.shape);
  std::array<Place, 3> places{};
  for (size_t n = 0; n < static_cast<size_t>(launch::dimensions_of(image.shape)); ++n) {
    Place& place = places[n];
    place = place_between(in_texels(coordinates.at[n], extents[n], image.shape.sampler));
    const bool is_between = place.first >= 0 && place.first + 1 < static_cast<int64_t>(extents[n]);
    if (address_mode(image.shape, n) == AddressMode::Clamp && !is_between) place.weight = 0;
  }
  return places;
}

/// The weights of the 8 texels in 256ths, [x + 2 * y + 4 * z]; 0 for those that a texture of fewer dimensions
/// does not have.
std::array<int64_t, 8> weights_of(const std::array<Place, 3>& places) {
  std::array<int64_t, 8> weights{};
  const int64_t far_plane = places[2].weight;
  for (size_t z = 0; z < 2; ++z) {
    const int64_t of_plane = z == 1 ? far_plane : kOne - far_plane;
    const int64_t right = (of_plane * places[0].weight + kOne / 2) >> kFractionBits;
    for (size_t x = 0; x < 2; ++x) {
      const int64_t of_column = x == 1 ? right : of_plane - right;
      const int64_t half = x == 1 ? kOne / 2 : kOne / 2 - 1;  // a half is rounded up there, down here
      const int64_t below = (of_column * places[1].weight + half) >> kFractionBits;
      weights[x + 2 + 4 * z] = below;
      weights[x + 4 * z] = of_column - below;
    }
  }
  return weights;
}

const std::byte* texel_at(const Image& image, const std::array<uint64_t, 3>& at, uint32_t layer) {
  const launch::Image& shape = image.shape;
  const auto extents = extents_of(shape);
  const uint64_t slice = shape.layers == 0 ? at[2] : std::min<uint64_t>(layer, shape.layers - 1);
  return image.texels + (slice * extents[1] + at[1]) * pitch_of(image) +
         at[0] * shape.channels * launch::size_bytes(image.type);
}

/// An element of a texel, extended to 32 bits, or as a number.
struct Element {
  uint32_t bits = 0;
  double number = 0;
};

template <class T>
Element integer_element(const std::byte* from, bool reads_float) {
  T value;
  std::memcpy(&value, from, sizeof value);
  const auto most = static_cast<double>(std::numeric_limits<T>::max());
  // The least of a signed type is -1 too.
  return {.bits = static_cast<uint32_t>(static_cast<int64_t>(value)),
          .number = reads_float ? std::max(static_cast<double>(value) / most, -1.0) : 0};
}

Element element_at(const Image& image, const std::byte* from) {
  const bool reads_float = image.shape.sampler.reads_float;
  switch (image.type) {
    case ElementType::U8:
      return integer_element<uint8_t>(from, reads_float);
    case ElementType::I8:
      return integer_element<int8_t>(from, reads_float);
    case ElementType::U16:
      return integer_element<uint16_t>(from, reads_float);
    case ElementType::I16:
      return integer_element<int16_t>(from, reads_float);
    case ElementType::U32:
    case ElementType::I32:
      return integer_element<uint32_t>(from, false);
    case ElementType::F16: {
      launch::Float16 half;
      std::memcpy(&half, from, sizeof half);
      return {.number = launch::to_double(half)};
    }
    default: {
      float value = 0;
      std::memcpy(&value, from, sizeof value);
      return {.number = value};
    }
  }
}

/// The channels of one texel, or of the border.
using Elements = std::array<Element, 4>;
Elements elements_at(const Image& image, const std::array<int64_t, 3>& index, uint32_t layer) {
  const auto extents = extents_of(image.shape);
  std::array<uint64_t, 3> at{};
  Elements elements{};
  for (size_t n = 0; n < static_cast<size_t>(launch::dimensions_of(image.shape)); ++n) {
    const auto inside = addressed(index[n], extents[n], address_mode(image.shape, n));
    if (!inside) return elements;
    at[n] = *inside;
  }
  const std::byte* const texel = texel_at(image, at, layer);
  for (uint32_t n = 0; n < image.shape.channels; ++n)
    elements[n] = element_at(image, texel + size_t{n} * launch::size_bytes(image.type));
  return elements;
}

/// Face of a cube, as a layer, and the place on it that a direction leads to, in the coordinates of the
/// sampler. Source: CUDA C++ Programming Guide, table "Cubemap Fetch".
TextureCoordinates on_face(const launch::Image& shape, const TextureCoordinates& direction) {
  const auto [x, y, z] = direction.at;
  const float width = std::abs(x), height = std::abs(y), depth = std::abs(z);
  uint32_t face = 0;
  float largest = 0, right = 0, down = 0;
  if (width >= height && width >= depth) {
    face = x < 0 ? 1 : 0;
    largest = width, right = x < 0 ? z : -z, down = -y;
  } else if (height >= depth) {
    face = y < 0 ? 3 : 2;
    largest = height, right = x, down = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4;
    largest = depth, right = z < 0 ? -x : x, down = -y;
  }
  const float extent = shape.sampler.normalized ? 1 : static_cast<float>(shape.width);
  const auto last = static_cast<uint32_t>(shape.layers / launch::kFacesOfCube - 1);
  const auto faces = static_cast<uint32_t>(launch::kFacesOfCube);
  return {.at = {(right / largest + 1) / 2 * extent, (down / largest + 1) / 2 * extent, 0},
          .layer = std::min(direction.layer, last) * faces + face};
}

uint32_t result_of(double number) { return std::bit_cast<uint32_t>(static_cast<float>(number)); }

Texel result_of(const Image& image, const Elements& elements) {
  const bool is_float = launch::gives_float(image.shape, image.type);
  Texel texel{};
  for (size_t n = 0; n < texel.size(); ++n)
    texel[n] = is_float ? result_of(elements[n].number) : elements[n].bits;
  return texel;
}

/// A texel's number as the filter sums it: normalized integers in units of 1 / 65535, or 1 / 32767 if signed;
/// signed bytes as they are.
double in_filter(ElementType type, const Element& element) {
  switch (type) {
    case ElementType::U8:
    case ElementType::U16:
      return std::round(element.number * 65535);
    case ElementType::I16:
      return std::round(element.number * 32767);
    case ElementType::I8:
      return static_cast<int32_t>(element.bits);
    default:
      return element.number;
  }
}

/// The nearest number of a format, of two equally near ones that of the greater magnitude. `nearest_even`
/// rounds to the format.
template <class Round>
float rounded_away(double exact, Round&& nearest_even) {
  const double nearest = nearest_even(exact);
  const double across = 2 * exact - nearest;  // as near, on the other side
  const bool is_tie = across != nearest && nearest_even(across) == across;
  return static_cast<float>(is_tie && std::abs(across) > std::abs(nearest) ? across : nearest);
}

/// Result of a filter: the weighted sum of numbers of in_filter(), scaled and rounded for the type.
float out_of_filter(ElementType type, double sum) {
  switch (type) {
    case ElementType::U8:
    case ElementType::U16:
      return static_cast<float>(std::floor(sum + 0.5) / 65535);
    case ElementType::I16:
      return static_cast<float>(std::floor(sum + 0.5) / 32767);
    case ElementType::I8:
      return static_cast<float>(std::max(std::floor(sum * 32767 / 127 + 0.5) / 32767, -1.0));
    case ElementType::F16:
      return rounded_away(sum, [](double x) { return launch::to_double(launch::to_float16(x)); });
    default:
      return rounded_away(sum, [](double x) { return static_cast<double>(static_cast<float>(x)); });
  }
}

Texel filtered(const Image& image, const TextureCoordinates& coordinates) {
  const std::array<Place, 3> places = places_of(image, coordinates);
  const std::array<int64_t, 8> weights = weights_of(places);
  std::array<double, 4> sum{};
  for (size_t corner = 0; corner < weights.size(); ++corner) {
    if (weights[corner] == 0) continue;  // an infinity there would make a NaN
    std::array<int64_t, 3> index{};
    for (size_t n = 0; n < index.size(); ++n) index[n] = places[n].first + (corner >> n & 1 ? 1 : 0);
    const Elements elements = elements_at(image, index, coordinates.layer);
    const double weight = static_cast<double>(weights[corner]) / kOne;
    for (size_t n = 0; n < sum.size(); ++n) sum[n] += weight * in_filter(image.type, elements[n]);
  }
  Texel texel{};
  for (size_t n = 0; n < texel.size(); ++n)
    texel[n] = std::bit_cast<uint32_t>(out_of_filter(image.type, sum[n]));
  return texel;
}

}  // namespace

uint64_t row_bytes(const Image& image) {
  return image.shape.width * image.shape.channels * launch::size_bytes(image.type);
}

uint64_t pitch_of(const Image& image) {
  return image.pitch_bytes != 0 ? image.pitch_bytes : row_bytes(image);
}

Texel read_texture(const Image& image, const TextureCoordinates& given) {
  const TextureCoordinates coordinates = image.shape.is_cube ? on_face(image.shape, given) : given;
  if (image.shape.sampler.filter == launch::Filter::Linear) return filtered(image, coordinates);
  const auto extents = extents_of(image.shape);
  std::array<int64_t, 3> index{};
  for (size_t n = 0; n < static_cast<size_t>(launch::dimensions_of(image.shape)); ++n)
    index[n] =
        static_cast<int64_t>(std::floor(in_texels(coordinates.at[n], extents[n], image.shape.sampler)));
  return result_of(image, elements_at(image, index, coordinates.layer));
}

Texel fetch_texel(const Image& image, std::array<int32_t, 3> at, uint32_t layer) {
  const auto extents = extents_of(image.shape);
  for (size_t n = 0; n < static_cast<size_t>(launch::dimensions_of(image.shape)); ++n)
    if (at[n] < 0 || static_cast<uint64_t>(at[n]) >= extents[n]) return {};
  return result_of(image, elements_at(image, {at[0], at[1], at[2]}, layer));
}

Texel gather_texels(const Image& image, const TextureCoordinates& coordinates, uint32_t channel) {
  const auto extents = extents_of(image.shape);
  const Place x = place_between(in_texels(coordinates.at[0], extents[0], image.shape.sampler));
  const Place y = place_between(in_texels(coordinates.at[1], extents[1], image.shape.sampler));
  constexpr std::array<std::array<int64_t, 2>, 4> kCorners{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Texel texel{};
  for (size_t n = 0; n < texel.size(); ++n)
    texel[n] = result_of(image, elements_at(image, {x.first + kCorners[n][0], y.first + kCorners[n][1], 0},
                                            coordinates.layer))[channel];
  return texel;
}

}  // namespace lanescope::emulator
