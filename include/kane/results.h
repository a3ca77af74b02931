// SPDX-License-Identifier: MIT
// Result files: rows of channel values, written during a run and read back, and pictures of them.

#ifndef KANE_RESULTS_H
#define KANE_RESULTS_H

#include <kane/base.h>

KANE_C_BEGIN

typedef enum kane_file_format {
    KANE_CSV, // text: comments (#) with run and units, a line of names, then one row a line, all digits
    KANE_HDF5 // one dataset a channel with unit and description as attributes; only if built with HDF5
} kane_file_format;

// 1 if this library was built with HDF5.
KANE_API int kane_results_have_hdf5(void);

// "csv" or "h5": how files of a format end.
KANE_API const char *kane_results_extension(kane_file_format format);

// What a column of a result file is.
typedef struct kane_column {
    const char *name;        // e.g. "leading.left.N"
    const char *unit;        // e.g. "N"; "1" for a pure number
    const char *description; // one sentence
} kane_column;

// --- writing ---

typedef struct kane_recorder kane_recorder;

// Creates a file. manifest: a JSON text that is kept in the file (HDF5: attribute "manifest"; CSV: not at all), NULL:
// none. The key of the run that it is of, its "key" of 16 hexadecimal digits, is kept in both, so that rows and
// manifest find each other. A process that is killed leaves a file that can be read up to the last flush.
KANE_API kane_recorder *kane_recorder_create(const char *file, kane_file_format format, int column_count,
                                             const kane_column *columns, const char *manifest, kane_errors *errors);

// Whether an HDF5 file is compressed when it is closed; without this call it is. CSV never is.
KANE_API void kane_recorder_compress(kane_recorder *recorder, int is_compressed);

// Adds a row of column_count values. Rows are kept back and written in blocks.
KANE_API kane_status kane_recorder_add(kane_recorder *recorder, const double *row, kane_errors *errors);

// Writes out what is kept back, so that readers see it.
KANE_API kane_status kane_recorder_flush(kane_recorder *recorder, kane_errors *errors);

// Flushes, closes and frees; NULL is allowed. manifest: replaces the first one and has the same key, NULL: leaves it.
KANE_API kane_status kane_recorder_close(kane_recorder *recorder, const char *manifest, kane_errors *errors);

// --- reading ---

typedef struct kane_results kane_results;

// Opens a result file of either kind (also one that is still being written or was left by a killed process), or the one
// in a directory that a run wrote. Reads everything. NULL with errors filled; KANE_BAD_INPUT also where the rows are of
// another run than the manifest with them, or where a run's rows have none.
KANE_API kane_results *kane_results_open(const char *path, kane_errors *errors);
KANE_API void kane_results_free(kane_results *results);

KANE_API int kane_results_column_count(const kane_results *results);
KANE_API int kane_results_row_count(const kane_results *results);
KANE_API const kane_column *kane_results_column(const kane_results *results, int column);
KANE_API const double *kane_results_values(const kane_results *results, int column); // one a row

// The JSON text that was kept with the rows, or of results.csv the manifest.json beside it; NULL if there is none.
KANE_API const char *kane_results_manifest(const kane_results *results);

// The key of their run; "" if it is not known.
KANE_API const char *kane_results_key(const kane_results *results);

// What has become of their run if it has not come to its end (running, killed, stopped), in words; 0: there
// is nothing to say.
KANE_API int kane_results_format(const kane_results *results, size_t size, char *text);

// Index of a column by name; -1 with an error that names near ones.
KANE_API int kane_results_find(const kane_results *results, const char *name, kane_errors *errors);

// Writes them to a file of either kind.
KANE_API kane_status kane_results_write(const kane_results *results, const char *file, kane_file_format format,
                                        kane_errors *errors);

// --- repairing ---

// What a repair has done.
typedef struct kane_repair {
    int rows;       // that are there
    int is_changed; // 1: the file of rows was written anew
    int removed;    // files that were half written
} kane_repair;

// Makes what a killed run has left in its directory as if it had ended there: closed and compressed HDF5, whole lines
// of CSV, "killed" as the state. What is whole is unchanged. KANE_IN_USE while the run lasts.
KANE_API kane_status kane_results_repair(const char *directory, kane_repair *done, kane_errors *errors);

// --- pictures, drawn by gnuplot ---

typedef enum kane_line_style {
    KANE_SOLID,
    KANE_DASHED,
    KANE_POINTS,
    KANE_FAINT // thin and grey, whatever its colour: what others are compared with
} kane_line_style;

typedef struct kane_plot_curve {
    const char *label; // in the key; NULL: not in the key
    int count;
    const double *x, *y;
    kane_line_style style;
    int colour; // curves of the same number look the same: 0, 1, ...; from the ninth on colours return with other dashes
} kane_plot_curve;

enum { KANE_PLOT_CELLS_MOST = 40000 };

typedef enum kane_map_scale {
    KANE_MAP_PLAIN,      // from the least value to the greatest
    KANE_MAP_BOTH_SIGNS, // white at zero, as far to either side
    KANE_MAP_DECADES // logarithmic, over at most eight powers of ten; what is less has the lowest colour, and the bar
                     // says so
} kane_map_scale;

// A table as coloured cells of one size, with numbers in them where they fit, and a bar that says what colours mean.
// Contour lines join the middles of cells, at the values that the bar has ticks of; beside a cell that is not finite
// there are none.
typedef struct kane_plot_map {
    int columns, rows;
    const char *const *x_texts; // [columns] below the columns, from the left
    const char *const *y_texts; // [rows] beside the rows, from the bottom
    const double *values;       // [rows][columns]; grey where not finite
    const char *label;          // of the bar, with unit
    kane_map_scale scale;
    double least, greatest; // of the bar, or further if the values go further; equal: as far as the values go
    int with_contours;      // 1: both axes are of numbers
} kane_plot_map;

// Horizontal bars from zero, one above the other, with their uncertainty. Ones that are not finite are left out.
typedef struct kane_plot_bars {
    int count;
    const char *const *texts; // [count] beside the bars, from the bottom
    const double *values;     // [count]
    const double *errors;     // [count] half lengths of the whiskers
} kane_plot_bars;

typedef enum kane_plot_scale {
    KANE_PLOT_LINEAR,
    KANE_PLOT_LOG // logarithmic: values that are not above zero leave gaps; the label says so
} kane_plot_scale;

typedef struct kane_plot_panel {
    const char *title;   // NULL: none
    const char *x_label; // with unit, e.g. "distance [m]"; a unit gets the prefix that makes its numbers short: kN, mm
    const char *y_label;
    int curve_count;
    const kane_plot_curve *curves;
    const kane_plot_map *map;   // instead of curves; NULL: none
    const kane_plot_bars *bars; // likewise
    int same_scale;             // 1: a unit is as long on both axes; the panel is as high as that makes it
                                // 2: and as long as in all other panels of this kind
    int beside;                 // 1: to the right of the panel before it; both have same_scale 2
    kane_plot_scale x_scale, y_scale;
} kane_plot_panel;

typedef struct kane_plot {
    const char *title; // over all panels; NULL: none
    int width,
        height; // [pixels]; 0: 900 x (360 a panel, and as much as long keys need; what panels of same_scale 2 need)
    int panel_count; // below each other (but see `beside`); neighbours with the same x_label share their horizontal axis
    const kane_plot_panel *panels;
} kane_plot;

// Draws into a file that ends in .svg or .png. Labels are text, not markup. Values that are not finite leave gaps;
// values that differ by less than 1e-9 (in their unit) or 1e-7 of their size show as constant, not as noise. The same
// plot gives the same SVG. KANE_NO_FILE where gnuplot is missing or the file cannot be written, KANE_BAD_ARGUMENT for
// another ending, a size that the panels do not fit, or a map of more than KANE_PLOT_CELLS_MOST cells.
KANE_API kane_status kane_plot_draw(const kane_plot *plot, const char *file, kane_errors *errors);

KANE_C_END

#endif
