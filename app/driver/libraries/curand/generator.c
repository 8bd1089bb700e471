#include "driver/libraries/curand/generator.h"

#include "driver/libraries/curand/philox.h"

enum { kPhiloxSubsequences = 65536, kTogether = 4 };

bool is_philox(const struct curandGenerator_st* generator) {
  return generator->type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

/// Subsequences whose states are kept; 1 of Philox, which has none.
static size_t subsequences_of(const struct curandGenerator_st* generator) {
  return is_philox(generator)                            ? 1
         : generator->type == CURAND_RNG_PSEUDO_MRG32K3A ? kMrgSubsequences
                                                         : kXorwowSubsequences;
}

static void place_states(curandGenerator_t generator) {
  const uint64_t rounds = generator->place / subsequences_of(generator);
  generator->next = (int)(generator->place % subsequences_of(generator));
  // Every subsequence is at the same round, but for those before the next one, which are one further.
  if (generator->type == CURAND_RNG_PSEUDO_MRG32K3A) {
    struct Mrg first = seeded_mrg(generator->seed);
    skip_mrg(&first, rounds);
    make_mrg_subsequences(first, generator->states.mrg, kMrgSubsequences);
    for (int n = 0; n < generator->next; ++n) (void)next_of_mrg(&generator->states.mrg[n]);
  } else {
    struct Xorwow first = seeded_xorwow(generator->seed);
    skip_xorwow(&first, rounds);
    make_subsequences(first, generator->states.xorwow, kXorwowSubsequences);
    for (int n = 0; n < generator->next; ++n) (void)next_of_xorwow(&generator->states.xorwow[n]);
  }
}

void prepare(curandGenerator_t generator) {
  if (!generator->is_ready && !is_philox(generator)) place_states(generator);
  generator->is_ready = true;
}

static void take_of_philox(const struct curandGenerator_st* generator, struct Recipe recipe, uint64_t place,
                           uint32_t* numbers) {
  const uint64_t each = (uint64_t)(recipe.numbers / recipe.results);  // numbers of a result
  const uint64_t round = place / kTogether / kPhiloxSubsequences;
  const uint64_t in_group = place % kTogether / (uint64_t)recipe.results * (uint64_t)recipe.results;
  const uint64_t begin = round * kTogether * each + in_group * each;
  uint32_t block[4];
  for (uint64_t n = begin; n < begin + (uint64_t)recipe.numbers; ++n) {
    if (n == begin || n % 4 == 0)
      philox(generator->seed, place / kTogether % kPhiloxSubsequences, n / 4, block);
    numbers[n - begin] = block[n % 4];
  }
}

void take_numbers(curandGenerator_t generator, struct Recipe recipe, size_t n, uint32_t* numbers) {
  if (is_philox(generator)) {
    take_of_philox(generator, recipe, generator->place + n, numbers);
    return;
  }
  const size_t at = ((size_t)generator->next + n / (size_t)recipe.results) % subsequences_of(generator);
  for (int each = 0; each < recipe.numbers; ++each)
    numbers[each] = generator->type == CURAND_RNG_PSEUDO_MRG32K3A
                        ? next_of_mrg(&generator->states.mrg[at])
                        : next_of_xorwow(&generator->states.xorwow[at]);
}

void move_on(curandGenerator_t generator, struct Recipe recipe, size_t count) {
  generator->place += count;
  generator->next =
      (int)(((size_t)generator->next + count / (size_t)recipe.results) % subsequences_of(generator));
}
