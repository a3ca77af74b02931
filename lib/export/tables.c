// SPDX-License-Identifier: MIT
// An image as tables of C.
//
// All words have 8 bytes, as on every machine with 64 bits that counts bytes from the low end; a word is written as
// what it most likely is: an address, a double, two integers. Its bits are the same in any case.

#include "export/export.h"

#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WORD = 8, LINE = 64 };

static size_t align_up(size_t at, size_t to)
{
    return (at + to - 1) / to * to;
}

const kane_layout *kane_layout_make(kane_arena *arena, const kane_image *image)
{
    kane_layout *layout = kane_arena_alloc(arena, 1, sizeof *layout);
    size_t *place       = kane_arena_alloc(arena, (size_t)image->count, sizeof *place);
    if (!layout || !place)
        return NULL;
    for (int i = 0; i < image->count; i++) {
        const kane_image_piece *p = &image->pieces[i];
        size_t *end               = p->is_variable ? &layout->memory : &layout->fixed;
        place[i]                  = align_up(*end, p->alignment > 16 ? LINE : 16);
        *end                      = place[i] + (p->size > 0 ? p->size : 1);
    }
    layout->memory = align_up(layout->memory, LINE);
    layout->fixed  = align_up(layout->fixed > 0 ? layout->fixed : 1, LINE);
    layout->place  = place;
    return layout;
}

// --- words ---

// Whether a word is probably a double of a model: 2^-200 < |x| < 2^200.
static int has_double_bits(uint64_t bits)
{
    const int exponent = (int)(bits >> 52 & 2047) - 1023;
    return exponent > -200 && exponent < 200;
}

void kane_export_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\' || *c == '?')
            (void)fprintf(file, "\\%c", *c);
        else if (*c < 32 || *c > 126)
            (void)fprintf(file, "\\%03o", *c);
        else
            (void)fputc(*c, file);
    (void)fputc('"', file);
}

static void write_number(FILE *file, uint64_t bits)
{
    const int32_t low = (int32_t)(uint32_t)bits, high = (int32_t)(bits >> 32);
    char text[KANE_NUMBER_SIZE];
    double value;
    memcpy(&value, &bits, sizeof value);
    if (has_double_bits(bits)) {
        kane_number_format(value, text);
        (void)fprintf(file, "{.d = %s%s}", text, strpbrk(text, ".e") ? "" : ".0");
    } else if (low > -(1 << 24) && low < 1 << 24 && high > -(1 << 24) && high < 1 << 24) {
        (void)fprintf(file, "{.i = {%d, %d}}", (int)low, (int)high);
    } else {
        (void)fprintf(file, "{.u = 0x%llxu}", (unsigned long long)bits);
    }
}

typedef struct tables {
    FILE *file;
    const char *name;
    const kane_image *image;
    const kane_layout *layout;
    kane_kernels *kernels;
    kane_errors *errors;
    int failed;
} tables;

static const char *query_symbol(tables *t, const kane_symbol *symbol)
{
    const char *name = kane_kernels_query(t->kernels, symbol->name, symbol->file, t->errors);
    t->failed |= !name;
    return name ? name : "";
}

// What a word that is a link begins with. 0: a place in the memory of the instance, which is nowhere yet.
static int write_link(tables *t, const kane_image_link *link)
{
    switch (link->kind) {
    case KANE_IMAGE_NOTHING: (void)fputs("{0}", t->file); return 1;
    case KANE_IMAGE_TEXT:
        (void)fputs("{.p = ", t->file);
        kane_export_text(t->file, link->text);
        (void)fputs("}", t->file);
        return 1;
    case KANE_IMAGE_SYMBOL: {
        const char *name = query_symbol(t, link->symbol);
        if (link->symbol->is_function)
            (void)fprintf(t->file, "{.f = %s}", name);
        else if (link->offset)
            (void)fprintf(t->file, "{.p = %s + %zu}", name, link->offset);
        else
            (void)fprintf(t->file, "{.p = %s}", name);
        return 1;
    }
    case KANE_IMAGE_PIECE: break;
    }
    const size_t at = t->layout->place[link->target] + link->offset;
    if (t->image->pieces[link->target].is_variable)
        return 0;
    if (at % WORD == 0)
        (void)fprintf(t->file, "{.p = fixed + %zu}", at / WORD);
    else
        (void)fprintf(t->file, "{.p = (const char *)fixed + %zu}", at);
    return 1;
}

static uint64_t word_at(const kane_image_piece *p, size_t at)
{
    uint64_t word = 0;
    memcpy(&word, p->memory + at, p->size - at < WORD ? p->size - at : WORD);
    return word;
}

// --- declarations ---

static void declare_symbols(tables *t)
{
    const kane_symbol *known[512];
    int count = 0;
    for (int i = 0; i < t->image->count; i++)
        for (int k = 0; k < t->image->pieces[i].link_count && !t->failed; k++) {
            const kane_image_link *link = &t->image->pieces[i].links[k];
            int seen                    = link->kind != KANE_IMAGE_SYMBOL;
            for (int n = 0; n < count && !seen; n++)
                seen = known[n] == link->symbol;
            if (seen)
                continue;
            if (count < 512)
                known[count++] = link->symbol;
            (void)fprintf(t->file,
                          link->symbol->is_function ? "extern void %s(void);\n" : "extern const unsigned char %s[];\n",
                          query_symbol(t, link->symbol));
        }
}

// --- constants ---

static void write_fixed_piece(tables *t, int number, size_t *next)
{
    const kane_image_piece *p = &t->image->pieces[number];
    int link = 0, on_line = 0;
    for (size_t at = 0; at < p->size; at += WORD) {
        const size_t word    = (t->layout->place[number] + at) / WORD;
        const uint64_t value = word_at(p, at);
        while (link < p->link_count && p->links[link].at < at)
            link++;
        const int is_link = link < p->link_count && p->links[link].at == at;
        if (!is_link && value == 0)
            continue;
        if (on_line == 0)
            (void)fputs("    ", t->file);
        if (word != *next)
            (void)fprintf(t->file, "[%zu] = ", word);
        if (!is_link)
            write_number(t->file, value);
        else if (!write_link(t, &p->links[link])) {
            kane_errors_add(t->errors, KANE_NOT_SOLVED,
                            "the model cannot be exported: what is never changed points to what evaluations write to");
            t->failed = 1;
        }
        *next   = word + 1;
        on_line = (on_line + 1) % 6;
        (void)fputs(on_line ? ", " : ",\n", t->file);
    }
    if (on_line)
        (void)fputs("\n", t->file);
}

static void write_fixed(tables *t)
{
    size_t next = 0;
    (void)fprintf(t->file, "\nstatic _Alignas(%d) const word fixed[%zu] = {\n", LINE, t->layout->fixed / WORD);
    for (int i = 0; i < t->image->count && !t->failed; i++)
        if (!t->image->pieces[i].is_variable)
            write_fixed_piece(t, i, &next);
    (void)fputs("};\n", t->file);
}

// --- initial memory of an instance ---

static void write_beginnings(tables *t, int own)
{
    int on_line = 0;
    for (int i = 0; i < t->image->count && !t->failed; i++) {
        const kane_image_piece *p = &t->image->pieces[i];
        int link                  = 0;
        for (size_t at = 0; at < p->size && p->is_variable; at += WORD) {
            const uint64_t value = word_at(p, at);
            while (link < p->link_count && p->links[link].at < at)
                link++;
            const kane_image_link *l = link < p->link_count && p->links[link].at == at ? &p->links[link] : NULL;
            const int is_own         = l && l->kind == KANE_IMAGE_PIECE && t->image->pieces[l->target].is_variable;
            const size_t word        = (t->layout->place[i] + at) / WORD;
            if (is_own != own || (l ? l->kind == KANE_IMAGE_NOTHING : value == 0))
                continue;
            (void)fprintf(t->file, "%s{%zu, ", on_line ? "" : "    ", word);
            if (is_own)
                (void)fprintf(t->file, "%zu", t->layout->place[l->target] + l->offset);
            else if (l)
                (void)write_link(t, l);
            else
                write_number(t->file, value);
            on_line = (on_line + 1) % 6;
            (void)fputs(on_line ? "}, " : "},\n", t->file);
        }
    }
    (void)fputs(own ? "    {0, 0}};\n" : "    {0, {0}}};\n", t->file);
}

int kane_tables_write(FILE *file, const char *name, const kane_image *image, const kane_layout *layout,
                      kane_kernels *kernels, kane_errors *errors)
{
    tables t = {.file = file, .name = name, .image = image, .layout = layout, .kernels = kernels, .errors = errors};
    (void)fputs(
        "#include <string.h>\n\n"
        "// Eight bytes of a model, as whatever they are.\n"
        "typedef union __attribute__((may_alias)) word {\n"
        "    const void *p;\n    void (*f)(void);\n    double d;\n    int i[2];\n    unsigned long long u;\n} word;\n\n"
        "// Words of an instance: their places, and what they begin with.\n"
        "typedef struct beginning {\n    unsigned at;\n    word value;\n} beginning;\n\n"
        "// Words that hold addresses within the instance.\n"
        "typedef struct address {\n    unsigned at, to; // word, byte\n} address;\n\n",
        file);
    declare_symbols(&t);
    if (!t.failed)
        write_fixed(&t);
    (void)fputs("\nstatic const beginning beginnings[] = {\n", file);
    write_beginnings(&t, 0);
    (void)fputs("\nstatic const address addresses[] = {\n", file);
    write_beginnings(&t, 1);
    (void)fprintf(file,
                  "\nextern const unsigned char *const %s_fixed;\n"
                  "const unsigned char *const %s_fixed = (const unsigned char *)fixed;\n\n"
                  "void %s_fill(void *memory);\n\n"
                  "void %s_fill(void *memory)\n{\n"
                  "    word *words = memory;\n"
                  "    memset(memory, 0, %zu);\n"
                  "    for (size_t i = 0; i + 1 < sizeof beginnings / sizeof *beginnings; i++)\n"
                  "        words[beginnings[i].at] = beginnings[i].value;\n"
                  "    for (size_t i = 0; i + 1 < sizeof addresses / sizeof *addresses; i++)\n"
                  "        words[addresses[i].at].p = (const char *)memory + addresses[i].to;\n"
                  "}\n",
                  name, name, name, name, layout->memory);
    return !t.failed;
}
