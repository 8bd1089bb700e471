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

Result<std::shared_ptr<const pipeline::Run>> run_on_gpu(Snapshot& snapshot, const pipeline::Job& job,
                                                        pipeline::RunOptions options,
                                                        pipeline::Execution& execution, GpuHandle& place) {
  auto gpu = place.gpu();
  if (!gpu && gpu.error().kind == ErrorKind::Cancelled) return std::unexpected(gpu.error());
  if (!gpu) {
    snapshot.choices.producer = pipeline::Producer::Emulator;  // else every toggle would wait for it again
    return std::unexpected(gpu.error());
  }
  options.tracer = pipeline::gpu_tracer(*std::move(gpu));
  auto run = execution.run(job, snapshot.choices.device, options);
  if (!run && run.error().kind != ErrorKind::Unsupported) place.close();
  return run;
}

}  // namespace

Result<std::shared_ptr<const pipeline::Run>> run_by_producer(Snapshot& snapshot, const pipeline::Job& job,
                                                             const pipeline::RunOptions& options,
                                                             pipeline::Execution& execution, GpuHandle& gpu) {
  if (snapshot.choices.producer == pipeline::Producer::Gpu) {
    auto run = run_on_gpu(snapshot, job, options, execution, gpu);
    if (run || run.error().kind == ErrorKind::Cancelled) return run;
    snapshot.error = run.error();
    snapshot.error->message.insert(0, "the emulator ran this kernel, since the GPU did not: ");
  }
  auto run = execution.run(job, snapshot.choices.device, options);
  // What the emulator says of a kernel that faulted names the line.
  if (run && pipeline::error_of(*(*run)->trace)) snapshot.error.reset();
  return run;
}

}  // namespace lanescope::session
