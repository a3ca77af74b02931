// SPDX-License-Identifier: MIT
// Chromium without a window, and the page that was built beside the program.

#ifndef KANE_TESTS_BROWSER_H
#define KANE_TESTS_BROWSER_H

#include "unit/apps/program.h"

// A page without a window gets no frames to draw in, or gets them too late on a busy machine: it draws by timers, for
// which the browser's own time waits.
#define DRAW_BY_TIMERS                                                                                                 \
    "<script>window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);</script>"

// NULL: there is none.
static inline const char *browser(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (command_works("command -v %s >/dev/null", names[i]))
            return names[i];
    return NULL;
}

// Copies the built page to the file "page", with a text behind its <head>. 0: there is no page.
static inline int take_page(const char *more)
{
    char name[1024];
    (void)snprintf(name, sizeof name, "%s", KANE_PROGRAM);
    for (int up = 0; up < 2; up++)
        *strrchr(name, '/') = '\0';
    (void)strcat(name, "/share/kane/view/page.html");
    if (access(name, R_OK) != 0)
        return 0;
    const char *page = content(name), *head = strstr(page, "<head>");
    FILE *file = fopen("page", "w");
    assert_non_null(head);
    assert_non_null(file);
    (void)fprintf(file, "%.*s<head>%s%s", (int)(head - page), page, more, head + strlen("<head>"));
    assert_int_equal(fclose(file), 0);
    return 1;
}

// Opens a page of the folder, "run.html" or "run.html#run=1", for so many milliseconds of its own time: `how` is
// --screenshot=FILE or --dump-dom, into "dom". Only a browser that hangs is ended, after 10 minutes.
static inline void open_page(const char *program, const char *page, const char *how, int milliseconds)
{
    assert_true(command_works(
        "timeout 600 %s --headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader "
        "--disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync "
        "--hide-scrollbars --force-device-scale-factor=1 --user-data-dir=\"$PWD/profile\" --window-size=1280,720 "
        "--virtual-time-budget=%d %s \"file://$PWD/%s\" >dom 2>browser.log",
        program, milliseconds, how, page));
}

// The browser's name; "page" is the built page with a text behind its <head>. Where one of both is absent the test is
// skipped.
static inline const char *browser_or_skip(const char *more)
{
    const char *program = browser();
    if (!program)
        check_skip("there is no Chromium here (Debian: chromium)");
    if (!take_page(more))
        check_skip("there is no page of kane view: npm, with which it is built, or its registry was not there");
    return program;
}

static inline void append(const char *name, const char *text)
{
    FILE *file = fopen(name, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#endif
