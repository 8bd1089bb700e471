// Copies that read what other streams write: which are noted, as a GPU may read too early there, and which
// wait.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <cstring>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr size_t kBytes = 4096;

/// Memory and streams of a program. Stream numbers begin with 3.
struct Scene {
  Scene() {
    start_program();
    EXPECT_EQ(cuMemAlloc(&memory, kBytes), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc(&other, kBytes), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAllocHost(&pinned, kBytes), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamCreate(&blocking, CU_STREAM_DEFAULT), CUDA_SUCCESS);
    EXPECT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  }
  void fill(CUstream stream, size_t from = 0, size_t bytes = kBytes) const {
    EXPECT_EQ(cuMemsetD8Async(memory + from, 1, bytes, stream), CUDA_SUCCESS);
  }
  void read(CUstream stream, size_t from = 0, size_t bytes = kBytes) const {
    EXPECT_EQ(cuMemcpyDtoHAsync(pinned, memory + from, bytes, stream), CUDA_SUCCESS);
  }
  CUdeviceptr memory = 0, other = 0;
  void* pinned = nullptr;
  CUstream first = nullptr, second = nullptr, blocking = nullptr;
  CUevent event = nullptr;
};

/// What is noted of a program.
std::vector<std::string> notes_of(const std::function<void(const Scene&)>& body) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [&] { body(Scene()); });
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  return server.record().notes;
}

TEST(DriverOrder, a_copy_that_does_not_wait_for_another_stream_is_noted) {
  const auto notes = notes_of([](const Scene& scene) {
    scene.fill(scene.first);
    scene.read(scene.second);
  });
  EXPECT_THAT(notes,
              ElementsAre(HasSubstr("cuMemcpyDtoH on stream 4 reads what cuMemsetD8 on stream 3 writes, "
                                    "and nothing makes it wait")));
}

TEST(DriverOrder, work_of_one_stream_is_in_order) {
  EXPECT_THAT(notes_of([](const Scene& scene) {
                scene.fill(scene.first);
                scene.read(scene.first);
              }),
              IsEmpty());
}

TEST(DriverOrder, the_host_can_wait_for_the_stream_its_event_or_everything) {
  const auto notes = notes_of([](const Scene& scene) {
    scene.fill(scene.first);
    EXPECT_EQ(cuStreamSynchronize(scene.first), CUDA_SUCCESS);
    scene.read(scene.second);
    scene.fill(scene.first);
    EXPECT_EQ(cuEventRecord(scene.event, scene.first), CUDA_SUCCESS);
    EXPECT_EQ(cuEventSynchronize(scene.event), CUDA_SUCCESS);
    scene.read(scene.second);
    scene.fill(scene.first);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    scene.read(scene.second);
    scene.fill(scene.first);
    while (cuStreamQuery(scene.first) == CUDA_ERROR_NOT_READY) continue;
    scene.read(scene.second);
  });
  EXPECT_THAT(notes, IsEmpty());
}

TEST(DriverOrder, waiting_for_the_wrong_stream_or_a_too_early_event_does_not_help) {
  EXPECT_EQ(notes_of([](const Scene& scene) {
              scene.fill(scene.first);
              EXPECT_EQ(cuStreamSynchronize(scene.second), CUDA_SUCCESS);
              scene.read(scene.second);
            }).size(),
            1u);
  EXPECT_EQ(notes_of([](const Scene& scene) {
              EXPECT_EQ(cuEventRecord(scene.event, scene.first), CUDA_SUCCESS);
              scene.fill(scene.first);
              EXPECT_EQ(cuStreamWaitEvent(scene.second, scene.event, 0), CUDA_SUCCESS);
              scene.read(scene.second);
            }).size(),
            1u);
}

TEST(DriverOrder, a_stream_can_wait_for_an_event_also_by_way_of_a_third_stream) {
  const auto notes = notes_of([](const Scene& scene) {
    scene.fill(scene.first);
    EXPECT_EQ(cuEventRecord(scene.event, scene.first), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitEvent(scene.blocking, scene.event, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(scene.event, scene.blocking), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitEvent(scene.second, scene.event, 0), CUDA_SUCCESS);
    scene.read(scene.second);
  });
  EXPECT_THAT(notes, IsEmpty());
}

TEST(DriverOrder, the_default_stream_waits_for_blocking_streams_alone) {
  EXPECT_THAT(notes_of([](const Scene& scene) {
                std::vector<char> bytes(kBytes);
                scene.fill(scene.blocking);
                EXPECT_EQ(cuMemcpyDtoH(bytes.data(), scene.memory, kBytes), CUDA_SUCCESS);
                scene.read(scene.second);  // the host has waited for the copy, and so for the stream
              }),
              IsEmpty());
  EXPECT_THAT(notes_of([](const Scene& scene) {
                std::vector<char> bytes(kBytes);
                scene.fill(scene.first);
                EXPECT_EQ(cuMemcpyDtoH(bytes.data(), scene.memory, kBytes), CUDA_SUCCESS);
              }),
              ElementsAre(HasSubstr("cuMemcpyDtoH on the default stream reads what")));
}

TEST(DriverOrder, parts_of_memory_that_do_not_overlap_need_no_order) {
  EXPECT_THAT(notes_of([](const Scene& scene) {
                scene.fill(scene.first, 0, kBytes / 2);
                scene.read(scene.second, kBytes / 2, kBytes / 2);
              }),
              IsEmpty());
}

TEST(DriverOrder, a_copy_between_host_and_pinned_memory_is_work_too) {
  const auto notes = notes_of([](const Scene& scene) {
    scene.read(scene.first);
    EXPECT_EQ(cuMemcpyHtoDAsync(scene.other, scene.pinned, kBytes, scene.second), CUDA_SUCCESS);
  });
  EXPECT_THAT(notes, ElementsAre(HasSubstr("cuMemcpyHtoD on stream 4 reads what cuMemcpyDtoH on stream 3")));
}

TEST(DriverOrder, the_host_waits_for_a_copy_to_memory_that_is_not_pinned) {
  EXPECT_THAT(notes_of([](const Scene& scene) {
                std::vector<char> bytes(kBytes);
                EXPECT_EQ(cuMemcpyDtoHAsync(bytes.data(), scene.memory, kBytes, scene.first), CUDA_SUCCESS);
                EXPECT_EQ(cuMemcpyHtoDAsync(scene.memory, bytes.data(), kBytes, scene.second), CUDA_SUCCESS);
              }),
              IsEmpty());
}

TEST(DriverOrder, a_kernel_is_named_and_only_the_ends_of_what_it_wrote_count) {
  const auto notes = notes_of([](const Scene& scene) {
    const CUfunction writes = kernel(load_module(), "writes");  // the first 100 bytes
    CUdeviceptr memory = scene.memory;
    void* values[] = {&memory};
    EXPECT_EQ(cuLaunchKernel(writes, 1, 1, 1, 32, 1, 1, 0, scene.first, values, nullptr), CUDA_SUCCESS);
    scene.read(scene.second, 100, 100);
    scene.read(scene.second, 40, 20);
    scene.read(scene.second, 99, 1);
  });
  EXPECT_THAT(notes, ElementsAre(HasSubstr("reads what kernel writes on stream 3 writes")));
}

TEST(DriverOrder, memory_that_was_freed_is_forgotten) {
  EXPECT_THAT(notes_of([](const Scene& scene) {
                scene.fill(scene.first);
                EXPECT_EQ(cuMemFree(scene.other), CUDA_SUCCESS);  // waits for all work
                scene.read(scene.second);
              }),
              IsEmpty());
}

TEST(DriverOrder, more_streams_than_are_ordered_give_no_false_notes) {
  const auto notes = notes_of([](const Scene& scene) {
    CUstream last = nullptr;
    for (int n = 0; n < 40; ++n) EXPECT_EQ(cuStreamCreate(&last, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    scene.fill(scene.first);
    EXPECT_EQ(cuEventRecord(scene.event, scene.first), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitEvent(last, scene.event, 0), CUDA_SUCCESS);
    scene.read(last);
    EXPECT_EQ(cuStreamSynchronize(last), CUDA_SUCCESS);
    scene.read(scene.second);
  });
  EXPECT_THAT(notes, IsEmpty());
}

TEST(DriverOrder, streams_that_end_with_their_context_make_room_for_others) {
  const auto notes = notes_of([](const Scene& scene) {
    CUcontext context = nullptr;
    CUstream late = nullptr;
    EXPECT_EQ(cuCtxCreate(&context, nullptr, 0, 0), CUDA_SUCCESS);
    for (int n = 0; n < 40; ++n) EXPECT_EQ(cuStreamCreate(&late, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamCreate(&late, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    scene.fill(late);
    scene.read(scene.first);
  });
  EXPECT_THAT(notes, ElementsAre(HasSubstr("reads what cuMemsetD8 on stream 46 writes")));
}

}  // namespace
}  // namespace lanescope::driver
