// SPDX-License-Identifier: MIT
// Maps: tables as coloured cells, with a bar that says what the colours mean.

#include "results/plot.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

enum {
    LINE    = KANE_PLOT_LINE,
    GAP     = 8,
    BAR     = 16,  // width of the bar [pixels]
    STEPS   = 128, // colours of it
    DECADES = 8,   // at most
    DIGITS  = 3    // of numbers in cells
};

static const unsigned NOTHING = 0xE4E4E4;

// Viridis (van der Walt and Smith, 2015), which grows evenly in lightness also for people who do not see all colours,
// and a diverging one of ColorBrewer (RdBu); both at even distances.
static const unsigned viridis[]   = {0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E,
                                     0x1F9E89, 0x35B779, 0x6ECE58, 0xB5DE2B, 0xFDE725};
static const unsigned two_signs[] = {0x053061, 0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7,
                                     0xFDDBC7, 0xF4A582, 0xD6604D, 0xB2182B, 0x67001F};

// --- colours ---

// Colour 0xRRGGBB at a part (0 .. 1) of a table of colours, linear between them.
static unsigned mix_colours(const unsigned *table, int count, double part)
{
    const double at = part * (count - 1);
    const int i     = at >= count - 1 ? count - 2 : (int)at;
    unsigned colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double a = table[i] >> shift & 0xFF, b = table[i + 1] >> shift & 0xFF;
        colour |= (unsigned)lround(a + (b - a) * (at - i)) << shift;
    }
    return colour;
}

// Position of a value on the bar.
static double height_of(const kane_plot_map *map, const kane_plot_map_place *place, double value)
{
    if (map->scale == KANE_MAP_DECADES)
        return value > 0.0 ? fmax(log10(value), place->bar.low) : place->bar.low;
    return kane_plot_axis_divide(&place->bar, value);
}

static unsigned colour_at(const kane_plot_map *map, const kane_plot_axis *bar, double height)
{
    const double part = fmin(fmax((height - bar->low) / (bar->high - bar->low), 0.0), 1.0);
    return map->scale == KANE_MAP_BOTH_SIGNS ? mix_colours(two_signs, sizeof two_signs / sizeof *two_signs, part)
                                             : mix_colours(viridis, sizeof viridis / sizeof *viridis, part);
}

unsigned kane_plot_map_colour(const kane_plot_map *map, const kane_plot_map_place *place, double value)
{
    return isfinite(value) ? colour_at(map, &place->bar, height_of(map, place, value)) : NOTHING;
}

// --- layout ---

// Powers of ten that hold all values above zero.
static void measure_decades(const kane_plot_map *map, double least, double greatest, kane_plot_map_place *place)
{
    const int is_empty = !(least <= greatest);
    double low = is_empty ? 0.0 : floor(log10(least)), high = is_empty ? 1.0 : ceil(log10(greatest));
    high            = high > low ? high : low + 1.0;
    place->is_cut   = high - low > DECADES;
    low             = fmax(low, high - DECADES);
    place->bar      = (kane_plot_axis){.low = low, .high = high, .step = 1.0};
    const int cells = map->columns * map->rows;
    for (int i = 0; i < cells; i++)
        place->is_cut |= map->values[i] <= 0.0;
}

static void bar_text(const kane_plot_map *map, const kane_plot_map_place *place, long k, double *at, char *text)
{
    if (map->scale != KANE_MAP_DECADES) {
        *at = kane_plot_axis_tick(&place->bar, k, text);
        return;
    }
    char power[KANE_NUMBER_SIZE] = "×1";
    const kane_plot_axis ten     = {.ten = (int)k};
    *at                          = (double)k;
    kane_plot_axis_factor(&ten, power);
    (void)snprintf(text, KANE_TICK_SIZE, "%s%s", place->is_cut && *at <= place->bar.low ? "≤ " : "",
                   power[0] ? power + strlen("×") : "1");
}

static int widest_bar_text(const kane_plot_map *map, const kane_plot_map_place *place)
{
    char text[KANE_TICK_SIZE];
    long first, last;
    double at;
    int widest = 0;
    kane_plot_axis_ticks(&place->bar, &first, &last);
    for (long k = first; k <= last; k++) {
        bar_text(map, place, k, &at, text);
        const int width = kane_plot_text_width(text, KANE_PLOT_FONT);
        widest          = width > widest ? width : widest;
    }
    return widest;
}

static int widest_text(int count, const char *const *texts)
{
    int widest = 0;
    for (int i = 0; i < count; i++) {
        const int width = kane_plot_text_width(texts[i], KANE_PLOT_FONT);
        widest          = width > widest ? width : widest;
    }
    return widest;
}

void kane_plot_map_measure(const kane_plot_map *map, int ticks, kane_plot_place *place)
{
    const int is_given = map->least < map->greatest && (map->scale != KANE_MAP_DECADES || map->least > 0.0);
    double least       = is_given ? map->least : (double)INFINITY;
    double greatest    = is_given ? map->greatest : -(double)INFINITY;
    for (int i = 0; i < map->columns * map->rows; i++)
        if (isfinite(map->values[i]) && (map->scale != KANE_MAP_DECADES || map->values[i] > 0.0)) {
            least    = fmin(least, map->values[i]);
            greatest = fmax(greatest, map->values[i]);
        }
    place->x = (kane_plot_axis){.low = 0.0, .high = map->columns, .step = 1.0};
    place->y = (kane_plot_axis){.low = 0.0, .high = map->rows, .step = 1.0};
    if (map->scale == KANE_MAP_DECADES) {
        measure_decades(map, least, greatest, &place->map);
    } else {
        const int is_empty = !(least <= greatest);
        const double most  = fmax(fabs(least), fabs(greatest));
        if (is_empty || map->scale == KANE_MAP_BOTH_SIGNS) {
            greatest = is_empty || most == 0.0 ? 1.0 : most;
            least    = is_empty && map->scale == KANE_MAP_PLAIN ? 0.0 : -greatest;
        }
        place->map.bar = kane_plot_axis_make(least, greatest, 0.0, ticks);
        if (!is_empty)
            kane_plot_axis_rescale(&place->map.bar, kane_plot_unit_ten(map->label, most, place->map.bar.ten), ticks);
    }
    place->map.bar_width = 2 * GAP + BAR + GAP + widest_bar_text(map, &place->map) + GAP / 2 + LINE;
}

int kane_plot_rows_left(int rows, const char *const *texts, int width)
{
    const int most = (int)(0.35 * width), widest = widest_text(rows, texts);
    return widest < most ? widest : most;
}

void kane_plot_map_place_x(const kane_plot_map *map, int width, kane_plot_map_place *place)
{
    enum { TURNED_MOST = 220 };
    const double cell = (double)width / map->columns;
    const int widest  = widest_text(map->columns, map->x_texts);
    place->x_turned   = widest + GAP > cell && widest + GAP > 60;
    const int needed  = place->x_turned ? LINE : widest + GAP;
    place->x_every    = needed > cell ? (int)ceil(needed / cell) : 1;
    place->x_height   = !place->x_turned ? LINE : widest < TURNED_MOST ? widest + GAP : TURNED_MOST + GAP;
}

void kane_plot_map_place_y(const kane_plot_map *map, kane_plot_place *place)
{
    const double cell  = (double)(place->bottom - place->top) / map->rows;
    place->map.y_every = cell < LINE ? (int)ceil(LINE / fmax(cell, 0.01)) : 1;
}

// --- script ---

static int column_at(const kane_plot_place *at, const kane_plot_map *map, int i)
{
    return at->left + (int)((i + 0.5) * (at->right - at->left) / map->columns);
}

static int row_at(const kane_plot_place *at, int rows, int i)
{
    return at->bottom - (int)((i + 0.5) * (at->bottom - at->top) / rows);
}

void kane_plot_row_texts(const kane_plot_pen *s, int rows, const char *const *texts, int every,
                         const kane_plot_place *at)
{
    for (int i = 0; i < rows; i += every)
        kane_pen_label(s, texts[i], at->left - GAP, row_at(at, rows, i), at->left - 2 * GAP - LINE, "right");
}

void kane_plot_map_ticks(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                         const kane_plot_place *at)
{
    (void)fprintf(s->out, "set xrange [0:%d]\nset yrange [0:%d]\nunset xtics\nunset ytics\n", map->columns, map->rows);
    for (int i = 0; i < map->columns; i += at->map.x_every)
        if (at->map.x_turned)
            kane_pen_label(s, map->x_texts[i], column_at(at, map, i), at->bottom + GAP, at->map.x_height,
                           "right rotate by 90");
        else
            kane_pen_label(s, map->x_texts[i], column_at(at, map, i), at->bottom + GAP / 2 + LINE / 2, l->width,
                           "center");
    kane_plot_row_texts(s, map->rows, map->y_texts, at->map.y_every, at);
}

// 0.00123, 1000, 1.2e+06; in the unit of the bar's label if that has a prefix.
static void number_text(const kane_plot_map *map, const kane_plot_axis *bar, double value, char text[KANE_NUMBER_SIZE])
{
    if (map->scale != KANE_MAP_DECADES && kane_plot_unit_has_prefix(map->label, bar->ten))
        value = kane_plot_axis_divide(bar, value);
    kane_number_round(value, DIGITS, text);
    if (isfinite(value))
        kane_number_format(kane_number_value(text, strlen(text), 0) + 0.0, text);
}

// Numbers in the cells, dark on light ones and light on dark ones, if all of them have room. 0: they have not.
static int write_numbers(const kane_plot_pen *s, const kane_plot_map *map, const kane_plot_place *at)
{
    char text[KANE_NUMBER_SIZE];
    const int room = (at->right - at->left) / map->columns - GAP, cells = map->columns * map->rows;
    if ((at->bottom - at->top) / map->rows < LINE)
        return 0;
    for (int i = 0; i < cells; i++) {
        number_text(map, &at->map.bar, map->values[i], text);
        if (kane_plot_text_width(text, KANE_PLOT_FONT) > room)
            return 0;
    }
    for (int i = 0; i < cells; i++) {
        const unsigned c = kane_plot_map_colour(map, &at->map, map->values[i]);
        const double lightness =
            0.299 * (double)(c >> 16 & 0xFF) + 0.587 * (double)(c >> 8 & 0xFF) + 0.114 * (double)(c & 0xFF);
        number_text(map, &at->map.bar, map->values[i], text);
        if (!isfinite(map->values[i]))
            (void)strcpy(text, "–");
        kane_pen_label(s, text, column_at(at, map, i % map->columns), row_at(at, map->rows, i / map->columns), room,
                       lightness > 140.0 ? "center front textcolor rgb '#000000'"
                                         : "center front textcolor rgb '#ffffff'");
    }
    return 1;
}

// Data of all contour lines, and their values beside them unless cells have numbers. Returns the number of segments; -1
// without memory.
static int write_contours(const kane_plot_pen *s, const kane_plot_map *map, const kane_plot_place *at, int has_numbers)
{
    const size_t cells = (size_t)map->columns * (size_t)map->rows;
    double *heights = kane_allocate(9 * cells, sizeof *heights), *segments = heights + cells;
    char text[KANE_TICK_SIZE];
    long first, last;
    int total = 0;
    if (!heights)
        return -1;
    for (size_t i = 0; i < cells; i++)
        heights[i] = isfinite(map->values[i]) ? height_of(map, &at->map, map->values[i]) : (double)NAN;
    kane_plot_axis_ticks(&at->map.bar, &first, &last);
    (void)fprintf(s->out, "$contours << END\n");
    for (long k = first; k <= last; k++) {
        double level;
        bar_text(map, &at->map, k, &level, text);
        const int count = kane_plot_contour(map->columns, map->rows, heights, level, segments);
        for (int i = 0; i < count; i++) {
            for (int end = 0; end < 4; end++) {
                kane_pen_number(s, segments[4 * i + end] + 0.5);
                (void)fprintf(s->out, end % 2 ? "\n" : " ");
            }
            (void)fprintf(s->out, "\n");
        }
        total += count;
    }
    (void)fprintf(s->out, "END\nset style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.3,0.3\n");
    for (long k = first; k <= last && !has_numbers; k++) {
        double level;
        bar_text(map, &at->map, k, &level, text);
        const int count       = kane_plot_contour(map->columns, map->rows, heights, level, segments);
        const double *segment = segments + 4 * (count / 2); // about its middle
        if (count > 0)
            kane_pen_label(s, text, at->left + (int)((segment[0] + 0.5) * (at->right - at->left) / map->columns),
                           at->bottom - (int)((segment[1] + 0.5) * (at->bottom - at->top) / map->rows), at->right,
                           "center front boxed");
    }
    kane_release(heights);
    return total;
}

static void write_bar(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                      const kane_plot_place *at)
{
    const kane_plot_axis *bar = &at->map.bar;
    const int left = at->right + 2 * GAP, right = left + BAR, texts = right + GAP, height = at->bottom - at->top;
    char text[KANE_TICK_SIZE], factor[KANE_NUMBER_SIZE], label[256];
    long first, last;
    (void)fprintf(s->out, "unset label\nset lmargin at screen %d./%d\nset rmargin at screen %d./%d\n", left, l->width,
                  right, l->width);
    (void)fprintf(s->out, "set xrange [0:1]\nset yrange [0:%d]\n", STEPS);
    kane_plot_axis_ticks(bar, &first, &last);
    for (long k = first; k <= last; k++) {
        double tick;
        bar_text(map, &at->map, k, &tick, text);
        const int y = at->bottom - (int)((tick - bar->low) / (bar->high - bar->low) * height + 0.5);
        kane_pen_label(s, text, texts, y, l->width, "left");
        (void)fprintf(s->out, "set arrow from ");
        kane_pen_place(s, right, y);
        (void)fprintf(s->out, " to ");
        kane_pen_place(s, right + GAP / 2, y);
        (void)fprintf(s->out, " nohead lw 0.8 lc rgb '#555555'\n");
    }
    kane_plot_unit_label(map->label, bar->ten, sizeof label, label, factor);
    kane_pen_label(s, factor, left, at->top - LINE / 2, l->width, "left");
    kane_pen_label(s, label, texts + widest_bar_text(map, &at->map) + GAP / 2 + LINE / 2, (at->top + at->bottom) / 2,
                   height + LINE, "center rotate by 90");
    (void)fprintf(s->out, "$bar << END\n");
    for (int i = 0; i < STEPS; i++)
        (void)fprintf(s->out, "0.5 %d.5 0 1 %d %d %u\n", i, i, i + 1,
                      colour_at(map, bar, bar->low + (i + 0.5) / STEPS * (bar->high - bar->low)));
    (void)fprintf(s->out,
                  "END\nplot $bar using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable fs solid 1 noborder notitle\n"
                  "set border 3\nset grid\nset xtics nomirror\nset ytics nomirror\n");
}

kane_status kane_plot_map_write(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                                const kane_plot_place *at)
{
    const int has_numbers = write_numbers(s, map, at);
    const int contours    = map->with_contours ? write_contours(s, map, at, has_numbers) : 0;
    if (contours < 0)
        return KANE_NO_MEMORY;
    (void)fprintf(s->out, "set border 15\nunset grid\n$cells << END\n");
    for (int r = 0; r < map->rows; r++)
        for (int c = 0; c < map->columns; c++)
            (void)fprintf(s->out, "%d.5 %d.5 %d %d %d %d %u\n", c, r, c, c + 1, r, r + 1,
                          kane_plot_map_colour(map, &at->map, map->values[r * map->columns + c]));
    (void)fprintf(
        s->out, "END\nplot $cells using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable fs solid 1 noborder notitle%s\n",
        contours == 0 ? ""
                      : ", $contours with lines lw 3 lc rgb '#000000' notitle"
                        ", $contours with lines lw 1.2 lc rgb '#ffffff' notitle");
    write_bar(s, l, map, at);
    return KANE_OK;
}
