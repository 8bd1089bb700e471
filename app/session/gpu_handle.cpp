#include "session/gpu_handle.h"

#include "pipeline/gpu_tracer.h"
#include "pipeline/hazards.h"

namespace lanescope::session {

Result<std::shared_ptr<gpu::Gpu>> GpuHandle::gpu() {
  if (!exists())
    return fail(ErrorKind::Usage, "there is no GPU here; --host user@machine uses that of another machine");
  std::stop_token stop;
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return fail(ErrorKind::Cancelled, "cancelled");
    if (stop_.stop_requested()) {
      stop_ = {};
      gpu_.reset();
    }
    stop = stop_.get_token();
  }
  if (!gpu_) {
    TRY(gpu_, options_.open_gpu(stop));
  }
  return gpu_;
}

void GpuHandle::interrupt() {
  const std::scoped_lock lock(mutex_);
  stop_.request_stop();
}

void GpuHandle::end() {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  stop_.request_stop();
}

namespace {

using Runs = std::vector<std::shared_ptr<const pipeline::Run>>;

Result<Runs> run_on_gpu(Choices& choices, std::span<const pipeline::Step> steps, pipeline::RunOptions options,
                        pipeline::Execution& execution, GpuHandle& handle,
                        const std::function<void(const pipeline::Job&)>& before_step) {
  auto gpu = handle.gpu();
  if (!gpu && gpu.error().kind == ErrorKind::Cancelled) return std::unexpected(gpu.error());
  if (!gpu) {
    choices.producer = pipeline::Producer::Emulator;  // else each toggle would try to open it again
    return std::unexpected(gpu.error());
  }
  options.tracer = pipeline::gpu_tracer(*std::move(gpu), options.checks);
  auto runs = pipeline::run_steps(execution, steps, choices.device, options, before_step);
  if (!runs && runs.error().kind != ErrorKind::Unsupported) handle.close();
  return runs;
}

}  // namespace

Result<ProducedRuns> run_by_producer(Choices& choices, std::span<const pipeline::Step> steps,
                                     const pipeline::RunOptions& options, pipeline::Execution& execution,
                                     GpuHandle& gpu,
                                     const std::function<void(const pipeline::Job&)>& before_step) {
  ProducedRuns produced;
  if (choices.producer == pipeline::Producer::Gpu) {
    auto runs = run_on_gpu(choices, steps, options, execution, gpu, before_step);
    if (runs) return ProducedRuns{*std::move(runs), {}};
    if (runs.error().kind == ErrorKind::Cancelled) return std::unexpected(runs.error());
    produced.instead = runs.error();
    produced.instead->message.insert(0, "the emulator ran this kernel, since the GPU did not: ");
  }
  TRY(produced.runs, pipeline::run_steps(execution, steps, choices.device, options, before_step));
  // The emulator's error for a kernel that faulted names the line.
  if (pipeline::error_of(*produced.runs.back()->trace)) produced.instead.reset();
  return produced;
}

}  // namespace lanescope::session
