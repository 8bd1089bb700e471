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
  if (generator->is_ready) return;
  if (!is_philox(generator)) place_states(generator);
  generator->has_block = false;
  generator->is_ready = true;
}

/// Number `n` of a subsequence of Philox. The block of the last call is kept: four calls in a row are of it.
static uint32_t number_of_philox(curandGenerator_t generator, uint64_t subsequence, uint64_t n) {
  const uint64_t block = n / kTogether;
  if (!generator->has_block || generator->block != block || generator->subsequence != subsequence) {
    philox(generator->seed, subsequence, block, generator->numbers);
    generator->block = block;
    generator->subsequence = subsequence;
    generator->has_block = true;
  }
  return generator->numbers[n % kTogether];
}

static void take_of_philox(curandGenerator_t generator, struct Recipe recipe, uint32_t* numbers) {
  const uint64_t each = (uint64_t)(recipe.numbers / recipe.results);  // numbers of a result
  const uint64_t group = generator->place / kTogether;
  const uint64_t in_group =
      generator->place % kTogether / (uint64_t)recipe.results * (uint64_t)recipe.results;
  const uint64_t begin = group / kPhiloxSubsequences * kTogether * each + in_group * each;
  for (uint64_t n = 0; n < (uint64_t)recipe.numbers; ++n)
    numbers[n] = number_of_philox(generator, group % kPhiloxSubsequences, begin + n);
}

void take_numbers(curandGenerator_t generator, struct Recipe recipe, uint32_t* numbers) {
  if (is_philox(generator)) {
    take_of_philox(generator, recipe, numbers);
    return;
  }
  const bool is_mrg = generator->type == CURAND_RNG_PSEUDO_MRG32K3A;
  const int at = generator->next;
  for (int each = 0; each < recipe.numbers; ++each)
    numbers[each] =
        is_mrg ? next_of_mrg(&generator->states.mrg[at]) : next_of_xorwow(&generator->states.xorwow[at]);
  generator->next = at + 1 == (is_mrg ? kMrgSubsequences : kXorwowSubsequences) ? 0 : at + 1;
}
