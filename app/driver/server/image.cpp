#include "driver/server/image.h"

#include "driver/server/linked_ptx.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

namespace lanescope::driver {
namespace {

constexpr uint32_t kFatMagic = 0xBA55ED50;
constexpr size_t kFatHeaderBytes = 16, kPartHeaderBytes = 64;
constexpr uint16_t kPtxPart = 1;
constexpr uint64_t kIsLz4 = 0x2000, kIsZstandard = 0x8000;
constexpr uint64_t kMostTextBytes = uint64_t{256} << 20;

template <class T>
T number_at(std::span<const std::byte> bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// A part of a fat binary. Offsets of the fields in bytes: kind 0, header size 4, payload size 8, packed size
/// without the filling 16, architecture 28, flags 40, unpacked size 56.
struct Part {
  uint16_t kind = 0;
  uint32_t architecture = 0;
  uint64_t flags = 0;
  uint64_t unpacked_bytes = 0;
  std::span<const std::byte> payload;
};

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorKind::Syntax, fmt::format("the fat binary is damaged: {}; build the program again", what));
}

/// Takes the part at the start of `rest` off it.
Result<Part> take_part(std::span<const std::byte>& rest) {
  if (rest.size() < kPartHeaderBytes) return damaged("it ends within the header of a part");
  const auto header = number_at<uint32_t>(rest, 4);
  const auto payload = number_at<uint64_t>(rest, 8);
  if (header < kPartHeaderBytes || header > rest.size() || payload > rest.size() - header)
    return damaged("a part is larger than the rest of it");
  Part part{.kind = number_at<uint16_t>(rest, 0),
            .architecture = number_at<uint32_t>(rest, 28),
            .flags = number_at<uint64_t>(rest, 40),
            .unpacked_bytes = number_at<uint64_t>(rest, 56),
            .payload = rest.subspan(header, payload)};
  const uint64_t packed = number_at<uint32_t>(rest, 16);
  if ((part.flags & (kIsLz4 | kIsZstandard)) != 0 && packed != 0) {
    if (packed > payload) return damaged("the packed text of a part is larger than the part");
    part.payload = part.payload.first(packed);
  }
  rest = rest.subspan(header + payload);
  return part;
}

/// Text of at most `size` bytes, up to the zero byte that ends it.
std::string text_of(const char* bytes, size_t size) { return {bytes, strnlen(bytes, size)}; }

Result<std::string> unpack(const Part& part) {
  const char* from = reinterpret_cast<const char*>(part.payload.data());
  if ((part.flags & (kIsLz4 | kIsZstandard)) == 0) return text_of(from, part.payload.size());
  if (part.unpacked_bytes > kMostTextBytes || part.payload.size() > kMostTextBytes)
    return fail(ErrorKind::Limit,
                fmt::format("the PTX of a fat binary unpacks to {} bytes; at most {} are read",
                            part.unpacked_bytes, kMostTextBytes));
  std::string text(part.unpacked_bytes, '\0');
  if (part.flags & kIsLz4) {
    const int size = LZ4_decompress_safe(from, text.data(), static_cast<int>(part.payload.size()),
                                         static_cast<int>(text.size()));
    if (size < 0) return damaged("its LZ4 text does not unpack");
    text.resize(static_cast<size_t>(size));
  } else {
    const size_t size = ZSTD_decompress(text.data(), text.size(), from, part.payload.size());
    if (ZSTD_isError(size) != 0) return damaged("its Zstandard text does not unpack");
    text.resize(size);
  }
  return text_of(text.data(), text.size());
}

bool is_fat_binary(std::span<const std::byte> image) {
  return image.size() >= sizeof kFatMagic && number_at<uint32_t>(image, 0) == kFatMagic;
}

/// PTX of the fat binary at the start of `image`, which it takes off it.
Result<std::string> take_ptx(std::span<const std::byte>& image) {
  if (image.size() < kFatHeaderBytes) return damaged("it ends within its header");
  const auto header = number_at<uint16_t>(image, 6);
  const auto size = number_at<uint64_t>(image, 8);
  if (header < kFatHeaderBytes || header > image.size() || size > image.size() - header)
    return damaged("it is shorter than its header says");
  std::span<const std::byte> rest = image.subspan(header, size);
  image = image.subspan(header + size);
  std::optional<Part> best;
  while (!rest.empty()) {
    TRY(const Part part, take_part(rest));
    if (part.kind == kPtxPart && (!best || part.architecture >= best->architecture)) best = part;
  }
  if (best) return unpack(*best);
  return fail(ErrorKind::Unsupported,
              "the program has machine code without PTX for this kernel; build it with PTX, as with nvcc "
              "-gencode arch=compute_80,code=compute_80");
}

/// PTX of one fat binary, or the linked PTX of one after the other (nvcc -rdc=true).
Result<std::string> ptx_of_fat_binaries(std::span<const std::byte> image) {
  std::vector<std::string> texts;
  do {
    TRY(std::string text, take_ptx(image));
    if (texts.empty() || !is_device_runtime(text)) texts.push_back(std::move(text));
  } while (is_fat_binary(image));
  if (texts.size() == 1) return std::move(texts.front());
  return link_ptx(texts);
}

bool begins_with(std::span<const std::byte> image, std::string_view magic) {
  return image.size() >= magic.size() && std::memcmp(image.data(), magic.data(), magic.size()) == 0;
}

}  // namespace

Result<std::string> ptx_of_image(std::span<const std::byte> image) {
  if (is_fat_binary(image)) return ptx_of_fat_binaries(image);
  if (begins_with(image, "\177ELF"))
    return fail(ErrorKind::Unsupported,
                "the module is machine code (a cubin) without PTX, which only a GPU runs; have the compiler "
                "keep the PTX");
  std::string text = text_of(reinterpret_cast<const char*>(image.data()), image.size());
  if (text.find(".version") != std::string::npos) return text;
  return fail(ErrorKind::Syntax, "the module is neither PTX text nor a fat binary; pass one of the two");
}

}  // namespace lanescope::driver
