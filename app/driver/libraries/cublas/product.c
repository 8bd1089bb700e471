#include "driver/libraries/cublas/product.h"

#include <stdlib.h>
#include <string.h>

enum { kTile = 4, kBlockRows = 64, kBlockDepth = 256 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/// Copies `lines` rows of a, or columns of b, in panels of kTile: [panel][depth][kTile]. `step`: from line to
/// line, `deep`: from one number of a line to the next. Lines beyond the last are zeros.
static void pack(const double* from, size_t lines, size_t depth, size_t step, size_t deep, double* to) {
  for (size_t first = 0; first < lines; first += kTile) {
    const size_t some = least(kTile, lines - first);
    for (size_t d = 0; d < depth; ++d, to += kTile)
      for (size_t n = 0; n < kTile; ++n) to[n] = n < some ? from[(first + n) * step + d * deep] : 0;
  }
}

/// Adds the product of two panels to `rows` x `columns` numbers of c.
static void add_tile(size_t depth, const double* restrict a, const double* restrict b, double* restrict c,
                     size_t leading, size_t rows, size_t columns) {
  typedef double Pair __attribute__((vector_size(16)));
  Pair sum[kTile][2];
  memset(sum, 0, sizeof sum);
  for (size_t d = 0; d < depth; ++d, a += kTile, b += kTile) {
    const Pair upper = {a[0], a[1]}, lower = {a[2], a[3]};
    for (int j = 0; j < kTile; ++j) {
      sum[j][0] += upper * b[j];
      sum[j][1] += lower * b[j];
    }
  }
  for (size_t j = 0; j < columns; ++j)
    for (size_t i = 0; i < rows; ++i) c[j * leading + i] += sum[j][i / 2][i % 2];
}

bool add_product(size_t m, size_t n, size_t k, const double* a, const double* b, double* c) {
  const size_t panels = (n + kTile - 1) / kTile;
  double* packed_b = malloc((panels * kTile * kBlockDepth + 1) * sizeof *packed_b);
  double* packed_a = malloc(kBlockRows * kBlockDepth * sizeof *packed_a);
  const bool has_memory = packed_a && packed_b;
  for (size_t deep = 0; has_memory && deep < k; deep += kBlockDepth) {
    const size_t depth = least(kBlockDepth, k - deep);
    pack(b + deep, n, depth, k, 1, packed_b);
    for (size_t top = 0; top < m; top += kBlockRows) {
      const size_t rows = least(kBlockRows, m - top);
      pack(a + deep * m + top, rows, depth, 1, m, packed_a);
      for (size_t j = 0; j < n; j += kTile)
        for (size_t i = 0; i < rows; i += kTile)
          add_tile(depth, packed_a + i * depth, packed_b + j * depth, c + j * m + top + i, m,
                   least(kTile, rows - i), least(kTile, n - j));
    }
  }
  free(packed_a);
  free(packed_b);
  return has_memory;
}

void multiply_vector(size_t m, size_t n, const double* a, const double* x, double* y) {
  memset(y, 0, m * sizeof *y);
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < m; ++i) y[i] += a[j * m + i] * x[j];
}
