// SPDX-License-Identifier: MIT
// Contour lines of a table by marching squares.

#include "results/plot.h"

#include <math.h>
#include <string.h>

// Corners of a square, counterclockwise; edge k joins corner k and the next one.
static const int corner_column[4] = {0, 1, 1, 0}, corner_row[4] = {0, 0, 1, 1};

// Where the level crosses edge k of a square with corner values v, linear between them: column and row
// from corner 0.
static void cross_edge(const double v[4], int k, double level, double at[2])
{
    const int next    = (k + 1) % 4;
    const double part = (level - v[k]) / (v[next] - v[k]);
    at[0]             = corner_column[k] + part * (corner_column[next] - corner_column[k]);
    at[1]             = corner_row[k] + part * (corner_row[next] - corner_row[k]);
}

// Segments of the level in one square: none, one, or two. With two the mean of the corners says which corners the lines
// cut off. Returns their number.
static int cut_square(const double v[4], double level, double segments[2][4])
{
    double at[4][2];
    int crossed[4], count = 0;
    for (int k = 0; k < 4; k++)
        if ((v[k] >= level) != (v[(k + 1) % 4] >= level)) {
            cross_edge(v, k, level, at[k]);
            crossed[count++] = k;
        }
    const int joins_first = (0.25 * (v[0] + v[1] + v[2] + v[3]) >= level) == (v[0] >= level);
    for (int i = 0; 2 * i < count; i++) {
        const int a = count == 4 && !joins_first ? (2 * i + 3) % 4 : crossed[2 * i];
        const int b = count == 4 && !joins_first ? 2 * i : crossed[2 * i + 1];
        memcpy(segments[i], at[a], sizeof at[a]);
        memcpy(segments[i] + 2, at[b], sizeof at[b]);
    }
    return count / 2;
}

int kane_plot_contour(int columns, int rows, const double *values, double level, double *segments)
{
    int count = 0;
    for (int r = 0; r + 1 < rows; r++)
        for (int c = 0; c + 1 < columns; c++) {
            double v[4], own[2][4];
            for (int k = 0; k < 4; k++)
                v[k] = values[(size_t)(r + corner_row[k]) * (size_t)columns + (size_t)(c + corner_column[k])];
            if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]) || !isfinite(v[3]))
                continue;
            const int found = cut_square(v, level, own);
            for (int i = 0; i < found; i++) {
                double *s = segments + 4 * (size_t)count;
                for (int k = 0; k < 4; k++)
                    s[k] = own[i][k] + (k % 2 ? r : c);
                count += s[0] != s[2] || s[1] != s[3]; // of a corner that has the level nothing
            }
        }
    return count;
}
