// SPDX-License-Identifier: MIT
// Names of functions and constants by their addresses: the table of symbols of an ELF file.
//
// Stripping takes the table and moves nothing. So the table of the file as it was linked holds for the stripped one, if
// both have the same build ID: a hash that the linker makes of what it writes, and that stripping leaves.

#define _GNU_SOURCE // dl_iterate_phdr

#include "export/export.h"

#include <kane/agem.h>

#include "base/file.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

// A part of a file as it lies in memory.
typedef struct segment {
    uintptr_t begin, end;
    int is_ours, is_constant;
} segment;

enum { SEGMENTS_MOST = 512, KEPT_HEAD = 64 }; // KEPT_HEAD: bytes before the ELF file in a copy of the table

static const char kept_begin[] = "kane symbols 1\n";

struct kane_symbols {
    int count;
    kane_symbol *symbols; // by address
    int segment_count;
    segment segments[SEGMENTS_MOST];
    uintptr_t base;  // what is added to addresses of the file
    char path[4096]; // the file
};

// Address of a function of libkane, to find the file of the library.
static uintptr_t library_address(void)
{
    return (uintptr_t)&kane_eval;
}

static int contains_address(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && address >= begin && address < begin + info->dlpi_phdr[i].p_memsz)
            return 1;
    }
    return 0;
}

static void add_segment(kane_symbols *s, uintptr_t begin, size_t size, int is_ours, int is_constant)
{
    if (s->segment_count < SEGMENTS_MOST)
        s->segments[s->segment_count++] = (segment){begin, begin + size, is_ours, is_constant};
}

static int add_segments(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    kane_symbols *s   = data;
    const int is_ours = contains_address(info, library_address());
    if (is_ours) {
        const char *name = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
        s->base          = info->dlpi_addr;
        memcpy(s->path, name, strlen(name) < sizeof s->path ? strlen(name) + 1 : 1);
    }
    for (int pass = 0; pass < 2; pass++) // constants that hold addresses lie within a segment for variables
        for (int i = 0; i < info->dlpi_phnum; i++) {
            const ElfW(Phdr) *p = &info->dlpi_phdr[i];
            if (p->p_type == (pass == 0 ? (ElfW(Word))PT_GNU_RELRO : (ElfW(Word))PT_LOAD))
                add_segment(s, info->dlpi_addr + p->p_vaddr, p->p_memsz, is_ours, pass == 0 || !(p->p_flags & PF_W));
        }
    return 0;
}

static int by_address(const void *a, const void *b)
{
    const kane_symbol *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

// The sections of an ELF file and their number; 0: the file is malformed.
static int find_sections(const char *file, size_t size, const ElfW(Shdr) * *sections)
{
    const ElfW(Ehdr) *head = (const void *)file;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shoff > size ||
        head->e_shnum * sizeof(ElfW(Shdr)) > size - head->e_shoff)
        return 0;
    *sections = (const void *)(file + head->e_shoff);
    return head->e_shnum;
}

static int is_within(const ElfW(Shdr) * section, size_t size)
{
    return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

// The sections of a file that have the symbol table and its names. 0: there is none, or the file is malformed.
static int find_table(const char *file, size_t size, const ElfW(Shdr) * *table, const ElfW(Shdr) * *names)
{
    const ElfW(Shdr) * sections;
    const int count = find_sections(file, size, &sections);
    for (int i = 0; i < count; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= (ElfW(Word))count)
            continue;
        *table = &sections[i];
        *names = &sections[sections[i].sh_link];
        return is_within(*table, size) && is_within(*names, size) && (*names)->sh_size > 0;
    }
    return 0;
}

// The build ID of a file, and its length; NULL: it has none.
static const char *find_build_id(const char *file, size_t size, size_t *length)
{
    const ElfW(Shdr) * sections;
    const int count = find_sections(file, size, &sections);
    for (int i = 0; i < count; i++) {
        const ElfW(Nhdr) *note = (const void *)(file + sections[i].sh_offset);
        if (sections[i].sh_type != SHT_NOTE || !is_within(&sections[i], size) || sections[i].sh_size < sizeof *note + 4)
            continue;
        *length = note->n_descsz;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0 && *length > 0 &&
            *length <= sections[i].sh_size - sizeof *note - 4)
            return (const char *)(note + 1) + 4;
    }
    return NULL;
}

static int read_symbols(kane_symbols *s, kane_arena *arena, const char *file, size_t size)
{
    const ElfW(Shdr) * table, *name_section;
    if (!find_table(file, size, &table, &name_section))
        return 0;
    const int count         = (int)(table->sh_size / sizeof(ElfW(Sym)));
    const ElfW(Sym) *all    = (const void *)(file + table->sh_offset);
    const char *names       = file + name_section->sh_offset;
    const char *source_file = "";
    s->symbols              = kane_arena_alloc(arena, (size_t)count, sizeof *s->symbols);
    for (int i = 0; i < count && s->symbols; i++) {
        const int type   = ELF64_ST_TYPE(all[i].st_info);
        const char *name = all[i].st_name < name_section->sh_size ? names + all[i].st_name : "";
        if (type == STT_FILE)
            source_file = name;
        if ((type != STT_FUNC && type != STT_OBJECT) || all[i].st_shndx == SHN_UNDEF || all[i].st_size == 0)
            continue;
        const char *of         = ELF64_ST_BIND(all[i].st_info) == STB_LOCAL ? source_file : "";
        s->symbols[s->count++] = (kane_symbol){.name        = name,
                                               .file        = of,
                                               .address     = s->base + all[i].st_value,
                                               .size        = all[i].st_size,
                                               .is_function = type == STT_FUNC};
    }
    if (s->symbols)
        qsort(s->symbols, (size_t)s->count, sizeof *s->symbols, by_address);
    return s->symbols != NULL;
}

// Whether a stripped file has a copy of its symbol table, of the same build.
static int read_copied_symbols(kane_symbols *s, kane_arena *arena, const char *kept, const char *file, size_t size,
                               kane_errors *errors)
{
    size_t copy_size = 0, length = 0, copy_length = 0;
    const char *copy = kane_file_read(arena, kept, &copy_size, errors);
    if (!copy)
        return 0;
    const int is_copy    = copy_size > KEPT_HEAD && memcmp(copy, kept_begin, sizeof kept_begin - 1) == 0;
    const char *id       = find_build_id(file, size, &length);
    const char *copy_id  = is_copy ? find_build_id(copy + KEPT_HEAD, copy_size - KEPT_HEAD, &copy_length) : NULL;
    const int is_of_both = id && copy_id && length == copy_length && memcmp(id, copy_id, length) == 0;
    if (is_of_both && read_symbols(s, arena, copy + KEPT_HEAD, copy_size - KEPT_HEAD))
        return 1;
    kane_errors_add(errors, KANE_NO_FILE,
                    "%s has been stripped of the names of its functions, and %s is not of the same build", s->path,
                    kept);
    return 0;
}

kane_symbols *kane_symbols_read(kane_arena *arena, const char *kept, kane_errors *errors)
{
    kane_symbols *s = kane_arena_alloc(arena, 1, sizeof *s);
    if (!s)
        return NULL;
    (void)dl_iterate_phdr(add_segments, s);
    size_t size      = 0;
    const char *file = kane_file_read(arena, s->path, &size, errors);
    if (!file)
        return NULL;
    if (read_symbols(s, arena, file, size))
        return s;
    if (kept)
        return read_copied_symbols(s, arena, kept, file, size, errors) ? s : NULL;
    kane_errors_add(
        errors, KANE_NO_FILE,
        "%s has been stripped of the names of its functions, which exporting needs, and kane.symbols, which is "
        "installed beside libkane and has them, is not there",
        s->path);
    return NULL;
}

kane_site kane_symbols_find(const kane_symbols *s, uintptr_t address, const kane_symbol **symbol)
{
    const segment *in = NULL;
    *symbol           = NULL;
    for (int i = 0; i < s->segment_count && !in; i++)
        if (address >= s->segments[i].begin && address < s->segments[i].end)
            in = &s->segments[i];
    if (!in)
        return KANE_SITE_NOWHERE;
    if (!in->is_ours)
        return KANE_SITE_FOREIGN;
    int low = 0, high = s->count; // the last one that begins at the address or before
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low - 1; i >= 0 && i >= low - 8; i--) {
        const kane_symbol *found = &s->symbols[i];
        if (address - found->address < found->size && (!found->is_function || address == found->address)) {
            *symbol = found;
            return in->is_constant ? KANE_SITE_NAMED : KANE_SITE_FOREIGN;
        }
    }
    return in->is_constant ? KANE_SITE_TEXT : KANE_SITE_FOREIGN;
}
