// The transforms of cuFFT: each of a batch is loaded as a whole into complex numbers of double precision,
// transformed along each dimension, and stored.
#include "driver/libraries/call.h"
#include "driver/libraries/cufft/plan.h"
#include "driver/libraries/cufft/transform.h"
#include "driver/libraries/number.h"

#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/// A transform that runs: its plan and the memory of one of its batch.
struct Run {
  struct FftPlan plan;
  int number;  // the type of its numbers
  int sign;
  double complex *values, *line;  // [x][y][z]; one line of a dimension
};

static size_t place_in(const struct FftLayout* layout, size_t batch, size_t x, size_t y, size_t z) {
  return batch * layout->distance + ((x * layout->embed[1] + y) * layout->embed[2] + z) * layout->stride;
}

/// Elements of the last dimension that a side has.
static size_t width_of(const struct FftPlan* plan, bool is_half) {
  return is_half ? plan->n[2] / 2 + 1 : plan->n[2];
}

static struct LanescopeArgument argument_of(const struct Run* run, const char* role, const void* address,
                                            const struct FftLayout* layout, size_t width, bool is_real,
                                            bool is_written) {
  const struct FftPlan* plan = &run->plan;
  const size_t element = size_of_number(run->number) * (is_real ? 1 : 2);
  const size_t last = place_in(layout, plan->batch - 1, plan->n[0] - 1, plan->n[1] - 1, width - 1);
  const bool is_dense = layout->stride == 1 && layout->distance == plan->n[0] * plan->n[1] * width;
  return (struct LanescopeArgument){.role = role,
                                    .address = address,
                                    .size = (last + 1) * element,
                                    .row = is_dense ? (last + 1) * element : element,
                                    .is_written = is_written};
}

/// Loads or stores a line of complex numbers, or the real parts alone.
static void load_line(const struct Run* run, const char* from, size_t stride, bool is_real, size_t count,
                      double complex* to) {
  const size_t size = size_of_number(run->number);
  double* parts = (double*)to;
  for (size_t n = 0; n < count; ++n, from += stride * size * (is_real ? 1 : 2)) {
    load_numbers(run->number, from, 1, is_real ? 1 : 2, parts + 2 * n);
    if (is_real) parts[2 * n + 1] = 0;
  }
}

static void store_line(const struct Run* run, const double complex* from, size_t count, char* to,
                       size_t stride, bool is_real) {
  const size_t size = size_of_number(run->number);
  const double* parts = (const double*)from;
  for (size_t n = 0; n < count; ++n, to += stride * size * (is_real ? 1 : 2))
    store_numbers(run->number, parts + 2 * n, is_real ? 1 : 2, to, 1);
}

static double complex* line_of(const struct Run* run, size_t x, size_t y) {
  return run->values + (x * run->plan.n[1] + y) * run->plan.n[2];
}

/// The half that a complex side of real numbers lacks: the conjugates at the opposite places.
static void fill_other_half(struct Run* run) {
  const size_t* n = run->plan.n;
  for (size_t x = 0; x < n[0]; ++x)
    for (size_t y = 0; y < n[1]; ++y)
      for (size_t z = n[2] / 2 + 1; z < n[2]; ++z)
        line_of(run, x, y)[z] = conj(line_of(run, (n[0] - x) % n[0], (n[1] - y) % n[1])[n[2] - z]);
}

/// Transforms all lines of a dimension.
static bool run_dimension(struct Run* run, int dimension) {
  const size_t* n = run->plan.n;
  const size_t count = n[dimension], all = n[0] * n[1] * n[2];
  const size_t step = dimension == 0 ? n[1] * n[2] : dimension == 1 ? n[2] : 1;
  struct Transform transform;
  if (count == 1) return true;
  const bool is_begun = begin_transform(&transform, count, run->sign);
  for (size_t first = 0; is_begun && first < all; ++first) {
    if (first / step % count != 0) continue;
    for (size_t k = 0; k < count; ++k) run->line[k] = run->values[first + k * step];
    run_transform(&transform, run->line);
    for (size_t k = 0; k < count; ++k) run->values[first + k * step] = run->line[k];
  }
  end_transform(&transform);
  return is_begun;
}

/// Loads, transforms and stores one of the batch. The real numbers of a half are the real part of the result,
/// as the imaginary parts of its numbers at 0 and n / 2 are not used.
static bool run_one(struct Run* run, const struct FftLayout* in, const struct FftLayout* out, size_t batch,
                    const char* from, char* to) {
  const struct FftPlan* plan = &run->plan;
  const bool from_real = is_real_to_complex(plan->type), to_real = is_complex_to_real(plan->type);
  const size_t size = size_of_number(run->number);
  for (size_t x = 0; x < plan->n[0]; ++x)
    for (size_t y = 0; y < plan->n[1]; ++y)
      load_line(run, from + place_in(in, batch, x, y, 0) * size * (from_real ? 1 : 2), in->stride, from_real,
                width_of(plan, to_real), line_of(run, x, y));
  if (to_real) fill_other_half(run);
  for (int dimension = 0; dimension < kMostRank; ++dimension)
    if (!run_dimension(run, dimension)) return false;
  for (size_t x = 0; x < plan->n[0]; ++x)
    for (size_t y = 0; y < plan->n[1]; ++y)
      store_line(run, line_of(run, x, y), width_of(plan, from_real),
                 to + place_in(out, batch, x, y, 0) * size * (to_real ? 1 : 2), out->stride, to_real);
  return true;
}

static bool make_memory(struct Run* run) {
  const size_t* n = run->plan.n;
  size_t longest = n[2];
  if (n[1] > longest) longest = n[1];
  if (n[0] > longest) longest = n[0];
  run->values = malloc(n[0] * n[1] * n[2] * sizeof *run->values);
  run->line = malloc(longest * sizeof *run->line);
  return run->values && run->line;
}

/// Holds the arguments and runs the batch. `reason` is set where it fails.
static cufftResult run_batch(struct Call* call, struct Run* run, void* in, void* out) {
  const struct FftPlan* plan = &run->plan;
  const bool from_real = is_real_to_complex(plan->type), to_real = is_complex_to_real(plan->type);
  struct FftLayout in_layout = plan->in, out_layout = plan->out;
  // Real numbers in the place of their transform have gaps behind each line.
  if (in == out && plan->is_basic && from_real) in_layout = padded_layout(plan);
  if (in == out && plan->is_basic && to_real) out_layout = padded_layout(plan);
  const int from = add_argument(
      call, argument_of(run, "input", in, &in_layout, width_of(plan, to_real), from_real, false));
  const int to = add_argument(
      call, argument_of(run, "output", out, &out_layout, width_of(plan, from_real), to_real, true));
  if (hold_arguments(call) != 0) {
    give_reason(call, "the input or the output is not within memory of the device");
    return CUFFT_EXEC_FAILED;
  }
  bool is_done = make_memory(run);
  for (size_t n = 0; is_done && n < plan->batch; ++n)
    is_done = run_one(run, &in_layout, &out_layout, n, place_of(call, from), place_of(call, to));
  free(run->values);
  free(run->line);
  if (is_done) return CUFFT_SUCCESS;
  give_reason(call, "this process has no memory left");
  return CUFFT_ALLOC_FAILED;
}

static cufftResult execute(const char* function, cufftHandle handle, cufftType type, void* in, void* out,
                           int direction) {
  struct Call call;
  struct Run run = {.sign = direction};
  cufftResult result = CUFFT_INVALID_PLAN;
  const bool is_there = find_plan(handle, &run.plan) && run.plan.is_made;
  begin_call(&call, function, is_there ? run.plan.stream : NULL);
  if (!is_there) {
    give_reason(&call, "the plan is none, was destroyed, or was not made");
  } else if (run.plan.type != type) {
    give_reason(&call, "the plan is of another type of transform");
  } else if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)) {
    give_reason(&call, "%s",
                in && out ? "the direction is none" : "the input or the output is a null pointer");
    result = CUFFT_INVALID_VALUE;
  } else {
    run.number = run.plan.number;
    result = run_batch(&call, &run, in, out);
  }
  end_call(&call, result == CUFFT_SUCCESS         ? NULL
                  : result == CUFFT_INVALID_PLAN  ? "CUFFT_INVALID_PLAN"
                  : result == CUFFT_INVALID_VALUE ? "CUFFT_INVALID_VALUE"
                  : result == CUFFT_EXEC_FAILED   ? "CUFFT_EXEC_FAILED"
                                                  : "CUFFT_ALLOC_FAILED");
  return result;
}

EXPORTED cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  return execute("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}

EXPORTED cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                                  int direction) {
  return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction);
}

EXPORTED cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return execute("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

EXPORTED cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return execute("cufftExecD2Z", plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}

EXPORTED cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  return execute("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

EXPORTED cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return execute("cufftExecZ2D", plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
