// SPDX-License-Identifier: MIT
// Flexible models as tests write them: a beam of 5 m, and the block of data/flexible.

#ifndef KANE_TEST_FLEXIBLE_MODELS_H
#define KANE_TEST_FLEXIBLE_MODELS_H

#include "models.h"

#include <kane/flexible.h>

#include <unistd.h>

// The model of a text. NULL with errors.
static inline kane_flexible *read_model_text(const char *text, kane_errors *errors)
{
    char name[64];
    (void)snprintf(name, sizeof name, "flexible_model_%d.json", (int)getpid());
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
    kane_flexible *model = kane_flexible_read(name, NULL, errors);
    (void)remove(name);
    return model;
}

static inline kane_flexible *read_good_text(const char *text)
{
    kane_flexible *m = CHECK_GOOD(read_model_text, text);
    assert_non_null(m);
    return m;
}

// A slender beam of steel along x, 5 m: rest is what follows the interfaces, "\"modes\": ...".
#define SLENDER_A     1e-2
#define SLENDER_IY    2e-7
#define SLENDER_IZ    9e-8
#define SLENDER_POLAR 40.0

static inline kane_flexible *read_slender_beam(int elements, const char *interfaces, const char *rest)
{
    char text[2048];
    (void)snprintf(
        text, sizeof text,
        "{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[5,0,0],\"count\":%d,\"E\":2.1e11,"
        "\"G\":8.1e10,\"density\":7850,\"A\":%g,\"Iy\":%g,\"Iz\":%g,\"J\":3e-7,\"polar\":%g}},"
        "\"interfaces\":{%s},%s}",
        elements, SLENDER_A, SLENDER_IY, SLENDER_IZ, SLENDER_POLAR, interfaces, rest);
    return read_good_text(text);
}

// The block of CalculiX with its interfaces at both ends.
static inline void write_calculix_block(const char *rest, size_t size, char *text)
{
    static const char *const block = KANE_SOURCE_DIR "/data/flexible/block";
    (void)snprintf(text, size,
                   "{\"kane\":\"flexible 1\",\"matrices\":{\"format\":\"calculix\",\"nodes\":\"%s.inp\",\"unknowns\":"
                   "\"%s.dof\",\"stiffness\":\"%s.sti\",\"mass\":\"%s.mas\"},\"interfaces\":{\"left\":{\"at\":[0,0.05,"
                   "0.03],\"radius\":0.06},\"right\":{\"at\":[0.8,0.05,0.03],\"radius\":0.06}},%s}",
                   block, block, block, block, rest);
}

static inline kane_flexible *read_calculix_block(const char *rest)
{
    char text[2048];
    write_calculix_block(rest, sizeof text, text);
    return read_good_text(text);
}

#endif
