#include "gpu/launch_images.h"

#include "gpu/driver_functions.h"

#include <algorithm>
#include <utility>

namespace lanescope::gpu {
namespace {

using launch::ElementType;

CUarray_format format_of(ElementType type) {
  switch (type) {
    case ElementType::U8:
      return CU_AD_FORMAT_UNSIGNED_INT8;
    case ElementType::I8:
      return CU_AD_FORMAT_SIGNED_INT8;
    case ElementType::U16:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case ElementType::I16:
      return CU_AD_FORMAT_SIGNED_INT16;
    case ElementType::U32:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case ElementType::I32:
      return CU_AD_FORMAT_SIGNED_INT32;
    case ElementType::F16:
      return CU_AD_FORMAT_HALF;
    default:
      return CU_AD_FORMAT_FLOAT;
  }
}

CUaddress_mode mode_of(launch::AddressMode mode) {
  switch (mode) {
    case launch::AddressMode::Wrap:
      return CU_TR_ADDRESS_MODE_WRAP;
    case launch::AddressMode::Clamp:
      return CU_TR_ADDRESS_MODE_CLAMP;
    case launch::AddressMode::Mirror:
      return CU_TR_ADDRESS_MODE_MIRROR;
    case launch::AddressMode::Border:
      return CU_TR_ADDRESS_MODE_BORDER;
  }
  return CU_TR_ADDRESS_MODE_CLAMP;
}

CUDA_TEXTURE_DESC description_of(const launch::Image& image, ElementType type) {
  const launch::Sampler& sampler = image.sampler;
  CUDA_TEXTURE_DESC texture{};
  // In a dimension that the texture lacks, a border would count half in a linear filter.
  for (size_t n = 0; n < sampler.address.size(); ++n)
    texture.addressMode[n] = n < static_cast<size_t>(launch::dimensions_of(image))
                                 ? mode_of(sampler.address[n])
                                 : CU_TR_ADDRESS_MODE_CLAMP;
  texture.filterMode =
      sampler.filter == launch::Filter::Linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (!launch::gives_float(image, type)) texture.flags |= CU_TRSF_READ_AS_INTEGER;
  if (sampler.normalized) texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  return texture;
}

/// Layers, or the depth; 0: there is neither.
uint64_t slices_of(const launch::Image& image) { return image.layers != 0 ? image.layers : image.depth; }

/// tld4 reads arrays of two dimensions that are made for it.
bool may_be_gathered(const launch::Image& image) {
  constexpr uint64_t kLargest = 32768;
  return image.height != 0 && slices_of(image) == 0 && image.width <= kLargest && image.height <= kLargest;
}

}  // namespace

LaunchImages::LaunchImages(LaunchImages&& other) noexcept
    : context_(std::move(other.context_)),
      arrays_(std::exchange(other.arrays_, {})),
      handles_(std::exchange(other.handles_, {})),
      kinds_(std::exchange(other.kinds_, {})) {}

LaunchImages& LaunchImages::operator=(LaunchImages&& other) noexcept {
  release();
  context_ = std::move(other.context_);
  arrays_ = std::exchange(other.arrays_, {});
  handles_ = std::exchange(other.handles_, {});
  kinds_ = std::exchange(other.kinds_, {});
  return *this;
}

LaunchImages::~LaunchImages() { release(); }

void LaunchImages::release() noexcept {
  if (context_ != nullptr && !context_->is_abandoned) {
    const DriverFunctions& driver = context_->driver.functions();
    for (size_t n = 0; n < handles_.size(); ++n)
      kinds_[n] == launch::ImageKind::Texture ? driver.texture_destroy(handles_[n])
                                              : driver.surface_destroy(handles_[n]);
    for (const Array& array : arrays_) driver.array_destroy(static_cast<CUarray>(array.handle));
  }
  handles_.clear();
  kinds_.clear();
  arrays_.clear();
}

Result<LaunchImages> LaunchImages::make(const Context& context, const launch::Launch& launch,
                                        const std::vector<Buffer>& buffers) {
  LaunchImages made;
  made.context_ = context.state();
  for (const launch::Image& image : launch.images) {
    if (!image.is_linear && made.array_of(image.buffer) == nullptr) TRY_VOID(made.add_array(launch, image));
    TRY_VOID(made.add_object(launch, image, buffers));
  }
  return made;
}

const LaunchImages::Array* LaunchImages::array_of(uint32_t buffer) const {
  const auto found = std::ranges::find(arrays_, buffer, &Array::buffer);
  return found == arrays_.end() ? nullptr : &*found;
}

Result<void> LaunchImages::add_array(const launch::Launch& launch, const launch::Image& image) {
  const DriverFunctions& driver = context_->driver.functions();
  const ElementType type = launch.buffers[image.buffer].type;
  Array array{.buffer = image.buffer,
              .image = image,
              .row_bytes = image.width * image.channels * launch::size_bytes(type)};
  array.is_written = std::ranges::any_of(launch.images, [&](const launch::Image& other) {
    return other.buffer == image.buffer && other.kind == launch::ImageKind::Surface;
  });
  CUDA_ARRAY3D_DESCRIPTOR wanted{};
  wanted.Width = image.width;
  wanted.Height = image.height;
  wanted.Depth = slices_of(image);
  wanted.Format = format_of(type);
  wanted.NumChannels = image.channels;
  const bool is_one_cube = image.is_cube && image.layers == launch::kFacesOfCube;
  if (image.layers != 0 && !is_one_cube) wanted.Flags |= CUDA_ARRAY3D_LAYERED;
  if (image.is_cube) wanted.Flags |= CUDA_ARRAY3D_CUBEMAP;
  if (array.is_written) wanted.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
  if (may_be_gathered(image)) wanted.Flags |= CUDA_ARRAY3D_TEXTURE_GATHER;
  CUarray handle = nullptr;
  TRY_VOID(check(driver, "cuArray3DCreate", "an array of texels", driver.array_create(&handle, &wanted)));
  array.handle = handle;
  arrays_.push_back(array);
  return {};
}

Result<void> LaunchImages::add_object(const launch::Launch& launch, const launch::Image& image,
                                      const std::vector<Buffer>& buffers) {
  const DriverFunctions& driver = context_->driver.functions();
  const ElementType type = launch.buffers[image.buffer].type;
  CUDA_RESOURCE_DESC resource{};
  if (const Array* array = array_of(image.buffer); array != nullptr && !image.is_linear) {
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = static_cast<CUarray>(array->handle);
  } else {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = buffers[image.buffer].address();
    resource.res.linear.format = format_of(type);
    resource.res.linear.numChannels = image.channels;
    resource.res.linear.sizeInBytes = image.width * image.channels * launch::size_bytes(type);
  }
  uint64_t handle = 0;
  if (image.kind == launch::ImageKind::Surface) {
    CUsurfObject surface = 0;
    TRY_VOID(check(driver, "cuSurfObjectCreate", "a surface", driver.surface_create(&surface, &resource)));
    handle = surface;
  } else {
    const CUDA_TEXTURE_DESC texture = description_of(image, type);
    CUtexObject object = 0;
    TRY_VOID(check(driver, "cuTexObjectCreate", "a texture",
                   driver.texture_create(&object, &resource, &texture, nullptr)));
    handle = object;
  }
  handles_.push_back(handle);
  kinds_.push_back(image.kind);
  return {};
}

Result<void> LaunchImages::copy(const Array& array, const Buffer& buffer, Direction direction) {
  const DriverFunctions& driver = context_->driver.functions();
  const auto at_least_one = [](uint64_t extent) { return std::max<uint64_t>(extent, 1); };
  CUDA_MEMCPY3D wanted{};
  wanted.WidthInBytes = array.row_bytes;
  wanted.Height = at_least_one(array.image.height);
  wanted.Depth = at_least_one(slices_of(array.image));
  auto* const handle = static_cast<CUarray>(array.handle);
  if (direction == Direction::ToArray) {
    wanted.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    wanted.srcDevice = buffer.address();
    wanted.srcPitch = array.row_bytes;
    wanted.srcHeight = wanted.Height;
    wanted.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    wanted.dstArray = handle;
  } else {
    wanted.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    wanted.srcArray = handle;
    wanted.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    wanted.dstDevice = buffer.address();
    wanted.dstPitch = array.row_bytes;
    wanted.dstHeight = wanted.Height;
  }
  return check(driver, "cuMemcpy3DAsync", "an array of texels", driver.queue_copy_3d(&wanted, nullptr));
}

Result<void> LaunchImages::fill(const std::vector<Buffer>& buffers) {
  for (const Array& array : arrays_) TRY_VOID(copy(array, buffers[array.buffer], Direction::ToArray));
  return {};
}

Result<void> LaunchImages::collect(const std::vector<Buffer>& buffers) {
  for (const Array& array : arrays_)
    if (array.is_written) TRY_VOID(copy(array, buffers[array.buffer], Direction::FromArray));
  return {};
}

}  // namespace lanescope::gpu
