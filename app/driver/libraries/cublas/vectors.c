// Level 1 of BLAS: vectors, in float and double.
#include "driver/libraries/cublas/blas_call.h"

#include <math.h>
#include <string.h>

static cublasStatus_t axpy(const char* name, cublasHandle_t handle, int type, int n, const void* alpha,
                           const void* x, int x_step, void* y, int y_step) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  const int factor = enter_scalar(&blas, "alpha", type, alpha);
  const struct Vector from = enter_vector(&blas, "x", type, x, n, x_step, kReads);
  const struct Vector to = enter_vector(&blas, "y", type, y, n, y_step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double a = scalar_of(&blas, type, factor);
  double *u = load_vector(&blas, &from), *v = load_vector(&blas, &to);
  if (!u || !v) return finish(&blas);
  for (size_t i = 0; i < to.count; ++i) v[i] += a * u[i];
  store_vector(&blas, &to, v);
  return finish(&blas);
}

static cublasStatus_t scal(const char* name, cublasHandle_t handle, int type, int n, const void* alpha,
                           void* x, int step) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  const int factor = enter_scalar(&blas, "alpha", type, alpha);
  const struct Vector vector = enter_vector(&blas, "x", type, x, step > 0 ? n : 0, step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double a = scalar_of(&blas, type, factor);
  double* u = load_vector(&blas, &vector);
  if (!u) return finish(&blas);
  for (size_t i = 0; i < vector.count; ++i) u[i] *= a;
  store_vector(&blas, &vector, u);
  return finish(&blas);
}

/// Copies x to y, and with `swaps` y to x.
static cublasStatus_t move(const char* name, cublasHandle_t handle, int type, int n, void* x, int x_step,
                           void* y, int y_step, bool swaps) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  const struct Vector from = enter_vector(&blas, "x", type, x, n, x_step, swaps ? kWrites : kReads);
  const struct Vector to = enter_vector(&blas, "y", type, y, n, y_step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  double *u = load_vector(&blas, &from), *v = load_vector(&blas, &to);
  if (!u || !v) return finish(&blas);
  store_vector(&blas, &to, u);
  if (swaps) store_vector(&blas, &from, v);
  return finish(&blas);
}

static cublasStatus_t rot(const char* name, cublasHandle_t handle, int type, int n, void* x, int x_step,
                          void* y, int y_step, const void* cosine, const void* sine) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  const int c_argument = enter_scalar(&blas, "c", type, cosine);
  const int s_argument = enter_scalar(&blas, "s", type, sine);
  const struct Vector first = enter_vector(&blas, "x", type, x, n, x_step, kWrites);
  const struct Vector second = enter_vector(&blas, "y", type, y, n, y_step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double c = scalar_of(&blas, type, c_argument), s = scalar_of(&blas, type, s_argument);
  double *u = load_vector(&blas, &first), *v = load_vector(&blas, &second);
  if (!u || !v) return finish(&blas);
  for (size_t i = 0; i < first.count; ++i) {
    const double turned = c * u[i] + s * v[i];
    v[i] = c * v[i] - s * u[i];
    u[i] = turned;
  }
  store_vector(&blas, &first, u);
  store_vector(&blas, &second, v);
  return finish(&blas);
}

static void give_number(struct BlasCall* blas, int result, int type, double value) {
  const struct LanescopeArgument* to = &blas->call.arguments[result];
  store_numbers(type, &value, 1, to->size > 0 ? to->host : (void*)(uintptr_t)to->address, 1);
}

static cublasStatus_t dot(const char* name, cublasHandle_t handle, int type, int n, const void* x, int x_step,
                          const void* y, int y_step, void* result) {
  struct BlasCall blas;
  double sum = 0;
  begin_blas(&blas, name, handle);
  const int to = enter_result(&blas, size_of_number(type), result);
  const struct Vector first = enter_vector(&blas, "x", type, x, n, x_step, kReads);
  const struct Vector second = enter_vector(&blas, "y", type, y, n, y_step, kReads);
  if (!ready(&blas)) return finish(&blas);
  const double *u = load_vector(&blas, &first), *v = load_vector(&blas, &second);
  if (!u || !v) return finish(&blas);
  for (size_t i = 0; i < first.count; ++i) sum += u[i] * v[i];
  give_number(&blas, to, type, sum);
  return finish(&blas);
}

/// Norm of n numbers whose largest magnitude is finite: scaled by it, so that no square overflows.
static double norm_of(const double* values, size_t count) {
  double most = 0, sum = 0;
  for (size_t i = 0; i < count; ++i) {
    if (isnan(values[i])) return values[i];
    most = fmax(most, fabs(values[i]));
  }
  if (most == 0 || isinf(most)) return most;
  for (size_t i = 0; i < count; ++i) sum += values[i] / most * (values[i] / most);
  return most * sqrt(sum);
}

static double sum_of_magnitudes(const double* values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += fabs(values[i]);
  return sum;
}

/// Number, from 1, of the first element of largest magnitude; 0 of no elements.
static double place_of_largest(const double* values, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; ++i)
    if (fabs(values[i]) > fabs(values[best])) best = i;
  return count == 0 ? 0 : (double)(best + 1);
}

static double place_of_smallest(const double* values, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; ++i)
    if (fabs(values[i]) < fabs(values[best])) best = i;
  return count == 0 ? 0 : (double)(best + 1);
}

/// Reduces a vector to a number. A step that is not positive means no elements, as in BLAS.
static cublasStatus_t reduce(const char* name, cublasHandle_t handle, int type, int n, const void* x,
                             int step, int result_type, void* result,
                             double (*function)(const double* values, size_t count)) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  const int to = enter_result(&blas, size_of_number(result_type), result);
  const struct Vector vector = enter_vector(&blas, "x", type, x, step > 0 ? n : 0, step, kReads);
  if (!ready(&blas)) return finish(&blas);
  const double* u = load_vector(&blas, &vector);
  if (u) give_number(&blas, to, result_type, function(u, vector.count));
  return finish(&blas);
}

/// The exported functions of a type: P is its letter, p the small one.
#define FUNCTIONS(P, p, T, type)                                                                             \
  EXPORTED cublasStatus_t cublas##P##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x,       \
                                             int x_step, T* y, int y_step) {                                 \
    return axpy("cublas" #P "axpy", handle, type, n, alpha, x, x_step, y, y_step);                           \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int step) { \
    return scal("cublas" #P "scal", handle, type, n, alpha, x, step);                                        \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##copy_v2(cublasHandle_t handle, int n, const T* x, int x_step, T* y,     \
                                             int y_step) {                                                   \
    return move("cublas" #P "copy", handle, type, n, (void*)(uintptr_t)x, x_step, y, y_step, false);         \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T* x, int x_step, T* y,           \
                                             int y_step) {                                                   \
    return move("cublas" #P "swap", handle, type, n, x, x_step, y, y_step, true);                            \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##rot_v2(cublasHandle_t handle, int n, T* x, int x_step, T* y,            \
                                            int y_step, const T* c, const T* s) {                            \
    return rot("cublas" #P "rot", handle, type, n, x, x_step, y, y_step, c, s);                              \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##dot_v2(cublasHandle_t handle, int n, const T* x, int x_step,            \
                                            const T* y, int y_step, T* result) {                             \
    return dot("cublas" #P "dot", handle, type, n, x, x_step, y, y_step, result);                            \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t handle, int n, const T* x, int step,             \
                                             T* result) {                                                    \
    return reduce("cublas" #P "nrm2", handle, type, n, x, step, type, result, norm_of);                      \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##asum_v2(cublasHandle_t handle, int n, const T* x, int step,             \
                                             T* result) {                                                    \
    return reduce("cublas" #P "asum", handle, type, n, x, step, type, result, sum_of_magnitudes);            \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublasI##p##amax_v2(cublasHandle_t handle, int n, const T* x, int step,            \
                                              int* result) {                                                 \
    return reduce("cublasI" #p "amax", handle, type, n, x, step, kInt32, result, place_of_largest);          \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublasI##p##amin_v2(cublasHandle_t handle, int n, const T* x, int step,            \
                                              int* result) {                                                 \
    return reduce("cublasI" #p "amin", handle, type, n, x, step, kInt32, result, place_of_smallest);         \
  }

FUNCTIONS(S, s, float, kFloat)
FUNCTIONS(D, d, double, kDouble)
