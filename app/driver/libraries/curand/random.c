// The host functions of cuRAND: generators, their settings, and the distributions.
#include "driver/libraries/call.h"
#include "driver/libraries/curand/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static const char* name_of(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_SUCCESS:
      return NULL;
    case CURAND_STATUS_NOT_INITIALIZED:
      return "CURAND_STATUS_NOT_INITIALIZED";
    case CURAND_STATUS_ALLOCATION_FAILED:
      return "CURAND_STATUS_ALLOCATION_FAILED";
    case CURAND_STATUS_TYPE_ERROR:
      return "CURAND_STATUS_TYPE_ERROR";
    case CURAND_STATUS_OUT_OF_RANGE:
      return "CURAND_STATUS_OUT_OF_RANGE";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE:
      return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
    case CURAND_STATUS_LAUNCH_FAILURE:
      return "CURAND_STATUS_LAUNCH_FAILURE";
    case CURAND_STATUS_INITIALIZATION_FAILED:
      return "CURAND_STATUS_INITIALIZATION_FAILED";
    default:
      return "CURAND_STATUS_INTERNAL_ERROR";
  }
}

/// Ends a call outside of the generation of numbers; one that succeeded is not told.
static curandStatus_t answer(const char* function, curandStatus_t status, const char* reason) {
  struct Call call;
  if (status == CURAND_STATUS_SUCCESS) return status;
  begin_call(&call, function, NULL);
  give_reason(&call, "%s", reason);
  end_call(&call, name_of(status));
  return status;
}

static bool is_live(curandGenerator_t generator) { return generator && generator->mark == kLiveGenerator; }

static curandStatus_t check(const char* function, curandGenerator_t generator) {
  return is_live(generator) ? CURAND_STATUS_SUCCESS
                            : answer(function, CURAND_STATUS_NOT_INITIALIZED,
                                     "the generator is none of curandCreateGenerator(), or was destroyed");
}

static curandStatus_t create(const char* function, curandGenerator_t* generator, curandRngType_t type,
                             bool is_of_host) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (!generator) return answer(function, CURAND_STATUS_OUT_OF_RANGE, "the pointer to the generator is null");
  if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
      type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
    note_not_supported("a generator of cuRAND but XORWOW, MRG32K3A and PHILOX4_32_10");
    return answer(function, CURAND_STATUS_TYPE_ERROR, "only XORWOW, MRG32K3A and PHILOX4_32_10 are there");
  }
  if (lanescopeStartLibrary() != 0)
    return answer(function, CURAND_STATUS_INITIALIZATION_FAILED, "there is no device");
  curandGenerator_t made = calloc(1, sizeof *made);
  if (!made) return answer(function, CURAND_STATUS_ALLOCATION_FAILED, "this process has no memory left");
  made->mark = kLiveGenerator;
  made->type = type;
  made->is_of_host = is_of_host;
  *generator = made;
  return CURAND_STATUS_SUCCESS;
}

EXPORTED curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGenerator", generator, type, false);
}

EXPORTED curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGeneratorHost", generator, type, true);
}

EXPORTED curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  const curandStatus_t status = check("curandDestroyGenerator", generator);
  if (status != CURAND_STATUS_SUCCESS) return status;
  generator->mark = 0;
  free(generator);
  return status;
}

EXPORTED curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

EXPORTED curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  const int numbers[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (!value || (unsigned)type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = numbers[type];
  return CURAND_STATUS_SUCCESS;
}

EXPORTED curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  const curandStatus_t status = check("curandSetStream", generator);
  if (status == CURAND_STATUS_SUCCESS) generator->stream = stream;
  return status;
}

/// Sets the seed; the place in the sequence stays, as with NVIDIA's library.
EXPORTED curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                           unsigned long long seed) {
  const curandStatus_t status = check("curandSetPseudoRandomGeneratorSeed", generator);
  if (status != CURAND_STATUS_SUCCESS) return status;
  generator->seed = seed;
  generator->is_ready = false;
  return status;
}

EXPORTED curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  const curandStatus_t status = check("curandSetGeneratorOffset", generator);
  if (status != CURAND_STATUS_SUCCESS) return status;
  generator->place = offset;
  generator->is_ready = false;
  return status;
}

EXPORTED curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  const char* const function = "curandSetGeneratorOrdering";
  const curandStatus_t status = check(function, generator);
  if (status != CURAND_STATUS_SUCCESS) return status;
  if (order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
      order == CURAND_ORDERING_PSEUDO_LEGACY)
    return status;
  return answer(function, CURAND_STATUS_OUT_OF_RANGE,
                "only the orders BEST, DEFAULT and LEGACY are there, which are one");
}

EXPORTED curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  const curandStatus_t status = check("curandGenerateSeeds", generator);
  if (status == CURAND_STATUS_SUCCESS) prepare(generator);
  return status;
}

/// The results of a call.
struct Wanted {
  const char* function;
  enum Distribution distribution;
  size_t size, count;  // bytes of a result; results
  double mean, deviation, lambda;
  bool is_exponential;  // a log-normal distribution
};

static void store_normal(const struct Wanted* wanted, float value, void* to) {
  value = value * (float)wanted->deviation + (float)wanted->mean;
  if (wanted->is_exponential) value = expf(value);
  memcpy(to, &value, sizeof value);
}

static void store_normal_double(const struct Wanted* wanted, double value, void* to) {
  value = value * wanted->deviation + wanted->mean;
  if (wanted->is_exponential) value = exp(value);
  memcpy(to, &value, sizeof value);
}

static void store_single(const struct Wanted* wanted, curandRngType_t type, const uint32_t* numbers,
                         void* to) {
  uint32_t whole;
  float single;
  double fraction;
  switch (wanted->distribution) {
    case kUniform:
      single = uniform_of(type, numbers[0]);
      memcpy(to, &single, sizeof single);
      return;
    case kUniformDouble:
      fraction = uniform_double_of(type, numbers);
      memcpy(to, &fraction, sizeof fraction);
      return;
    case kPoisson:
      whole = poisson_of(wanted->lambda, uniform_double_of(type, numbers));
      memcpy(to, &whole, sizeof whole);
      return;
    default:
      whole = bits_of(type, numbers);
      memcpy(to, &whole, sizeof whole);
      return;
  }
}

static void fill(curandGenerator_t generator, const struct Wanted* wanted, char* to) {
  const struct Recipe recipe = recipe_of(wanted->distribution, generator->type);
  const bool by_place = is_philox(generator);  // a call may begin with the second of a pair
  uint32_t numbers[4];
  float pair[2] = {0, 0};
  double pair_double[2] = {0, 0};
  for (size_t n = 0; n < wanted->count; ++n, ++generator->place, to += wanted->size) {
    const size_t half = recipe.results == 2 ? (by_place ? generator->place : n) % 2 : 0;
    const bool is_new = n == 0 || half == 0;
    if (is_new) take_numbers(generator, recipe, numbers);
    if (wanted->distribution == kNormal) {
      if (is_new) make_normal_pair(generator->type, numbers, pair);
      store_normal(wanted, pair[half], to);
    } else if (wanted->distribution == kNormalDouble) {
      if (is_new) make_normal_pair_double(generator->type, numbers, pair_double);
      store_normal_double(wanted, pair_double[half], to);
    } else {
      store_single(wanted, generator->type, numbers, to);
    }
  }
}

static curandStatus_t hold(struct Call* call) {
  enum { kInvalidValue = 1, kOutOfMemory = 2 };  // of CUresult
  switch (hold_arguments(call)) {
    case 0:
      return CURAND_STATUS_SUCCESS;
    case kOutOfMemory:
      return CURAND_STATUS_ALLOCATION_FAILED;
    case kInvalidValue:
      give_reason(call, "the results are not within memory of the device");
      return CURAND_STATUS_LAUNCH_FAILURE;
    default:
      give_reason(call, "the device has failed before, or the stream is none");
      return CURAND_STATUS_LAUNCH_FAILURE;
  }
}

static curandStatus_t generate(curandGenerator_t generator, void* results, const struct Wanted* wanted) {
  struct Call call;
  curandStatus_t status = check(wanted->function, generator);
  if (status != CURAND_STATUS_SUCCESS) return status;
  if (recipe_of(wanted->distribution, generator->type).results == 2 && !is_philox(generator) &&
      wanted->count % 2 != 0)
    return answer(wanted->function, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                  "normal numbers are made in pairs, and an odd number of them was asked for");
  begin_call(&call, wanted->function, generator->stream);
  const size_t bytes = generator->is_of_host ? 0 : wanted->count * wanted->size;
  const int to = add_argument(
      &call, (struct LanescopeArgument){
                 .role = "results", .address = results, .size = bytes, .row = bytes, .is_written = true});
  status = hold(&call);
  if (status == CURAND_STATUS_SUCCESS) {
    prepare(generator);
    fill(generator, wanted, generator->is_of_host ? results : place_of(&call, to));
  }
  end_call(&call, name_of(status));
  return status;
}

EXPORTED curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* results, size_t count) {
  return generate(
      generator, results,
      &(struct Wanted){
          .function = "curandGenerate", .distribution = kBits, .size = sizeof *results, .count = count});
}

EXPORTED curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* results, size_t count) {
  return generate(generator, results,
                  &(struct Wanted){.function = "curandGenerateUniform",
                                   .distribution = kUniform,
                                   .size = sizeof *results,
                                   .count = count});
}

EXPORTED curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* results,
                                                    size_t count) {
  return generate(generator, results,
                  &(struct Wanted){.function = "curandGenerateUniformDouble",
                                   .distribution = kUniformDouble,
                                   .size = sizeof *results,
                                   .count = count});
}

EXPORTED curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* results, size_t count,
                                             float mean, float deviation) {
  return generate(generator, results,
                  &(struct Wanted){.function = "curandGenerateNormal",
                                   .distribution = kNormal,
                                   .size = sizeof *results,
                                   .count = count,
                                   .mean = mean,
                                   .deviation = deviation});
}

EXPORTED curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* results, size_t count,
                                                   double mean, double deviation) {
  return generate(generator, results,
                  &(struct Wanted){.function = "curandGenerateNormalDouble",
                                   .distribution = kNormalDouble,
                                   .size = sizeof *results,
                                   .count = count,
                                   .mean = mean,
                                   .deviation = deviation});
}

EXPORTED curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* results, size_t count,
                                                float mean, float deviation) {
  return generate(generator, results,
                  &(struct Wanted){.function = "curandGenerateLogNormal",
                                   .distribution = kNormal,
                                   .size = sizeof *results,
                                   .count = count,
                                   .mean = mean,
                                   .deviation = deviation,
                                   .is_exponential = true});
}

EXPORTED curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* results,
                                                      size_t count, double mean, double deviation) {
  return generate(generator, results,
                  &(struct Wanted){.function = "curandGenerateLogNormalDouble",
                                   .distribution = kNormalDouble,
                                   .size = sizeof *results,
                                   .count = count,
                                   .mean = mean,
                                   .deviation = deviation,
                                   .is_exponential = true});
}

EXPORTED curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* results,
                                              size_t count, double lambda) {
  const char* const function = "curandGeneratePoisson";
  if (!(lambda > 0)) return answer(function, CURAND_STATUS_OUT_OF_RANGE, "lambda is not positive");
  if (lambda > kMostLambda) {
    note_not_supported("curandGeneratePoisson with lambda above 700");
    return answer(function, CURAND_STATUS_OUT_OF_RANGE, "lambda is above 700");
  }
  return generate(generator, results,
                  &(struct Wanted){.function = function,
                                   .distribution = kPoisson,
                                   .size = sizeof *results,
                                   .count = count,
                                   .lambda = lambda});
}
