#include "shell/hosting/toolkit_folder.h"

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// In place of NVIDIA's (driver/libraries).
constexpr std::array kLibraries{"libcublas.so.13", "libcublasLt.so.13", "libcurand.so.10", "libcufft.so.12"};

/// Links in `folder` to what is in `real`, but for names that are there already.
void link_all(const fs::path& real, const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(real, ignored))
    fs::create_symlink(entry.path(), folder / entry.path().filename(), ignored);
}

/// The name of the runtime library that the toolkit's programs load: "libcudart.so.13".
std::string runtime_of(const fs::path& real) {
  std::error_code ignored;
  for (const char* name : {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"})
    for (const char* folder : {"lib64", "lib"})
      if (fs::exists(real / folder / name, ignored)) return name;
  return "libcudart.so.13";
}

void fill_libraries(const fs::path& real, const fs::path& libraries, const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder / "stubs", ignored);
  const std::string runtime = runtime_of(real);
  for (const char* name : {"libcuda.so", "libcuda.so.1"}) {
    fs::create_symlink(libraries / "libcuda.so.1", folder / name, ignored);
    fs::create_symlink(libraries / "libcuda.so.1", folder / "stubs" / name, ignored);
  }
  fs::create_symlink(libraries / runtime, folder / runtime, ignored);
  // What nvcc compiled needs the library of C++, which gcc alone does not link.
  std::ofstream(folder / "libcudart.so")
      << fmt::format("INPUT ( {} AS_NEEDED ( -lstdc++ ) )\n", (libraries / runtime).string());
  std::ofstream(folder / "libcudart_static.a")
      << fmt::format("INPUT ( {} )\n", (libraries / runtime).string());
  for (const char* name : kLibraries) {
    if (!fs::exists(libraries / name, ignored)) continue;
    const std::string stem = std::string(name).substr(0, std::string_view(name).find(".so"));
    fs::create_symlink(libraries / name, folder / name, ignored);
    fs::create_symlink(libraries / name, folder / (stem + ".so"), ignored);
    std::ofstream(folder / (stem + "_static.a"))
        << fmt::format("INPUT ( {} )\n", (libraries / name).string());
  }
  for (const char* name : {"lib64", "lib"}) link_all(real / name, folder);
}

/// The headers of the toolkit, and Lanescope's where it lacks them.
void fill_headers(const fs::path& real, const fs::path& libraries, const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(real / "cublas_v2.h", ignored)) return;  // all are there: a link to the folder does
  fs::create_directory(folder, ignored);
  link_all(real, folder);
  link_all(libraries / "include", folder);
}

}  // namespace

void fill_toolkit_folder(const compile::Toolkit& real, const fs::path& libraries, const fs::path& folder) {
  std::error_code ignored;
  fs::create_directory(folder / "bin", ignored);
  fs::create_symlink(libraries / "tools/nvcc", folder / "bin/nvcc", ignored);
  link_all(real.folder / "bin", folder / "bin");
  fill_libraries(real.folder, libraries, folder / "lib64");
  fill_headers(real.folder / "include", libraries, folder / "include");
  fs::create_symlink("lib64", folder / "lib", ignored);
  link_all(real.folder, folder);
}

Result<TemporaryFolder> make_toolkit_folder(const compile::Toolkit& real, const fs::path& libraries) {
  TRY(TemporaryFolder folder, TemporaryFolder::make("toolkit"));
  fill_toolkit_folder(real, libraries, folder.path());
  return folder;
}

}  // namespace lanescope::shell
