// The producers of a session: the emulator, and a scripted GPU with its traces, refusals, faults and hangs.

#include "pipeline/producer.h"

#include "emulator/run.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "session/gpu_handle.h"
#include "session/session.h"
#include "support/fake_gpu.h"
#include "support/project.h"
#include "trace/traffic.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using ::testing::HasSubstr;

/// What the GPUs of a test are to do, and how often they were used.
struct GpuScript {
  std::optional<Error> opening, tracing;
  bool hangs = false, opening_throws = false, tracing_throws = false;
  int opened = 0, traced = 0;
  std::mutex mutex;
  std::condition_variable_any waits;
  bool waiting = false;
};

/// Traces like a GPU: addresses and nothing else, which are the emulator's here.
class TracingGpu final : public tests::FakeGpu {
 public:
  TracingGpu(GpuScript& script, std::stop_token stop) : script_(script), stop_(std::move(stop)) {}

  Result<gpu::TracedRun> trace(const gpu::Kernel& kernel, const launch::Launch& launch, const trace::Trace&,
                               const trace::Keep& keep) override {
    ++script_.traced;
    if (script_.hangs) return wait();
    if (script_.tracing_throws) throw std::bad_alloc();
    if (script_.tracing) return std::unexpected(*script_.tracing);
    TRY(const ptx::Module module, ptx::parse(kernel.ptx, kernel.name));
    TRY(const ptx::Program program, ptx::lower(module, kernel.entry));
    trace::Keep addresses = keep;
    addresses.values_of.reset();
    TRY(emulator::Recording recording, emulator::record(program, launch, model::cost_of, addresses, {}));
    recording.trace.provenance = Provenance::Traced;
    return gpu::TracedRun{.trace = std::move(recording.trace), .buffers = std::move(recording.buffers)};
  }

 private:
  Result<gpu::TracedRun> wait() {
    std::unique_lock lock(script_.mutex);
    script_.waiting = true;
    script_.waits.notify_all();
    script_.waits.wait(lock, stop_, [] { return false; });
    return fail(ErrorKind::Cancelled, "cancelled");
  }

  GpuScript& script_;
  std::stop_token stop_;
};

class ProducerTest : public testing::Test {
 protected:
  pipeline::Options options() {
    const std::filesystem::path project = tests::source_dir();
    pipeline::Options options;
    options.assets = project / "assets";
    options.fetched = project / ".cache/third_party";
    options.cache = project / ".cache/ptx";
    options.kernels = project / "kernels";
    options.threads = 1;
    options.open_gpu = [this](std::stop_token stop) -> Result<std::unique_ptr<gpu::Gpu>> {
      ++script_.opened;
      if (script_.opening_throws) throw std::runtime_error("a wire came off");
      if (script_.opening) return std::unexpected(*script_.opening);
      return std::make_unique<TracingGpu>(script_, std::move(stop));
    };
    return options;
  }
  template <class... Commands>
  std::shared_ptr<const Snapshot> after(Session& session, Commands... commands) {
    (session.post(commands), ...);
    session.wait_until_idle();
    return session.latest();
  }
  void wait_until_the_gpu_hangs() {
    std::unique_lock lock(script_.mutex);
    script_.waits.wait(lock, [&] { return script_.waiting; });
  }

  GpuScript script_;
};

TEST_F(ProducerTest, the_gpus_trace_is_measured_and_costs_what_the_emulators_does) {
  Session session(options());
  const auto emulated = after(session, OpenLesson{"transpose"});
  EXPECT_EQ(emulated->run->trace->provenance, Provenance::Emulated);
  EXPECT_FALSE(emulated->selection.lanes[0].value.empty());
  EXPECT_EQ(script_.opened, 0) << "it was not needed yet";
  const auto measured = after(session, SetProducer{pipeline::Producer::Gpu});
  ASSERT_FALSE(measured->error) << measured->error->message;
  EXPECT_EQ(measured->choices.producer, pipeline::Producer::Gpu);
  EXPECT_EQ(measured->run->trace->provenance, Provenance::Traced);
  EXPECT_EQ(trace::total_of(*measured->run->trace, trace::Space::Global, trace::Traffic::Store).sectors,
            trace::total_of(*emulated->run->trace, trace::Space::Global, trace::Traffic::Store).sectors);
  EXPECT_EQ(measured->selection.lanes[0].address, emulated->selection.lanes[0].address);
  EXPECT_TRUE(measured->selection.lanes[0].value.empty());
  EXPECT_EQ(measured->run->output_correct, true);
}

TEST_F(ProducerTest, toggles_run_on_the_gpu_and_another_block_is_looked_up) {
  Session session(options());
  after(session, OpenLesson{"transpose"}, SetProducer{pipeline::Producer::Gpu});
  after(session, SetToggle{"padding", "1"});
  EXPECT_EQ(script_.traced, 2);
  const auto now = after(session, SelectBlock{{1}});
  EXPECT_EQ(script_.traced, 2);
  EXPECT_EQ(now->selection.current->traced.access.cta, CtaId{1});
  EXPECT_EQ(script_.opened, 1);
}

TEST_F(ProducerTest, the_gpu_can_be_chosen_before_the_first_run) {
  pipeline::Options chosen = options();
  chosen.producer = pipeline::Producer::Gpu;
  Session session(chosen);
  EXPECT_EQ(after(session, OpenLesson{"transpose"})->run->trace->provenance, Provenance::Traced);
}

TEST_F(ProducerTest, a_kernel_that_the_gpu_refuses_runs_in_the_emulator_with_the_reason) {
  script_.tracing = Error{ErrorKind::Unsupported, "this kernel prints"};
  Session session(options());
  const auto now = after(session, OpenLesson{"transpose"}, SetProducer{pipeline::Producer::Gpu});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("the emulator ran this kernel"));
  EXPECT_THAT(now->error->message, HasSubstr("this kernel prints"));
  EXPECT_EQ(now->run->trace->provenance, Provenance::Emulated);
  EXPECT_EQ(now->choices.producer, pipeline::Producer::Gpu) << "the next kernel may be one that it takes";
  after(session, SetToggle{"padding", "1"});
  EXPECT_EQ(script_.opened, 1);
}

TEST_F(ProducerTest, after_a_fault_the_gpu_is_opened_again) {
  script_.tracing = Error{ErrorKind::Memory, "the kernel faulted"};
  Session session(options());
  const auto fault = after(session, OpenLesson{"transpose"}, SetProducer{pipeline::Producer::Gpu});
  EXPECT_THAT(fault->error->message, HasSubstr("the kernel faulted"));
  script_.tracing.reset();
  const auto now = after(session, SetToggle{"padding", "1"});
  EXPECT_FALSE(now->error);
  EXPECT_EQ(now->run->trace->provenance, Provenance::Traced);
  EXPECT_EQ(script_.opened, 2);
}

TEST_F(ProducerTest, a_gpu_that_cannot_be_opened_makes_the_emulator_the_producer) {
  script_.opening = Error{ErrorKind::File, "no connection"};
  Session session(options());
  const auto now = after(session, OpenLesson{"transpose"}, SetProducer{pipeline::Producer::Gpu});
  EXPECT_EQ(now->error->message, "no connection");
  EXPECT_EQ(now->choices.producer, pipeline::Producer::Emulator);
  EXPECT_EQ(now->run->trace->provenance, Provenance::Emulated);
}

TEST_F(ProducerTest, without_a_gpu_the_emulator_is_the_producer) {
  pipeline::Options none = options();
  none.open_gpu = {};
  none.producer = pipeline::Producer::Gpu;
  Session session(none);
  const auto now = after(session, OpenLesson{"transpose"});
  EXPECT_FALSE(now->available.has_gpu);
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("--host"));
  EXPECT_EQ(now->choices.producer, pipeline::Producer::Emulator);
  EXPECT_EQ(now->run->trace->provenance, Provenance::Emulated);
}

TEST_F(ProducerTest, a_hanging_gpu_is_abandoned_for_the_emulator) {
  script_.hangs = true;
  Session session(options());
  session.post(OpenLesson{"transpose"});
  session.post(SetProducer{pipeline::Producer::Gpu});
  wait_until_the_gpu_hangs();
  const auto now = after(session, SetProducer{pipeline::Producer::Emulator});
  EXPECT_FALSE(now->error);
  EXPECT_EQ(now->run->trace->provenance, Provenance::Emulated);
}

TEST_F(ProducerTest, a_hanging_gpu_is_abandoned_also_while_a_command_waits_for_its_run) {
  script_.hangs = true;
  Session session(options());
  session.post(OpenLesson{"transpose"});
  session.post(SetProducer{pipeline::Producer::Gpu});
  wait_until_the_gpu_hangs();
  const auto now = after(session, Step{}, SetProducer{pipeline::Producer::Emulator});
  EXPECT_FALSE(now->error);
  EXPECT_EQ(now->run->trace->provenance, Provenance::Emulated);
  EXPECT_EQ(now->selection.access, 1u);
}

TEST_F(ProducerTest, the_reason_for_the_emulator_stays_until_the_next_run) {
  script_.tracing = Error{ErrorKind::Unsupported, "this kernel prints"};
  Session session(options());
  const auto now =
      after(session, OpenLesson{"transpose"}, SetProducer{pipeline::Producer::Gpu}, ShowHistory{}, Step{});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("this kernel prints"));
  script_.tracing.reset();
  EXPECT_FALSE(after(session, SetToggle{"padding", "1"})->error);
}

TEST_F(ProducerTest, an_exception_becomes_an_error_and_the_session_continues) {
  script_.tracing_throws = true;
  Session session(options());
  after(session, OpenLesson{"transpose"});
  auto now = after(session, SetProducer{pipeline::Producer::Gpu});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("not enough memory"));
  EXPECT_EQ(now->run->trace->provenance, Provenance::Emulated) << "the run before";
  EXPECT_FALSE(now->busy);
  script_.tracing_throws = false;
  now = after(session, SetToggle{"padding", "1"});
  EXPECT_FALSE(now->error);
  EXPECT_EQ(now->run->trace->provenance, Provenance::Traced);
}

TEST_F(ProducerTest, a_command_that_throws_changes_nothing) {
  script_.opening_throws = true;
  Session session(options());
  const auto now = after(session, OpenLesson{"transpose"}, SetProducer{pipeline::Producer::Gpu});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("a wire came off"));
  EXPECT_EQ(now->choices.producer, pipeline::Producer::Emulator);
  EXPECT_FALSE(after(session, Step{})->error);
}

TEST_F(ProducerTest, an_interrupted_gpu_is_opened_again_but_not_after_the_end) {
  const pipeline::Options chosen = options();
  GpuHandle place(chosen);
  EXPECT_TRUE(place.gpu());
  EXPECT_TRUE(place.gpu());
  EXPECT_EQ(script_.opened, 1);
  place.interrupt();
  EXPECT_TRUE(place.gpu());
  EXPECT_EQ(script_.opened, 2);
  place.end();
  EXPECT_EQ(place.gpu().error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(script_.opened, 2);
}

TEST_F(ProducerTest, closing_does_not_wait_for_a_gpu) {
  script_.hangs = true;
  auto session = std::make_unique<Session>(options());
  session->post(OpenLesson{"transpose"});
  session->post(SetProducer{pipeline::Producer::Gpu});
  wait_until_the_gpu_hangs();
  session.reset();
  EXPECT_EQ(script_.traced, 1);
}

}  // namespace
}  // namespace lanescope::session
