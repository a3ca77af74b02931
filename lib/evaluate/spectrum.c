// SPDX-License-Identifier: MIT
// Power spectral density by Welch's method, all frequencies of a window at once.

#include <kane/signal.h>

#include "base/arena.h"
#include "math/statistics.h"

#include <math.h>

enum { SIZE_LEAST = 16 };

static const double two_pi = 6.283185307179586477;

int kane_welch_size(int n, int windows)
{
    int size = SIZE_LEAST;
    if (n < SIZE_LEAST)
        return 0;
    while (size <= n / 2 && kane_periodogram_windows(n, 2 * size) >= windows)
        size *= 2;
    return size;
}

typedef struct scratch {
    double *window, *cosine, *sine, *re, *im; // [size], [size/2], [size/2], [size], [size]
    double sum_1, sum_2;                      // of the window and of its squares
} scratch;

// Hann window w_j = (1 - cos(2 pi (j + 1/2)/size))/2, its sums of w and w^2, and the angles of the transform. 0 without
// memory.
static int prepare_window(scratch *w, kane_arena *arena, int size)
{
    w->window = kane_arena_doubles(arena, (size_t)size);
    w->cosine = kane_arena_doubles(arena, (size_t)size / 2);
    w->sine   = kane_arena_doubles(arena, (size_t)size / 2);
    w->re     = kane_arena_doubles(arena, (size_t)size);
    w->im     = kane_arena_doubles(arena, (size_t)size);
    if (kane_arena_failed(arena))
        return 0;
    kane_fourier_angles(size, w->cosine, w->sine);
    w->sum_1 = w->sum_2 = 0.0;
    for (int j = 0; j < size; j++) {
        w->window[j] = 0.5 * (1.0 - cos(two_pi * (j + 0.5) / size));
        w->sum_1 += w->window[j];
        w->sum_2 += w->window[j] * w->window[j];
    }
    return 1;
}

// Adds the density of one window, its mean with the weights of the window taken out.
static void add_window(const scratch *w, int size, double step, const double *x, double *density)
{
    double mean = 0.0;
    for (int j = 0; j < size; j++)
        mean += w->window[j] * x[j] / w->sum_1;
    for (int j = 0; j < size; j++) {
        w->re[j] = w->window[j] * (x[j] - mean);
        w->im[j] = 0.0;
    }
    kane_fourier(size, w->cosine, w->sine, w->re, w->im);
    for (int k = 0; k <= size / 2; k++) {
        const double sides = k == 0 || k == size / 2 ? 1.0 : 2.0;
        density[k] += sides * step * (w->re[k] * w->re[k] + w->im[k] * w->im[k]) / w->sum_2;
    }
}

static kane_status check_spectrum(int n, double step, int size, kane_errors *errors)
{
    if (size < SIZE_LEAST || (size & (size - 1)) != 0)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a window of %d rows is not a power of two from %d on", size,
                        SIZE_LEAST);
    else if (size > n)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d rows are too few for a window of %d", n, size);
    else if (!(step > 0.0))
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a distance of %g between rows is not positive", step);
    else
        return KANE_OK;
    return KANE_BAD_ARGUMENT;
}

kane_status kane_welch(int n, double step, const double *x, int size, double *frequencies, double *density,
                       kane_errors *errors)
{
    kane_status status = check_spectrum(n, step, size, errors);
    kane_arena *arena  = status == KANE_OK ? kane_arena_create() : NULL;
    scratch w;
    if (status == KANE_OK && (!arena || !prepare_window(&w, arena, size))) {
        status = kane_no_memory(errors);
    }
    const int windows = kane_periodogram_windows(n, size);
    for (int k = 0; status == KANE_OK && k <= size / 2; k++) {
        frequencies[k] = k / (size * step);
        density[k]     = 0.0;
    }
    for (int i = 0; status == KANE_OK && i < windows; i++)
        add_window(&w, size, step, x + i * (size / 2), density);
    for (int k = 0; status == KANE_OK && k <= size / 2; k++)
        density[k] /= windows;
    kane_arena_free(arena);
    return status;
}
