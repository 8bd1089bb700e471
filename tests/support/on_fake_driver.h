// The GPU of fake_driver.h, ready for the objects of app/gpu.

#pragma once

#include "gpu/driver.h"
#include "support/fake_driver.h"
#include "support/project.h"

#include <sstream>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace lanescope::tests {

class FakeDriver {
 public:
  explicit FakeDriver(uint64_t memory_bytes) {
    void* library = dlopen(fake_driver_library().c_str(),
                           RTLD_NOW | RTLD_LOCAL);  // stays open: what it notes lives there
    if (library == nullptr) throw std::runtime_error(dlerror());
    reinterpret_cast<decltype(&fake_driver_begin)>(dlsym(library, "fake_driver_begin"))(memory_bytes);
    notes_ = reinterpret_cast<decltype(&fake_driver_notes)>(dlsym(library, "fake_driver_notes"));
  }

  static gpu::Context context() {
    const auto driver = gpu::Driver::open(fake_driver_library());
    return gpu::Context::make(driver.value()).value();
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> lines;
    std::istringstream all(notes_());
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    return lines;
  }

 private:
  decltype(&fake_driver_notes) notes_ = nullptr;
};

}  // namespace lanescope::tests
