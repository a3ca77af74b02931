// SPDX-License-Identifier: MIT
// What decides the results of a sweep, as the text of its plan.

#include "study/sweep.h"

#include <stdio.h>
#include <stdlib.h>

const char *kane_sweep_kind_name(kane_sweep_kind kind)
{
    static const char *const names[] = {"grid", "list", "latin hypercube"};
    return names[kind];
}

static void write_texts(kane_writer *w, const char *key, int count, const char *const *texts)
{
    kane_writer_row(w, key);
    for (int i = 0; i < count; i++)
        kane_writer_text(w, NULL, texts[i]);
    kane_writer_close(w);
}

static int length_of(const char *const *texts)
{
    int count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

static void write_inputs(kane_writer *w, const kane_sweep_study *s)
{
    kane_writer_open(w, "inputs", '[');
    for (int i = 0; i < s->input_count; i++) {
        kane_writer_open(w, NULL, '{');
        kane_inputs_write(s->inputs[i], w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

// Of a Latin hypercube the ends; what lies between follows from seed and number of samples.
static void write_axes(kane_writer *w, const kane_sweep_study *s)
{
    kane_writer_open(w, "axes", '[');
    for (int a = 0; a < s->is.axis_count; a++) {
        const kane_axis *axis = s->is.axes[a];
        const int is_open     = s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE && axis->is_range;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", axis->path);
        if (is_open) {
            const char *const ends[] = {axis->texts[0], axis->texts[axis->count - 1]};
            write_texts(w, "between", 2, ends);
        } else {
            write_texts(w, "values", axis->count, axis->texts);
        }
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

void kane_sweep_write_definition(kane_writer *w, const kane_sweep_study *s)
{
    kane_writer_text(w, "kind", "sweep");
    kane_writer_text(w, "run", s->is.file);
    write_texts(w, "settings", length_of(s->common.settings), s->common.settings);
    write_texts(w, "omit", length_of(s->common.omit), s->common.omit);
    kane_writer_text(w, "layout", kane_sweep_kind_name(s->is.kind));
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE) {
        kane_writer_count(w, "samples", s->is.samples);
        kane_writer_count(w, "seed", s->is.seed);
    }
    write_axes(w, s);
    write_texts(w, "measures", s->is.measure_count, s->is.measures);
    kane_writer_switch(w, "keep", s->is.keep_results);
    write_inputs(w, s);
}

char *kane_sweep_content(const kane_sweep_study *s)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *out   = open_memstream(&text, &size);
    if (!out)
        return NULL;
    kane_writer w = kane_writer_start(out);
    kane_writer_open(&w, NULL, '{');
    kane_sweep_write_definition(&w, s);
    kane_writer_close(&w);
    const kane_status status = kane_writer_end(&w);
    if (fclose(out) == 0 && status == KANE_OK)
        return text;
    free(text);
    return NULL;
}
