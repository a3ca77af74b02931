// SPDX-License-Identifier: MIT
// What tests of pictures share: something to draw, and a small checker of XML.

#ifndef KANE_TESTS_PLOT_H
#define KANE_TESTS_PLOT_H

#include "files.h"

enum { N = 200 };

static double x[N], wave[N], flat[N];
// A first set-up: what is drawn.
static inline int plot_begin(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        x[i]    = 0.1 * i;
        wave[i] = sin(x[i]);
        flat[i] = 5.0;
    }
    return 0;
}

// Draws panels with one curve each.
static inline kane_status draw_curves(const char *file, int count, const kane_plot_curve *curves, kane_errors *errors)
{
    kane_plot_panel panels[4];
    for (int i = 0; i < count; i++)
        panels[i] =
            (kane_plot_panel){.x_label = "time [s]", .y_label = "y [m/s²]", .curve_count = 1, .curves = &curves[i]};
    const kane_plot plot = {.panel_count = count, .panels = panels};
    return kane_plot_draw(&plot, files_path(file), errors);
}

static inline kane_status draw_wave(const char *file, kane_errors *errors)
{
    const kane_plot_curve curve = {.label = "wave", .count = N, .x = x, .y = wave};
    return draw_curves(file, 1, &curve, errors);
}

static inline char *read_text(const char *name)
{
    size_t length;
    char *text = files_read(files_path(name), &length);
    assert_int_equal(strlen(text), length);
    return text;
}

// --- is it XML? ---

static inline const char *skip_name(const char *p)
{
    return p + strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:");
}

// Reference such as &lt; or &#39; at p; returns what follows it.
static inline const char *skip_reference(const char *p)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    for (int i = 0; i < 5; i++)
        if (strncmp(p, known[i], strlen(known[i])) == 0)
            return p + strlen(known[i]);
    assert_true(p[1] == '#');
    p += 2 + strspn(p + 2, "x0123456789abcdefABCDEF");
    assert_true(*p == ';');
    return p + 1;
}

// A tag at p: names, quoted attributes, opened and closed in order (names: stack of open elements).
static inline const char *check_tag(const char *p, const char **names, int *depth)
{
    const int closes = p[1] == '/';
    const char *name = p + 1 + closes, *after = skip_name(name);
    const size_t length = (size_t)(after - name);
    assert_true(length > 0);
    if (closes) {
        assert_true(*depth > 0);
        assert_true(strncmp(names[--*depth], name, length) == 0 && skip_name(names[*depth])[0] != *name);
        assert_int_equal(skip_name(names[*depth]) - names[*depth], length);
        assert_true(*after == '>');
        return after + 1;
    }
    for (p = after + strspn(after, " \n\t"); *p != '>' && *p != '/'; p += strspn(p, " \n\t")) {
        const char *end = skip_name(p), *equals = end + strspn(end, " ");
        assert_true(end > p && *equals == '=');
        const char *open = equals + 1 + strspn(equals + 1, " ");
        assert_true(*open == '"' || *open == '\'');
        const char *close = strchr(open + 1, *open);
        assert_non_null(close);
        assert_null(memchr(open + 1, '<', (size_t)(close - open - 1)));
        p = close + 1;
    }
    if (*p == '>') {
        assert_true(*depth < 32);
        names[(*depth)++] = name;
        return p + 1;
    }
    assert_true(p[1] == '>');
    return p + 2;
}

static inline void check_xml(const char *text)
{
    const char *names[32];
    int depth = 0;
    assert_true(strncmp(text, "<?xml ", 6) == 0);
    for (const char *p = strstr(text, "?>") + 2; *p;) {
        assert_true((unsigned char)*p >= ' ' || *p == '\n' || *p == '\t');
        if (*p == '<')
            p = check_tag(p, names, &depth);
        else if (*p == '&')
            p = skip_reference(p);
        else
            p++;
    }
    assert_int_equal(depth, 0);
}

#endif
