// Replaces the GPU verbs if the program was built without CUDA's headers.

#include "shell/gpu_producer.h"
#include "shell/verbs.h"

namespace lanescope::shell {
namespace {

void add(const Verb& program, Action& action, const char* name, const char* text) {
  const Verb verb = program.add_verb(name, text);
  verb.ignore_arguments();
  verb.on_chosen([&action, name] {
    action = [name](const Paths&) -> Result<int> {
      return fail(ErrorKind::Unsupported, std::string("'") + name +
                                              "' needs CUDA's headers when the program is built, and they "
                                              "were not found; run app/run, which fetches them");
    };
  });
}

}  // namespace

void add_time_verb(const Verb& program, Action& action) {
  add(program, action, "time", "time a kernel on this machine's GPU (not in this build)");
}
void add_record_verb(const Verb& program, Action& action) {
  add(program, action, "record", "time every lesson on this machine's GPU (not in this build)");
}
void add_slices_verb(const Verb& program, Action& action) {
  add(program, action, "slices", "which slice of a GPU's L2 serves an address (not in this build)");
}

void add_serve_verb(const Verb& program, Action& action) {
  add(program, action, "serve", "serve this machine's GPU to another Lanescope (not in this build)");
}

void offer_gpu(pipeline::Options&, const GpuChoice&, const Paths&) {}

Result<std::string> counters_state(const Paths&) {
  return fail(ErrorKind::Unsupported,
              "the hardware counters need CUDA's headers when the program is built; run app/run, which "
              "fetches them");
}

void add_gpu_choice(const Verb&, GpuChoice&) {}

Result<pipeline::Tracer> gpu_producer(const GpuChoice&, const Paths&, emulator::Checks) {
  return fail(ErrorKind::Unsupported,
              "--producer gpu needs CUDA's headers when the program is built, and they were not found; run "
              "app/run, which fetches them");
}

}  // namespace lanescope::shell
