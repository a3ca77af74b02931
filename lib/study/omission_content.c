// SPDX-License-Identifier: MIT
// What decides the results of an omission study, for its plan.

#include "study/omission_report.h"

#include "base/writer.h"

#include <stdlib.h>

static void write_texts(kane_writer *w, const char *key, const char *const *texts, int count)
{
    kane_writer_open(w, key, '[');
    for (int i = 0; i < count; i++)
        kane_writer_text(w, NULL, texts[i]);
    kane_writer_close(w);
}

static void write_list(kane_writer *w, const char *key, const char *const *texts)
{
    int count = 0;
    while (texts && texts[count])
        count++;
    write_texts(w, key, texts, count);
}

static void write_axes(kane_writer *w, const kane_omission_grid *grid)
{
    kane_writer_open(w, "conditions", '[');
    for (int a = 0; a < grid->axis_count; a++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", grid->axes[a]->path);
        kane_writer_text(w, "unit", grid->axes[a]->unit);
        write_texts(w, "values", grid->axes[a]->texts, grid->axes[a]->count);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_responses(kane_writer *w, const kane_omission_setup *setup)
{
    kane_writer_open(w, "responses", '[');
    for (int r = 0; r < setup->response_count; r++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "response", setup->responses[r].pattern);
        kane_writer_text(w, "unit", setup->responses[r].unit);
        write_texts(w, "channels", setup->responses[r].channels, setup->responses[r].channel_count);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

char *kane_omission_content(const kane_omission_setup *setup, kane_errors *errors)
{
    const kane_run_options *common = setup->study->common;
    char *text                     = NULL;
    size_t size;
    FILE *file         = open_memstream(&text, &size);
    kane_status status = file ? KANE_OK : KANE_NO_MEMORY;
    if (file) {
        kane_writer w = kane_writer_start(file);
        kane_writer_open(&w, NULL, '{');
        kane_writer_text(&w, "kind", "omission");
        kane_writer_open(&w, "inputs", '{');
        kane_inputs_write(setup->inputs, &w);
        kane_writer_close(&w);
        write_list(&w, "set", common ? common->settings : NULL);
        write_list(&w, "omit", common ? common->omit : NULL);
        write_axes(&w, &setup->grid);
        write_texts(&w, "terms", setup->terms.texts, setup->terms.count);
        write_responses(&w, setup);
        kane_writer_close(&w);
        status = kane_writer_end(&w);
        status = fclose(file) == 0 ? status : KANE_NO_MEMORY;
    }
    if (status == KANE_OK)
        return text;
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    free(text);
    return NULL;
}
