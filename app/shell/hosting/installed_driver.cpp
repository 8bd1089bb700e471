#include "shell/hosting/installed_driver.h"

#include <array>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

namespace lanescope::shell {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";

/// Null where the library has no such function. Its types are those of cuda.h, which is not needed for three.
template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

Result<InstalledDriver> describe(void* library, const std::filesystem::path& path) {
  constexpr int kMajor = 75, kMinor = 76;  // of CUdevice_attribute: compute capability
  const auto start = function_of<int(unsigned)>(library, "cuInit");
  const auto get = function_of<int(int*, int)>(library, "cuDeviceGet");
  const auto get_name = function_of<int(char*, int, int)>(library, "cuDeviceGetName");
  const auto attribute = function_of<int(int*, int, int)>(library, "cuDeviceGetAttribute");
  if (start == nullptr || get == nullptr || get_name == nullptr || attribute == nullptr)
    return fail(ErrorKind::Unsupported,
                fmt::format("{} is not NVIDIA's driver: it lacks cuInit or others", path.string()));
  int device = 0, major = 0, minor = 0;
  std::array<char, 256> name{};
  int problem = start(0);
  if (problem == 0) problem = get(&device, 0);
  if (problem == 0) problem = get_name(name.data(), static_cast<int>(name.size()) - 1, device);
  if (problem == 0) problem = attribute(&major, kMajor, device);
  if (problem == 0) problem = attribute(&minor, kMinor, device);
  if (problem == 0) return InstalledDriver{path, name.data(), 10 * major + minor};
  return fail(
      ErrorKind::Unsupported,
      fmt::format("the driver {} finds no GPU (error {}); leave out --producer gpu to run the program "
                  "in the emulator",
                  path.string(), problem));
}

}  // namespace

Result<InstalledDriver> find_installed_driver() {
  void* const library = dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL);
  link_map* place = nullptr;
  if (library == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &place) != 0)
    return fail(ErrorKind::Unsupported,
                fmt::format("--producer gpu needs NVIDIA's driver, and {} was not found; leave it out to run "
                            "the program in the emulator",
                            kLibrary));
  std::error_code problem;
  const std::filesystem::path path = std::filesystem::canonical(place->l_name, problem);
  if (problem) return fail(ErrorKind::File, fmt::format("{}: {}", place->l_name, problem.message()));
  return describe(library, path);
}

}  // namespace lanescope::shell
