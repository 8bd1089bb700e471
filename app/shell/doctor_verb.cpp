// `lanescope doctor`: what works on this machine, and what to do about the rest.

#include "compile/compile.h"
#include "lesson/lesson.h"
#include "model/device.h"
#include "shell/verbs.h"

#include <cstdlib>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

void line(std::string_view what, bool works, const std::string& text) {
  fmt::print("{:<10} {:<4} {}\n", what, works ? "yes" : "no", text);
}

size_t files_in(const std::filesystem::path& folder, std::string_view extension) {
  size_t count = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored))
    if (entry.path().extension() == extension) ++count;
  return count;
}

void report_compiler(const Paths& paths) {
  const auto compiler = compile::find_compiler(paths.fetched, paths.installed);
  if (!compiler && paths.place == Place::Installation) {
    line("compiler", false,
         "NVRTC is not here yet: it is fetched from PyPI (65 MB) for the first kernel that must be compiled, "
         "which needs the network and Debian's python3-pip-whl or python3-pip");
    return;
  }
  if (!compiler) {
    line("compiler", false, compiler.error().message);
    return;
  }
  line("compiler", true,
       fmt::format("NVRTC {}.{} in {}", compiler->major(), compiler->minor(), compiler->library().string()));
  const auto& includes = compiler->include_directories();
  if (includes.empty())
    line("headers", false,
         "no CUDA headers next to it: kernels that include cuda_fp16.h and others do not compile; run "
         "app/run, which fetches them");
  for (const auto& folder : includes) line("headers", true, folder.string());
}

void report_driver() {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) {
    line("driver", false,
         "no NVIDIA driver (libcuda.so.1): kernels run in the emulator, which does not need one");
    return;
  }
  dlclose(driver);
  line("driver", true,
       "an NVIDIA driver was found: 'lanescope trace', 'time', 'record' and 'slices' use the GPU, and the "
       "window measures");
}

void report_counters(const Paths& paths) {
  const auto state = counters_state(paths);
  line("counters", state.has_value(), state ? *state : state.error().message);
}

void report_display() {
  // Read before this program starts a thread.
  const char* x11 = std::getenv("DISPLAY");              // NOLINT(concurrency-mt-unsafe)
  const char* wayland = std::getenv("WAYLAND_DISPLAY");  // NOLINT(concurrency-mt-unsafe)
  if (x11 != nullptr || wayland != nullptr)
    line("display", true, fmt::format("{}", x11 != nullptr ? x11 : wayland));
  else
    line("display", false,
         "neither DISPLAY nor WAYLAND_DISPLAY is set: the window cannot open; 'lanescope screenshot' and "
         "'lanescope plot' need none");
}

}  // namespace

void add_doctor_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb("doctor", "what works here, and what to do about the rest");
  verb.on_chosen([&action] {
    action = [](const Paths& paths) -> Result<int> {
      fmt::print("lanescope {}\n", LANESCOPE_VERSION);
      line("lessons", true,
           fmt::format("{}", fmt::join(lesson::lesson_names(paths.assets / "lessons"), ", ")));
      line("devices", true,
           fmt::format("{}", fmt::join(model::device_names(paths.assets / "devices"), ", ")));
      line("emulator", true, fmt::format("{} threads", std::thread::hardware_concurrency()));
      const size_t stored = files_in(paths.assets / "ptx", ".ptx");
      line("stored", stored != 0,
           fmt::format("PTX of the lessons: {} variants, which need no compiler", stored));
      report_compiler(paths);
      report_driver();
      report_counters(paths);
      report_display();
      if (paths.cache.empty())
        line("cache", false,
             "no cache folder is writable: every start compiles again; set XDG_CACHE_HOME to a folder that "
             "you "
             "can write to");
      else
        line("cache", true, paths.cache.string());
      return 0;
    };
  });
}

}  // namespace lanescope::shell
