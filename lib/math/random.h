// SPDX-License-Identifier: MIT
// Random numbers from a seed: the same on every machine, and as many independent streams of a seed as are wanted.
//
// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014): a counter that grows by an
// odd constant, and a mixing function of 64 bits over it. Streams begin at places that the same function scatters.

#ifndef KANE_MATH_RANDOM_H
#define KANE_MATH_RANDOM_H

#include <stdint.h>

typedef struct kane_random {
    uint64_t counter;
} kane_random;

static inline uint64_t kane_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t kane_random_next(kane_random *r)
{
    r->counter += UINT64_C(0x9e3779b97f4a7c15);
    return kane_random_mix(r->counter);
}

// Stream number `stream` of a seed.
static inline kane_random kane_random_start(uint64_t seed, uint64_t stream)
{
    kane_random r = {seed};
    r.counter     = kane_random_next(&r) ^ kane_random_mix(stream + UINT64_C(0x632be59bd9b4e019));
    return r;
}

// Evenly distributed in 0 <= x < 1, a multiple of 2^-53.
static inline double kane_random_even(kane_random *r)
{
    return (double)(kane_random_next(r) >> 11) * 0x1p-53;
}

#endif
