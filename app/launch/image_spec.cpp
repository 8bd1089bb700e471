#include "launch/image_spec.h"

#include "launch/buffer_spec.h"
#include "launch/number.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

constexpr std::string_view kTexture = "texture(";
constexpr std::string_view kSurface = "surface(";
constexpr std::string_view kFile = "file(";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// The parts between commas that are in no parentheses: file(a,b) is one.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t n = 0; n <= text.size(); ++n) {
    const bool is_end = n == text.size() || (text[n] == ',' && depth == 0);
    if (is_end) {
      parts.push_back(trimmed(text.substr(begin, n - begin)));
      begin = n + 1;
    } else if (text[n] == '(') {
      ++depth;
    } else if (text[n] == ')') {
      --depth;
    }
  }
  return parts;
}

/// The number that follows a type, as in u8x4, which is removed from `text`.
uint32_t take_channels(std::string_view& text) {
  for (const auto& [suffix, channels] : {std::pair("x2", 2u), std::pair("x4", 4u)})
    if (text.ends_with(suffix)) {
      text.remove_suffix(2);
      return channels;
    }
  return 1;
}

std::optional<AddressMode> mode_named(std::string_view name) {
  for (const AddressMode mode :
       {AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border})
    if (name_of(mode) == name) return mode;
  return {};
}

/// What the words after the texels say.
struct Options {
  Sampler sampler;
  bool is_layered = false, is_cube = false;
  uint32_t channels = 1;
};

Result<Options> parse_options(const std::vector<std::string_view>& words) {
  Options options;
  std::vector<AddressMode> modes;
  for (size_t n = 1; n < words.size(); ++n) {
    const std::string_view word = words[n];
    if (const auto mode = mode_named(word)) {
      modes.push_back(*mode);
    } else if (word == "linear") {
      options.sampler.filter = Filter::Linear;
    } else if (word == "normalized") {
      options.sampler.normalized = true;
    } else if (word == "normalized_float") {
      options.sampler.reads_float = true;
    } else if (word == "layered") {
      options.is_layered = true;
    } else if (word == "cube") {
      options.is_layered = options.is_cube = true;
    } else if (word == "x2" || word == "x4") {
      options.channels = word == "x2" ? 2 : 4;
    } else if (word != "point") {
      return fail(ErrorKind::Usage,
                  fmt::format("the options of a texture are point, linear, wrap, clamp, mirror, border, "
                              "normalized, normalized_float, layered, cube, x2 and x4; '{}' was given",
                              shortened(word)));
    }
  }
  if (modes.size() > options.sampler.address.size())
    return fail(ErrorKind::Usage, "a texture has at most three address modes, for x, y and z");
  for (size_t n = 0; n < options.sampler.address.size() && !modes.empty(); ++n)
    options.sampler.address[n] = modes[std::min(n, modes.size() - 1)];
  return options;
}

/// Over a buffer or the texels of another object.
Result<Image> over_earlier(const Launch& launch, std::string_view name, const Options& options) {
  const auto found = std::ranges::find(launch.buffers, name, &Buffer::name);
  if (name.empty() || found == launch.buffers.end())
    return fail(ErrorKind::Usage,
                fmt::format("there is no buffer '{}' before it; write TYPE[COUNT]:INIT, or the name of an "
                            "earlier buffer",
                            shortened(name)));
  const auto number = static_cast<uint32_t>(found - launch.buffers.begin());
  const auto owner = std::ranges::find_if(
      launch.images, [&](const Image& other) { return other.buffer == number && !other.is_linear; });
  if (owner != launch.images.end()) {
    if (options.is_layered || options.channels != 1)
      return fail(ErrorKind::Usage, fmt::format("'{}' says itself whether it is layered, and its channels; "
                                                "leave out layered, x2 and x4",
                                                name));
    return *owner;
  }
  Image image{.buffer = number, .channels = options.channels, .is_linear = true};
  uint64_t elements = 1;
  for (const uint64_t extent : found->shape) elements *= extent;
  image.width = elements / options.channels;
  if (options.is_layered)
    return fail(ErrorKind::Usage, "a texture over a buffer has one dimension and no layers");
  return image;
}

/// The texels of a .png have the channels that it has, those of another file one.
Result<Buffer> texels_of_file(std::string_view texels, uint32_t& channels) {
  const std::string path(texels.substr(kFile.size(), texels.size() - kFile.size() - 1));
  TRY(Buffer buffer, buffer_of_file(path));
  channels = 1;
  if (path.ends_with(".png") && buffer.shape.size() == 3) {
    channels = 4;  // there are no texels of three
    buffer.shape.back() = channels;
  }
  TRY_VOID(fill_buffer(buffer, texels));
  return buffer;
}

/// TYPE[COUNT]:INIT, where the type may end in the number of channels: the buffer's last dimension.
Result<Buffer> parse_texels(std::string_view texels, uint32_t& channels) {
  const size_t colon = texels.find(':');
  const std::string_view head = texels.substr(0, colon);
  const size_t bracket = std::min(head.find('['), head.size());
  std::string_view type = head.substr(0, bracket);
  channels = take_channels(type);
  TRY(Buffer buffer, parse_buffer_head(std::string(type).append(head.substr(bracket))));
  if (channels != 1) buffer.shape.push_back(channels);
  TRY_VOID(fill_buffer(buffer, texels.substr(colon + 1)));
  return buffer;
}

/// Whose texels are the buffer, the next of the launch.
Result<Image> with_texels(const Launch& launch, const Buffer& buffer, uint32_t channels,
                          const Options& options) {
  Image image{.buffer = static_cast<uint32_t>(launch.buffers.size()), .channels = channels};
  if (options.channels != 1)
    return fail(ErrorKind::Usage,
                "the channels of texels are a part of their type, as in f32x4[64x64]:zeros");
  std::vector<uint64_t> extents(buffer.shape.rbegin(), buffer.shape.rend());  // x first
  if (channels != 1) extents.erase(extents.begin());
  if (options.is_layered) {
    if (extents.size() == 1)
      return fail(ErrorKind::Usage, "a layered texture has the number of its layers first: f32[4x64x64]");
    image.layers = extents.back();
    image.is_cube = options.is_cube;
    extents.pop_back();
  }
  image.width = extents[0];
  if (extents.size() > 1) image.height = extents[1];
  if (extents.size() > 2) image.depth = extents[2];
  return image;
}

}  // namespace

bool is_image(std::string_view spec) { return spec.starts_with(kTexture) || spec.starts_with(kSurface); }

Result<void> add_image(Launch& launch, std::string_view name, std::string_view spec) {
  if (!spec.ends_with(')'))
    return fail(ErrorKind::Usage, "a ')' was expected at the end of a texture or surface");
  const auto parts = split(spec.substr(kTexture.size(), spec.size() - kTexture.size() - 1));
  TRY(const Options options, parse_options(parts));
  const bool is_file = parts[0].starts_with(kFile) && parts[0].ends_with(')');
  const bool has_texels = is_file || parts[0].find(':') != std::string_view::npos;
  Buffer buffer;
  Image image;
  if (has_texels) {
    uint32_t channels = 1;
    TRY(buffer, is_file ? texels_of_file(parts[0], channels) : parse_texels(parts[0], channels));
    TRY(image, with_texels(launch, buffer, channels, options));
    buffer.name = name;
  } else {
    if (!name.empty())
      return fail(ErrorKind::Usage, "a texture over a buffer has the buffer's name and no other");
    TRY(image, over_earlier(launch, parts[0], options));
  }
  image.kind = spec.starts_with(kTexture) ? ImageKind::Texture : ImageKind::Surface;
  image.sampler = options.sampler;
  const Buffer& over = has_texels ? buffer : launch.buffers[image.buffer];
  TRY_VOID(check_image(image, over.type, over.initial->size()));
  if (has_texels) launch.buffers.push_back(std::move(buffer));
  launch.arguments.emplace_back(ImageArgument{static_cast<uint32_t>(launch.images.size())});
  launch.images.push_back(image);
  return {};
}

}  // namespace lanescope::launch
