// SPDX-License-Identifier: MIT
// What the plan of a transition study says of itself: all that decides its results.

#include "study/content.h"

#include <stdlib.h>

static void write_texts(kane_writer *w, const char *key, const char *const *texts)
{
    kane_writer_open(w, key, '[');
    for (int i = 0; texts && texts[i]; i++)
        kane_writer_text(w, NULL, texts[i]);
    kane_writer_close(w);
}

int content_begin(content *t, const char *kind, const comparison *c, const kane_inputs *inputs)
{
    *t      = (content){0};
    t->file = open_memstream(&t->text, &t->size);
    if (!t->file)
        return 0;
    t->w           = kane_writer_start(t->file);
    kane_writer *w = &t->w;
    kane_writer_open(w, NULL, '{');
    kane_writer_text(w, "kind", kind);
    kane_inputs_write(inputs, w);
    write_texts(w, "settings", c->common ? c->common->settings : NULL);
    write_texts(w, "omit", c->common ? c->common->omit : NULL);
    kane_writer_row(w, "sections");
    for (int i = 0; i < c->sections.count; i++)
        kane_writer_count(w, NULL, c->sections.index[i]);
    kane_writer_close(w);
    kane_writer_open(w, "criteria", '[');
    for (int i = 0; i < c->criteria->count; i++)
        kane_writer_text(w, NULL, c->criteria->text[i]);
    kane_writer_close(w);
    kane_writer_open(w, "shapes", '{');
    for (int i = 0; i < c->count; i++)
        kane_writer_text(w, c->shapes[i].name, c->settings[i][0]);
    kane_writer_close(w);
    return 1;
}

const char *content_end(content *t)
{
    if (!t->file)
        return NULL;
    kane_writer_close(&t->w);
    const kane_status status = kane_writer_end(&t->w);
    const int failed         = fclose(t->file) != 0;
    t->file                  = NULL;
    return failed || status != KANE_OK ? NULL : t->text;
}

void content_free(content *t)
{
    if (t->file)
        (void)fclose(t->file);
    free(t->text);
    *t = (content){0};
}
