#include "driver/libraries/cufft/plan.h"

#include "driver/libraries/call.h"
#include "driver/libraries/number.h"

#include <pthread.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the table
static struct FftPlan* table;
static int table_size;

static cufftResult answer(const char* function, cufftResult result, const char* reason) {
  struct Call call;
  if (result == CUFFT_SUCCESS) return result;
  begin_call(&call, function, NULL);
  give_reason(&call, "%s", reason);
  end_call(&call, result == CUFFT_INVALID_PLAN   ? "CUFFT_INVALID_PLAN"
                  : result == CUFFT_ALLOC_FAILED ? "CUFFT_ALLOC_FAILED"
                  : result == CUFFT_INVALID_SIZE ? "CUFFT_INVALID_SIZE"
                  : result == CUFFT_INVALID_TYPE ? "CUFFT_INVALID_TYPE"
                  : result == CUFFT_SETUP_FAILED ? "CUFFT_SETUP_FAILED"
                                                 : "CUFFT_INVALID_VALUE");
  return result;
}

bool find_plan(cufftHandle handle, struct FftPlan* plan) {
  pthread_mutex_lock(&lock);
  const bool is_there = handle > 0 && handle <= table_size && table[handle - 1].is_live;
  if (is_there) *plan = table[handle - 1];
  pthread_mutex_unlock(&lock);
  return is_there;
}

/// Changes the plan of a live handle.
static void keep_plan(cufftHandle handle, const struct FftPlan* plan) {
  pthread_mutex_lock(&lock);
  if (handle > 0 && handle <= table_size) table[handle - 1] = *plan;
  pthread_mutex_unlock(&lock);
}

void set_number(cufftHandle handle, int number) {
  struct FftPlan plan;
  if (!find_plan(handle, &plan)) return;
  plan.number = number;
  keep_plan(handle, &plan);
}

/// Handle of a new entry; 0: there is no memory.
static cufftHandle new_plan(void) {
  pthread_mutex_lock(&lock);
  int at = 0;
  while (at < table_size && table[at].is_live) ++at;
  if (at == table_size) {
    struct FftPlan* more = realloc(table, (size_t)(table_size + 1) * sizeof *table);
    if (more) {
      table = more;
      ++table_size;
    }
  }
  const bool has_place = at < table_size;
  if (has_place) table[at] = (struct FftPlan){.is_live = true};
  pthread_mutex_unlock(&lock);
  return has_place ? at + 1 : 0;
}

bool is_double(cufftType type) { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
bool is_real_to_complex(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
bool is_complex_to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

static struct FftLayout dense(const struct FftPlan* plan, size_t last) {
  return (struct FftLayout){
      .embed = {plan->n[0], plan->n[1], last}, .stride = 1, .distance = plan->n[0] * plan->n[1] * last};
}

static size_t half_of(const struct FftPlan* plan) { return plan->n[2] / 2 + 1; }

struct FftLayout padded_layout(const struct FftPlan* plan) { return dense(plan, 2 * half_of(plan)); }

/// A plan that a program asks for.
struct FftRequest {
  const char* function;
  int rank;
  const int *n, *in_embed, *out_embed;
  int in_stride, in_distance, out_stride, out_distance, batch;
  cufftType type;
};

static struct FftLayout asked_layout(const struct FftPlan* plan, const int* embed, int rank, int stride,
                                     int distance) {
  struct FftLayout layout = {
      .embed = {plan->n[0], plan->n[1], plan->n[2]}, .stride = (size_t)stride, .distance = (size_t)distance};
  for (int n = 0; n < rank; ++n) layout.embed[kMostRank - rank + n] = (size_t)embed[n];
  return layout;
}

static cufftResult make(cufftHandle handle, const struct FftRequest* request, size_t* work_size) {
  const char* const function = request->function;
  struct FftPlan plan;
  if (!find_plan(handle, &plan))
    return answer(function, CUFFT_INVALID_PLAN, "the plan is none of cufftCreate(), or was destroyed");
  if (request->rank < 1 || request->rank > kMostRank || !request->n)
    return answer(function, CUFFT_INVALID_VALUE, "transforms have one to three dimensions");
  for (int n = 0; n < request->rank; ++n)
    if (request->n[n] < 1) return answer(function, CUFFT_INVALID_SIZE, "a size is not positive");
  if (request->batch < 1) return answer(function, CUFFT_INVALID_SIZE, "the batch is not positive");
  if (request->type != CUFFT_C2C && request->type != CUFFT_Z2Z && !is_real_to_complex(request->type) &&
      !is_complex_to_real(request->type))
    return answer(function, CUFFT_INVALID_TYPE, "the type is none of a transform");
  for (int n = 0; n < kMostRank; ++n)
    plan.n[n] = n < kMostRank - request->rank ? 1 : (size_t)request->n[n - (kMostRank - request->rank)];
  plan.type = request->type;
  plan.number = is_double(request->type) ? kDouble : kFloat;
  plan.batch = (size_t)request->batch;
  plan.is_basic = !request->in_embed || !request->out_embed;
  if (plan.is_basic) {
    plan.in = dense(&plan, is_complex_to_real(plan.type) ? half_of(&plan) : plan.n[2]);
    plan.out = dense(&plan, is_real_to_complex(plan.type) ? half_of(&plan) : plan.n[2]);
  } else {
    if (request->in_stride < 1 || request->out_stride < 1 || request->in_distance < 0 ||
        request->out_distance < 0)
      return answer(function, CUFFT_INVALID_VALUE, "a stride or a distance is not positive");
    plan.in = asked_layout(&plan, request->in_embed, request->rank, request->in_stride, request->in_distance);
    plan.out =
        asked_layout(&plan, request->out_embed, request->rank, request->out_stride, request->out_distance);
  }
  plan.is_made = true;
  keep_plan(handle, &plan);
  if (work_size) *work_size = 0;
  return CUFFT_SUCCESS;
}

/// Creates a plan and makes it; a plan that cannot be made is destroyed.
static cufftResult create_and_make(cufftHandle* handle, const struct FftRequest* request) {
  if (!handle) return answer(request->function, CUFFT_INVALID_VALUE, "the pointer to the plan is null");
  cufftResult result = cufftCreate(handle);
  if (result != CUFFT_SUCCESS) return result;
  result = make(*handle, request, NULL);
  if (result != CUFFT_SUCCESS) cufftDestroy(*handle);
  return result;
}

EXPORTED cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return answer("cufftCreate", CUFFT_INVALID_VALUE, "the pointer to the plan is null");
  if (lanescopeStartLibrary() != 0) return answer("cufftCreate", CUFFT_SETUP_FAILED, "there is no device");
  *handle = new_plan();
  return *handle > 0 ? CUFFT_SUCCESS
                     : answer("cufftCreate", CUFFT_ALLOC_FAILED, "this process has no memory left");
}

EXPORTED cufftResult cufftDestroy(cufftHandle handle) {
  const struct FftPlan gone = {.is_live = false};
  struct FftPlan plan;
  if (!find_plan(handle, &plan))
    return answer("cufftDestroy", CUFFT_INVALID_PLAN, "the plan is none, or was destroyed before");
  keep_plan(handle, &gone);
  return CUFFT_SUCCESS;
}

EXPORTED cufftResult cufftMakePlan1d(cufftHandle handle, int x, cufftType type, int batch, size_t* size) {
  return make(
      handle,
      &(struct FftRequest){.function = "cufftMakePlan1d", .rank = 1, .n = &x, .batch = batch, .type = type},
      size);
}

EXPORTED cufftResult cufftMakePlan2d(cufftHandle handle, int x, int y, cufftType type, size_t* size) {
  const int n[2] = {x, y};
  return make(
      handle,
      &(struct FftRequest){.function = "cufftMakePlan2d", .rank = 2, .n = n, .batch = 1, .type = type}, size);
}

EXPORTED cufftResult cufftMakePlan3d(cufftHandle handle, int x, int y, int z, cufftType type, size_t* size) {
  const int n[3] = {x, y, z};
  return make(
      handle,
      &(struct FftRequest){.function = "cufftMakePlan3d", .rank = 3, .n = n, .batch = 1, .type = type}, size);
}

EXPORTED cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* in_embed, int in_stride,
                                       int in_distance, int* out_embed, int out_stride, int out_distance,
                                       cufftType type, int batch, size_t* size) {
  return make(handle,
              &(struct FftRequest){"cufftMakePlanMany", rank, n, in_embed, out_embed, in_stride, in_distance,
                                   out_stride, out_distance, batch, type},
              size);
}

EXPORTED cufftResult cufftPlan1d(cufftHandle* handle, int x, cufftType type, int batch) {
  return create_and_make(
      handle,
      &(struct FftRequest){.function = "cufftPlan1d", .rank = 1, .n = &x, .batch = batch, .type = type});
}

EXPORTED cufftResult cufftPlan2d(cufftHandle* handle, int x, int y, cufftType type) {
  const int n[2] = {x, y};
  return create_and_make(
      handle, &(struct FftRequest){.function = "cufftPlan2d", .rank = 2, .n = n, .batch = 1, .type = type});
}

EXPORTED cufftResult cufftPlan3d(cufftHandle* handle, int x, int y, int z, cufftType type) {
  const int n[3] = {x, y, z};
  return create_and_make(
      handle, &(struct FftRequest){.function = "cufftPlan3d", .rank = 3, .n = n, .batch = 1, .type = type});
}

EXPORTED cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* in_embed, int in_stride,
                                   int in_distance, int* out_embed, int out_stride, int out_distance,
                                   cufftType type, int batch) {
  return create_and_make(
      handle, &(struct FftRequest){"cufftPlanMany", rank, n, in_embed, out_embed, in_stride, in_distance,
                                   out_stride, out_distance, batch, type});
}

EXPORTED cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  struct FftPlan plan;
  if (!find_plan(handle, &plan)) return answer("cufftSetStream", CUFFT_INVALID_PLAN, "the plan is none");
  plan.stream = stream;
  keep_plan(handle, &plan);
  return CUFFT_SUCCESS;
}

// The functions need no work area.
EXPORTED cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  struct FftPlan plan;
  (void)allocates;
  return find_plan(handle, &plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

EXPORTED cufftResult cufftSetWorkArea(cufftHandle handle, void* area) {
  struct FftPlan plan;
  (void)area;
  return find_plan(handle, &plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

EXPORTED cufftResult cufftGetSize(cufftHandle handle, size_t* size) {
  struct FftPlan plan;
  if (!find_plan(handle, &plan)) return CUFFT_INVALID_PLAN;
  if (size) *size = 0;
  return CUFFT_SUCCESS;
}

EXPORTED cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

EXPORTED cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  const int numbers[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!value || (unsigned)type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  *value = numbers[type];
  return CUFFT_SUCCESS;
}
