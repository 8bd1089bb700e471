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

Result<std::shared_ptr<const pipeline::Run>> run_on_gpu(Choices& choices, const pipeline::Job& job,
                                                        pipeline::RunOptions options,
                                                        pipeline::Execution& execution, GpuHandle& handle) {
  auto gpu = handle.gpu();
  if (!gpu && gpu.error().kind == ErrorKind::Cancelled) return std::unexpected(gpu.error());
  if (!gpu) {
    choices.producer = pipeline::Producer::Emulator;  // else each toggle would try to open it again
    return std::unexpected(gpu.error());
  }
  options.tracer = pipeline::gpu_tracer(*std::move(gpu), options.checks);
  auto run = execution.run(job, choices.device, options);
  if (!run && run.error().kind != ErrorKind::Unsupported) handle.close();
  return run;
}

}  // namespace

Result<ProducedRun> run_by_producer(Choices& choices, const pipeline::Job& job,
                                    const pipeline::RunOptions& options, pipeline::Execution& execution,
                                    GpuHandle& gpu) {
  ProducedRun produced;
  if (choices.producer == pipeline::Producer::Gpu) {
    auto run = run_on_gpu(choices, job, options, execution, gpu);
    if (run) return ProducedRun{*std::move(run), {}};
    if (run.error().kind == ErrorKind::Cancelled) return std::unexpected(run.error());
    produced.gpu_error = run.error();
    produced.gpu_error->message.insert(0, "the emulator ran this kernel, since the GPU did not: ");
  }
  TRY(produced.run, execution.run(job, choices.device, options));
  // The emulator's error for a kernel that faulted names the line.
  if (pipeline::error_of(*produced.run->trace)) produced.gpu_error.reset();
  return produced;
}

}  // namespace lanescope::session
