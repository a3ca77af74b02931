// SPDX-License-Identifier: MIT
// Texts, numbers and places in a script for gnuplot.
//
// Places are fractions "pixels./size" of whole numbers, so that nothing depends on the locale of the caller.

#include "results/plot.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

static int is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
}

// Between double quotes, with every ASCII character that could mean something to gnuplot in octal. Digits too: gnuplot
// skips a leading 0 and takes up to three digits more, "\0531" is one character to it.
void kane_pen_text(const kane_plot_pen *s, const char *text)
{
    (void)fputc('"', s->out);
    for (const char *c = text ? text : ""; *c;) {
        const int length = kane_text_utf8(c);
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            (void)fputc(' ', s->out);
        else if (strncmp(c, "]]>", 3) == 0) // gnuplot does not write > as an entity, and XML has no ]]> in texts
            (void)fputs("\\135\\135 ", s->out);
        else if (kane_text_character(c) == 0)
            (void)fputs("\xEF\xBF\xBD", s->out); // the replacement character
        else if (length == 1 && !is_plain(*c))
            (void)fprintf(s->out, "\\%03o", (unsigned)*c);
        else
            (void)fwrite(c, 1, (size_t)length, s->out);
        c += strncmp(c, "]]>", 3) == 0 ? 2 : length ? length : 1;
    }
    (void)fputc('"', s->out);
}

void kane_pen_number(const kane_plot_pen *s, double value)
{
    char text[KANE_NUMBER_SIZE];
    kane_number_round(value, 12, text);
    (void)fprintf(s->out, "%s", text);
}

void kane_pen_place(const kane_plot_pen *s, int x, int y)
{
    (void)fprintf(s->out, "screen %d./%d, screen %d./%d", x, s->width, s->height - y, s->height);
}

// Replaces the middle of a text by an ellipsis until it is no wider than `room` [pixels]: beginning and end distinguish
// it better.
static void shorten_text(char *text, int font, int room)
{
    static const char dots[] = "…";
    while (kane_plot_text_width(text, font) > room && strlen(text) > 8) {
        size_t middle = strlen(text) / 2;
        char *cut     = strstr(text, dots), *end;
        if (!cut) {
            while (middle > 0 && ((unsigned char)text[middle] & 0xC0) == 0x80)
                middle--;
            memmove(text + middle + sizeof dots - 1, text + middle, strlen(text + middle) + 1);
            memcpy(text + middle, dots, sizeof dots - 1);
            cut = text + middle;
        }
        end = cut + sizeof dots - 1;
        if (strlen(end) >= (size_t)(cut - text)) { // take a character from the longer side
            size_t length = 1;
            while (((unsigned char)end[length] & 0xC0) == 0x80)
                length++;
            memmove(end, end + length, strlen(end + length) + 1);
        } else {
            char *begin = cut - 1;
            while (begin > text && ((unsigned char)*begin & 0xC0) == 0x80)
                begin--;
            memmove(begin, cut, strlen(cut) + 1);
        }
    }
}

// Writes `set label`, in smaller letters if the text is longer than `room` pixels, and without its middle if that does
// not help. how: alignment and the like.
void kane_pen_label(const kane_plot_pen *s, const char *text, int x, int y, int room, const char *how)
{
    char whole[1024];
    int font = KANE_PLOT_FONT;
    if (!text || !text[0])
        return;
    while (font > 8 && kane_plot_text_width(text, font) > room)
        font--;
    (void)fprintf(s->out, "set label ");
    if (kane_plot_text_width(text, font) > room && strlen(text) + 4 < sizeof whole) {
        (void)strcpy(whole, text);
        shorten_text(whole, font, room);
        text = whole;
    }
    kane_pen_text(s, text);
    (void)fprintf(s->out, " at ");
    kane_pen_place(s, x, y);
    (void)fprintf(s->out, " %s font ',%s'\n", how,
                  s->kind == KANE_SVG ? (const char *[]){"8", "9", "10", "11", "12", "13"}[font - 8]
                                      : (const char *[]){"6", "6.75", "7.5", "8.25", "9", "9.75"}[font - 8]);
}
