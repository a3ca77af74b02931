// SPDX-License-Identifier: MIT
// A run as C that needs no library: names of symbols, kernels that it reaches, its image, tables and face.

#ifndef KANE_EXPORT_EXPORT_H
#define KANE_EXPORT_EXPORT_H

#include <kane/base.h>
#include <kane/run.h>
#include <kane/simulate.h>

#include "base/arena.h"
#include "simulate/stepper_run.h"

#include <stdint.h>
#include <stdio.h>

// === A run as C that needs no library (docs/export.md).

typedef struct kane_export_c_options {
    const char *directory; // is made; files of these names are replaced
    const char *name;      // what all names in C begin with
    const char *kernels;   // folder with the sources of libkane that this program was built from
    const char
        *symbols; // file with names of this program's functions, should it have been stripped; NULL: there is none
    const char *const *settings; // "PATH=VALUE", NULL-terminated; NULL: none
    const char *const *omit;     // further omissions, NULL-terminated; NULL: none
    int pattern_count;           // of channels that become outputs; 0: those that the run records
    const char *const *patterns;
    int stepper; // 1: the run's integrator, with steps of fixed cost; 0: the equations, for integrators of others
} kane_export_c_options;

// Whether a model may be called so: a name of C that is neither reserved (base/text.h) nor in use in the files that are
// written.
int kane_export_c_allows(const char *name);

// Writes a header, the functions behind it, tables, kernels, a makefile and an example (docs/export.md).
kane_status kane_export_c(const char *run_file, const kane_export_c_options *options, kane_errors *errors);

// === Names of functions and constants of libkane by their addresses, from the table of symbols of the file that it was
// loaded from, or, where that has been stripped, from a copy of the table that the build has kept
// (lib/export/symbols.cmake).

typedef struct kane_symbol {
    const char *name; // as in the source; of constants within functions "names.3"
    const char *file; // "rhs.c"; "": it is visible outside its file
    uintptr_t address;
    size_t size; // [bytes]
    int is_function;
} kane_symbol;

typedef struct kane_symbols kane_symbols;

// In an arena. kept: the file of the build's copy; NULL: there is none. NULL with an error: the file that libkane was
// loaded from cannot be read; or it has been stripped, and there is no copy, or one of another build.
kane_symbols *kane_symbols_read(kane_arena *arena, const char *kept, kane_errors *errors);

// Where an address lies.
typedef enum kane_site {
    KANE_SITE_NOWHERE, // no address of code or constants: a number, or memory that was taken
    KANE_SITE_NAMED,   // in what has a name
    KANE_SITE_TEXT,    // in constants without name: texts
    KANE_SITE_FOREIGN  // in another library, or in what can be written to
} kane_site;

// symbol: what it lies in, if that has a name.
kane_site kane_symbols_find(const kane_symbols *symbols, uintptr_t address, const kane_symbol **symbol);

// === The sources of libkane that a model needs, copied as they are.

typedef struct kane_kernels kane_kernels;

// Reads all sources in a folder. NULL with an error.
kane_kernels *kane_kernels_read(kane_arena *arena, const char *folder, kane_errors *errors);

// Names a function or constant that is needed. file: of a static one the file's name, "rhs.c"; else "". Returns its
// name outside its file; NULL with an error: there is none in the sources, there are several, or its file needs more
// than C.
const char *kane_kernels_query(kane_kernels *kernels, const char *name, const char *file, kane_errors *errors);

// A file of C below DIR/libkane that is compiled, with flags beside the common ones: "lib/agem/evaluate.c",
// "-fno-tree-slp-vectorize".
typedef struct kane_kernel_file {
    const char *name, *flags;
} kane_kernel_file;

// Copies the sources that have been reached into DIR/libkane; all names have been asked for. NULL with an error.
const kane_kernel_file *kane_kernels_write(kane_kernels *kernels, const char *directory, int *count,
                                           kane_errors *errors);

// === What memory an object needs, as it can be written down: pieces of numbers, and in them places that point to other
// pieces, to functions and to constants. Found by making everything twice: where both differ, both point to the same.

typedef enum kane_image_link_kind {
    KANE_IMAGE_PIECE,  // `target`, byte `offset`
    KANE_IMAGE_SYMBOL, // `symbol`, byte `offset`
    KANE_IMAGE_TEXT,   // `text`
    KANE_IMAGE_NOTHING // what was there is not needed: NULL
} kane_image_link_kind;

// A place in a piece that points somewhere.
typedef struct kane_image_link {
    size_t at; // byte in the piece
    kane_image_link_kind kind;
    int target;
    size_t offset; // [bytes]
    const kane_symbol *symbol;
    const char *text; // lives as long as what was recorded
} kane_image_link;

typedef struct kane_image_piece {
    const unsigned char *memory;
    size_t size; // [bytes]
    int alignment;
    int is_variable; // 1: taken in part 1 of the record
    int link_count;
    const kane_image_link *links; // by place
} kane_image_piece;

typedef struct kane_image {
    int count;
    const kane_image_piece *pieces;
    const int *roots; // pieces of the roots that were asked for
} kane_image;

// Whatever can be reached from `roots` of the first record; `twins` are the same objects of the second one. In an arena
// that belongs to no record. NULL with an error.
const kane_image *kane_image_create(kane_arena *arena, const kane_symbols *symbols, const kane_memory_record *first,
                                    const kane_memory_record *second, int root_count, const void *const *roots,
                                    const void *const *twins, kane_errors *errors);

// === What users of an exported model see: a header, the functions behind it, a makefile, an example.

typedef struct kane_export_interface {
    const char *name, *run; // what names begin with; the run file
    const kane_simulation *simulation;
    const kane_channels *channels;
    const kane_fixed_run *steps;                          // NULL: no stepper
    const char *method;                                   // of the steps
    size_t memory;                                        // of an instance [bytes]
    size_t simulation_at, channels_at, work_at, model_at; // places; that of the model in the constants [byte]
    size_t steps_at;                                      // of a stepper: the others are not there
    int kernel_count;
    const kane_kernel_file *kernels;
} kane_export_interface;

// Asks for the functions of libkane that are called. 0 with an error.
int kane_export_interface_query(const kane_export_interface *interface, kane_kernels *kernels, kane_errors *errors);

void kane_export_interface_write_header(FILE *file, const kane_export_interface *interface);
void kane_export_interface_write_source(FILE *file, const kane_export_interface *interface);
void kane_export_interface_write_example(FILE *file, const kane_export_interface *interface);
void kane_export_interface_write_makefile(FILE *file, const kane_export_interface *interface);

// The same of a stepper, and a loop with deadlines in place of an integration.
int kane_export_stepper_query(kane_kernels *kernels, kane_errors *errors);
void kane_export_stepper_write_header(FILE *file, const kane_export_interface *interface);
void kane_export_stepper_write_source(FILE *file, const kane_export_interface *interface);
void kane_export_stepper_write_example(FILE *file, const kane_export_interface *interface);
void kane_export_stepper_write_deadline(FILE *file, const kane_export_interface *interface);
void kane_export_stepper_write_makefile(FILE *file, const kane_export_interface *interface);

// Texts that both have. A template has the name of the model for every @, except in $@ of makefiles.
void kane_export_write_template(FILE *file, const kane_export_interface *interface, const char *text);
void kane_export_write_head(FILE *file, const kane_export_interface *interface, const char *what);
void kane_export_write_quantities(FILE *file, const kane_export_interface *interface);
void kane_export_write_errors_enum(FILE *file);

// What a makefile makes, the names that stay visible, and rules of its own.
typedef struct kane_export_makefile {
    const char *head, *programs, *rules;
    int name_count;
    const char *const *names;
} kane_export_makefile;

void kane_export_write_makefile(FILE *file, const kane_export_interface *interface, const kane_export_makefile *how);

// === An image as tables of C: what is never changed as constants, what is written to as a list of what it begins with.

// A text as a literal of C.
void kane_export_text(FILE *file, const char *text);

// Where pieces of the image are.
typedef struct kane_layout {
    const size_t *place;  // of every piece, in the constants or in the memory of an instance [byte]
    size_t fixed, memory; // sizes [bytes]
} kane_layout;

// NULL without memory.
const kane_layout *kane_layout_make(kane_arena *arena, const kane_image *image);

// Asks for all functions and constants that the image points to, and writes tables and the function
//   void NAME_fill(void *memory)
// which makes an instance; NAME_fixed is where the constants are. 0 with an error.
int kane_tables_write(FILE *file, const char *name, const kane_image *image, const kane_layout *layout,
                      kane_kernels *kernels, kane_errors *errors);

#endif
