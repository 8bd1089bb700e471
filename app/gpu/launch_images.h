// A launch's textures and surfaces on the GPU: arrays, and the objects over them.
// Method: the texels are a buffer of the launch in rows; fill() copies it into the array, whose layout is the
// driver's, and collect() copies what a surface wrote back. A texture over a buffer needs no array. Source:
// CUDA Driver API, "Memory Management: cuArray3DCreate", "Texture Object Management". Tests:
// tests/unit/gpu/launch_images_test.cpp

#pragma once

#include "gpu/driver.h"
#include "launch/launch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::gpu {

class LaunchImages {
 public:
  LaunchImages() = default;
  /// `buffers` are the launch's, and outlive it.
  static Result<LaunchImages> make(const Context& context, const launch::Launch& launch,
                                   const std::vector<Buffer>& buffers);
  LaunchImages(LaunchImages&& other) noexcept;
  LaunchImages& operator=(LaunchImages&& other) noexcept;
  ~LaunchImages();

  const std::vector<uint64_t>& handles() const { return handles_; }  // [image of the launch]
  /// Queues copies of the buffers into the arrays; does not wait.
  Result<void> fill(const std::vector<Buffer>& buffers);
  /// The other way round, of those that have a surface.
  Result<void> collect(const std::vector<Buffer>& buffers);

 private:
  struct Array {
    uint32_t buffer = 0;  // of the launch
    launch::Image image;
    uint64_t row_bytes = 0;
    bool is_written = false;  // through a surface
    void* handle = nullptr;
  };
  enum class Direction : uint8_t { ToArray, FromArray };

  Result<void> add_array(const launch::Launch& launch, const launch::Image& image);
  Result<void> add_object(const launch::Launch& launch, const launch::Image& image,
                          const std::vector<Buffer>& buffers);
  Result<void> copy(const Array& array, const Buffer& buffer, Direction direction);
  const Array* array_of(uint32_t buffer) const;
  void release() noexcept;

  std::shared_ptr<ContextState> context_;
  std::vector<Array> arrays_;
  std::vector<uint64_t> handles_;
  std::vector<launch::ImageKind> kinds_;  // [handle]
};

}  // namespace lanescope::gpu
