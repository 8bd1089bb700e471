#include "driver/server/array_arguments.h"

#include <charconv>
#include <cstring>
#include <optional>

namespace lanescope::driver {
namespace {

using launch::ElementType;

/// The pointers, the number of elements, their size and the address, before shape and strides.
constexpr size_t kBeforeShape = 5;
constexpr size_t kAddress = 4, kItemBytes = 3;
constexpr uint32_t kMostDimensions = 8;

/// Reads a mangled name from the left.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  char take_letter() {
    if (rest_.empty()) return '\0';
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    return letter;
  }
  std::optional<uint32_t> take_number() {
    uint32_t value = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (problem != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }
  /// A name after its length: "7aligned".
  bool take_name() {
    const auto length = take_number();
    if (!length || *length > rest_.size()) return false;
    rest_.remove_prefix(*length);
    return true;
  }
  bool is_at_number() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// Type of a letter of the Itanium C++ ABI; nullopt for other letters.
std::optional<ElementType> type_of_letter(char letter) {
  switch (letter) {
    case 'f':
      return ElementType::F32;
    case 'd':
      return ElementType::F64;
    case 'a':
      return ElementType::I8;
    case 'h':
    case 'b':
      return ElementType::U8;
    case 's':
      return ElementType::I16;
    case 't':
      return ElementType::U16;
    case 'i':
      return ElementType::I32;
    case 'j':
      return ElementType::U32;
    case 'x':
    case 'l':
      return ElementType::I64;
    case 'y':
    case 'm':
      return ElementType::U64;
    default:
      return std::nullopt;
  }
}

/// Skips the kernel's name: "_ZN6cudapy8__main__4nameB2v1B9..E", without "cudapy" in newer versions. False
/// for names of other compilers, which have no ABI tags (B...).
bool take_kernel_name(Reader& name) {
  if (!name.take("_ZN")) return false;
  bool has_tag = false;
  while (!name.take("E")) {
    const bool is_tag = name.take("B");
    has_tag |= is_tag;
    if (!(is_tag || name.is_at_number()) || !name.take_name()) return false;
  }
  return has_tag;
}

struct ArrayType {
  ElementType type = ElementType::U8;
  uint32_t dimensions = 0;
};

/// Reads the type of an array: "5ArrayIfLi2E1C7mutable7alignedE".
std::optional<ArrayType> take_array(Reader& name) {
  if (!name.take("5ArrayI")) return std::nullopt;
  ArrayType array;
  // A type with a name has elements of bytes.
  if (!name.is_at_number()) {
    const auto type = type_of_letter(name.take_letter());
    if (!type) return std::nullopt;
    array.type = *type;
  } else if (!name.take_name()) {
    return std::nullopt;
  }
  if (!name.take("Li")) return std::nullopt;
  const auto dimensions = name.take_number();
  if (!dimensions || *dimensions > kMostDimensions || !name.take("E")) return std::nullopt;
  array.dimensions = *dimensions;
  while (!name.take("E"))
    if (!name.take_name()) return std::nullopt;
  return array;
}

class Parameters {
 public:
  Parameters(std::span<const std::byte> bytes, std::span<const uint32_t> offsets)
      : bytes_(bytes), offsets_(offsets) {}
  /// 64 bits of parameter `n`.
  std::optional<uint64_t> word(size_t n) const {
    uint64_t value = 0;
    if (n >= offsets_.size() || offsets_[n] + sizeof value > bytes_.size()) return std::nullopt;
    std::memcpy(&value, bytes_.data() + offsets_[n], sizeof value);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::span<const uint32_t> offsets_;
};

std::optional<ArrayArgument> argument_of(const ArrayType& array, const Parameters& parameters, size_t first) {
  const auto address = parameters.word(first + kAddress), item = parameters.word(first + kItemBytes);
  if (!address || !item) return std::nullopt;
  ArrayArgument argument{.address = *address, .type = array.type, .shape = {}};
  for (size_t n = 0; n < array.dimensions; ++n) {
    const auto extent = parameters.word(first + kBeforeShape + n);
    if (!extent) return std::nullopt;
    argument.shape.push_back(*extent);
  }
  if (launch::size_bytes(argument.type) == *item) return argument;
  argument.type = ElementType::U8;
  argument.shape.push_back(*item);
  return argument;
}

}  // namespace

std::vector<ArrayArgument> numba_arrays(std::string_view entry, std::span<const std::byte> parameters,
                                        std::span<const uint32_t> offsets) {
  Reader name(entry);
  std::vector<ArrayArgument> arrays;
  if (!take_kernel_name(name)) return arrays;
  const Parameters values(parameters, offsets);
  size_t at = 0;
  for (uint32_t number = 0; !name.empty(); ++number) {
    if (const auto array = take_array(name)) {
      auto argument = argument_of(*array, values, at);
      if (!argument) return arrays;
      argument->number = number;
      arrays.push_back(*std::move(argument));
      at += kBeforeShape + 2 * size_t{array->dimensions};
    } else if (type_of_letter(name.take_letter())) {
      ++at;
    } else {
      return arrays;  // a tuple or a record: which parameters follow is not known
    }
  }
  return arrays;
}

}  // namespace lanescope::driver
