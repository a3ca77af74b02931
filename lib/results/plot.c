// SPDX-License-Identifier: MIT
// Pictures of results: the script, gnuplot, and a file that appears complete or not at all.

#include "base/file.h"
#include "base/text.h"
#include "results/plot.h"
#include "results/results.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const double LONGEST = 60.0; // that gnuplot may take [s]

enum { SMALLEST = 100, LARGEST = 30000 }; // width and height of a picture [pixels]

static int ends_in(const char *file, const char *end)
{
    const size_t n = strlen(file), m = strlen(end);
    return n >= m && strcmp(file + n - m, end) == 0;
}

static kane_status check_plot(const kane_plot *plot, const char *file, kane_errors *errors)
{
    const kane_place place = {.file = file, .path = ""};
    if (!ends_in(file, ".svg") && !ends_in(file, ".png")) {
        kane_errors_add_input(errors, KANE_BAD_ARGUMENT, place, "a picture's name ends in .svg or .png");
        return KANE_BAD_ARGUMENT;
    }
    if (plot->panel_count < 1) {
        kane_errors_add_input(errors, KANE_BAD_ARGUMENT, place, "a picture needs a panel");
        return KANE_BAD_ARGUMENT;
    }
    if ((plot->width && (plot->width < SMALLEST || plot->width > LARGEST)) ||
        (plot->height && (plot->height < SMALLEST || plot->height > LARGEST))) {
        kane_errors_add_input(errors, KANE_BAD_ARGUMENT, place, "%d x %d is not a picture size: %d to %d pixels",
                              plot->width, plot->height, SMALLEST, LARGEST);
        return KANE_BAD_ARGUMENT;
    }
    for (int i = 0; i < plot->panel_count; i++) {
        const kane_plot_map *map = plot->panels[i].map;
        if (!map || (map->columns > 0 && map->rows > 0 && map->columns <= KANE_PLOT_CELLS_MOST / map->rows))
            continue;
        kane_errors_add_input(errors, KANE_BAD_ARGUMENT, place, "a map has 1 to %d cells, not %d x %d",
                              KANE_PLOT_CELLS_MOST, map->columns, map->rows);
        return KANE_BAD_ARGUMENT;
    }
    return KANE_OK;
}

// Writes the script and runs gnuplot on it.
static kane_status draw_plot(const kane_plot *plot, kane_picture_kind kind, int picture, kane_errors *errors)
{
    const int script   = kane_gnuplot_file(errors);
    const int second   = script < 0 ? -1 : dup(script);
    FILE *out          = second < 0 ? NULL : fdopen(second, "w");
    kane_status status = KANE_NO_FILE;
    if (out) {
        status = kane_plot_script(plot, kind, out, errors);
        if (fclose(out) != 0 && status == KANE_OK)
            status = kane_file_error(errors, "gnuplot", "its script cannot be written", errno);
    } else if (script >= 0) {
        status = kane_file_error(errors, "gnuplot", "its script cannot be written", errno);
        if (second >= 0)
            (void)close(second);
    }
    if (status == KANE_OK)
        status = kane_gnuplot_run(script, picture, kind == KANE_SVG ? "</svg>" : "IEND", LONGEST, errors);
    if (script >= 0)
        (void)close(script);
    return status;
}

// Copies an SVG without what gnuplot adds about itself: its name and version, and titles that browsers show. 0, or
// errno.
static int copy_svg(int from, int to)
{
    char line[4096];
    int failed       = 0;
    const int second = dup(from);
    FILE *in         = second < 0 ? NULL : fdopen(second, "r");
    if (!in) {
        failed = errno;
        if (second >= 0)
            (void)close(second);
        return failed;
    }
    while (!failed && fgets(line, sizeof line, in)) {
        char *title = strstr(line, "<title>"), *end = title ? strstr(title, "</title>") : NULL;
        if (end)
            memmove(title, end + 8, strlen(end + 8) + 1);
        if (strncmp(line, "<desc>", 6) != 0)
            failed = kane_file_write(to, strlen(line), line);
    }
    if (!failed && ferror(in))
        failed = EIO;
    (void)fclose(in);
    return failed;
}

static kane_status draw_beside(const kane_plot *plot, const char *file, int beside, kane_errors *errors)
{
    const int picture = kane_gnuplot_file(errors);
    if (picture < 0)
        return KANE_NO_FILE;
    const kane_picture_kind kind = ends_in(file, ".svg") ? KANE_SVG : KANE_PNG;
    kane_status status           = draw_plot(plot, kind, picture, errors);
    if (status == KANE_OK) {
        (void)lseek(picture, 0, SEEK_SET);
        const int failed = kind == KANE_SVG ? copy_svg(picture, beside) : kane_file_copy(picture, beside);
        if (failed)
            status = kane_file_error(errors, file, "cannot be written", failed);
    }
    (void)close(picture);
    return status;
}

kane_status kane_plot_draw(const kane_plot *plot, const char *file, kane_errors *errors)
{
    kane_replacement fresh;
    kane_status status = check_plot(plot, file, errors);
    if (status == KANE_OK)
        status = kane_replacement_open(&fresh, file, errors);
    if (status != KANE_OK)
        return status;
    status = draw_beside(plot, file, fileno(fresh.file), errors);
    if (status == KANE_OK)
        return kane_replacement_close(&fresh, errors);
    kane_replacement_drop(&fresh);
    return status;
}
