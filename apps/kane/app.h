// SPDX-License-Identifier: MIT
// What all commands of the program share: exit codes, messages, progress.

#ifndef KANE_APPS_APP_H
#define KANE_APPS_APP_H

#include <kane/evaluate.h>
#include <kane/kane.h>
#include <kane/profile.h>
#include <kane/results.h>

#include "base/arena.h"
#include "results/table.h"

#include <argp.h>
#include <stddef.h>
#include <stdio.h>

// How the program ends; documented in its manual page.
typedef enum exit_code {
    EXIT_DONE         = 0,
    EXIT_USAGE        = 2, // wrong arguments
    EXIT_INPUT        = 3, // a file is not valid
    EXIT_INTEGRATION  = 4, // the integrator gave up
    EXIT_STOPPED      = 5, // a run ended by derailment, or a limit is exceeded
    EXIT_FILE         = 6, // a file cannot be read or written
    EXIT_OTHER        = 7, // out of memory, or anything else
    EXIT_FAILED_CASES = 8, // a study is complete, but some of its cases have failed
    EXIT_INTERRUPT    = 130
} exit_code;

// Exit code of a status.
exit_code app_exit_code(kane_status status);

// All errors to standard error, a line each.
void app_print_errors(const kane_errors *errors);

// Prints the errors, frees them and returns the exit code of the first one.
exit_code app_fail(kane_errors *errors);

// What came with the program: share/kane/NAME beside the directory that it is in, where it was built as where it is
// installed, or NAME in the source tree. 0: it is not there, or cannot be read.
int app_find_shared(const char *name, size_t size, char *file);

// What was installed beside the library, or built there: lib/NAME seen from the directory of the program. 0: it is not
// there.
int app_find_library(const char *name, size_t size, char *file);

// A command that is a choice of others, each with one line of help. argv[0] of what runs is "kane COMMAND NAME".
typedef struct app_choice {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} app_choice;

typedef struct app_choices {
    const char *command, *noun, *word, *title; // "study", "study", "STUDY", "Studies"
    const app_choice *choices;
    int count;
} app_choices;

int app_choose(const app_choices *among, int argc, char **argv);

// Tables of contacts, in memory and in the user's cache; to be freed. NULL: no memory.
kane_tables *app_tables(void);

// What became of the run that results are of, if it has not come to its end: a line on standard error. NULL is allowed.
void app_tell(const kane_results *results, const char *name);

// A progress bar on standard error if that is a terminal; made for kane_execution.progress, with
// the beginning (double, of kane_clock) as its data; NULL: nothing is shown. Ends the run after Ctrl-C.
int app_progress(const kane_progress *progress, void *data);
void app_progress_end(void);

// Before a signal ends the program (Ctrl-C, the end of the terminal, a pipe that is not read to its end, kill) the
// files go that it was writing to put them in the place of others. Called once, by main.
void app_clean_on_signals(void);

// Such a signal ends a run or a study in good order: results are kept. A second one ends it at once.
void app_catch_interrupt(void);

// Ends the program as a broken pipe ends others, if one was met on the way: main's last call.
void app_end_by_broken_pipe(void);

// 1: signals that end the program wait, until 0.
void app_delay_signals(int is_delayed);
int app_is_interrupted(void);

// === Options and operands of commands, one row each: help, what becomes of a value, and where it goes.

// What becomes of an option that is given again, beside the flags of argp. Its taker is called for each value. Without
// one of these a second value is an error; an option without a value says the same again.
enum {
    APP_ADDS  = 1 << 8,             // values add
    APP_LIST  = 1 << 9 | APP_ADDS,  // and commas outside of quotes and brackets stand between values, too
    APP_SETS  = 1 << 10 | APP_ADDS, // PATH=VALUE: settings add; of one path twice they contradict each other, an error
    APP_GROUP = 1 << 16             // times n: in the n-th group of the help
};

// Takes a value into the member that the option fills; ends the program with a message if that cannot be.
typedef struct app_option app_option;
typedef void app_taker(const app_option *option, char *value, void *member, struct argp_state *state);

struct app_option {
    const char *name;  // NULL: end of the rows
    int letter;        // 0: none
    const char *value; // what help calls its value; NULL: it has none
    int flags;
    const char *help;
    app_taker *take;
    size_t at;                // of the member in the arguments of the command
    const char *what, *unit;  // noun and SI unit of a quantity
    int least, most;          // of a whole number; least: the number of the first word
    const char *const *words; // that the value may be, NULL-terminated
};

// Behind the help of a row: what its value is, and the member of `arguments`, as each command calls its own.
#define APP_TAKES(taker, member, what, unit, least, most)                                                              \
    taker, offsetof(arguments, member), what, unit, least, most, NULL
#define APP_FLAG(member)                     APP_TAKES(app_take_flag, member, NULL, NULL, 0, 1)
#define APP_TEXT(member)                     APP_TAKES(app_take_text, member, NULL, NULL, 0, 0)
#define APP_TEXTS(member)                    APP_TAKES(app_take_texts, member, NULL, NULL, 0, 0)
#define APP_NUMBER(member)                   APP_TAKES(app_take_number, member, NULL, NULL, 0, 0)
#define APP_WHOLE(member, least, most, what) APP_TAKES(app_take_whole, member, what, NULL, least, most)
#define APP_QUANTITY(member, unit)           APP_TAKES(app_take_quantity, member, NULL, unit, 0, 0) // 0.46, "460 mm"
#define APP_POSITIVE(member, what, unit)     APP_TAKES(app_take_positive, member, what, unit, 0, 0)
#define APP_SIDES(member, what, unit)        APP_TAKES(app_take_sides, member, what, unit, 0, 0) // positive, [2]
#define APP_MODE(member)                     APP_TAKES(app_take_mode, member, "number of a mode", "1", 0, 0)
#define APP_CLASS(member)                    APP_TAKES(app_take_class, member, NULL, NULL, 0, 0)
#define APP_PICTURE(member)                  APP_TAKES(app_take_picture, member, NULL, NULL, 0, 0)
#define APP_WORD(member, first, words)                                                                                 \
    app_take_word, offsetof(arguments, member), NULL, NULL, first, 0, words // its number, from first on
#define APP_NUMBERS(member, unit) APP_TAKES(app_take_numbers, member, NULL, unit, 0, 0)
#define APP_OUTPUTS(member)       APP_TAKES(app_take_output, member, NULL, NULL, 0, 0)
#define APP_OWN(taker)            taker, 0, NULL, NULL, 0, 0, NULL // of the whole arguments
#define APP_INTO(taker, member)   APP_TAKES(taker, member, NULL, NULL, 0, 0)

app_taker app_take_flag, app_take_text, app_take_texts, app_take_number, app_take_whole, app_take_quantity,
    app_take_positive, app_take_sides, app_take_mode, app_take_class, app_take_picture, app_take_output, app_take_table,
    app_take_word, app_take_numbers;

// Texts that options collect one by one ("--set A=1 --set B=2"), NULL-terminated.
enum { APP_TEXTS_MOST = 256 };
typedef struct app_texts {
    int count;
    const char *texts[APP_TEXTS_MOST + 1];
} app_texts;

// Numbers likewise.
typedef struct app_numbers {
    int count;
    double values[APP_TEXTS_MOST];
} app_numbers;

// Rows of the arguments, or of a member of them, in a group of the help.
typedef struct app_part {
    const app_option *rows; // NULL: none
    size_t at;
    int group;
} app_part;
#define APP_PART(rows, member) ((app_part){rows, offsetof(arguments, member), 0})

enum { APP_PARTS = 3 };
typedef struct app_command {
    app_part parts[APP_PARTS];
    const char *operands, *doc; // "RUN.json"
    const char *operand;        // "run file": what must be given; NULL: there are several, or none
    size_t at;                  // of its text, or of their app_texts
    int most;                   // so many of them; of one operand 1: it may be left out
    void (*check)(void *arguments, struct argp_state *state);      // all that was given; NULL: nothing
    void (*check_more)(void *arguments, struct argp_state *state); // before that, likewise
    void (*enter)(const char *value); // before each value is taken; NULL: then no value is. NULL: nothing
} app_command;

// Of `arguments`, as each command calls its own; WITH rows of its member.
#define APP_COMMAND(options, operands, operand, member, most, check, doc)                                              \
    {                                                                                                                  \
        {{options, 0, 0}}, operands, doc, operand, offsetof(arguments, member), most, check, NULL, NULL                \
    }
#define APP_COMMAND_WITH(options, shared, of, operands, operand, member, most, check, doc)                             \
    {                                                                                                                  \
        {{options, 0, 0}, {shared, offsetof(arguments, of), 0}}, operands, doc, operand, offsetof(arguments, member),  \
            most, check, NULL, NULL                                                                                    \
    }

// Reads the arguments; ends the program with a message if that cannot be. Values that commas part are parted where they
// stand.
void app_parse(const app_command *command, int argc, char **argv, void *arguments);

// What a shell offers (completion.c): the word that is begun; NULL: the program is not asked. A candidate. Those of a
// command's options behind the argument `before`.
const char *app_begun_word(void);
void app_offer(const char *candidate, const char *help);
void app_offer_options(int count, const app_option *const *rows, const char *before);

// For checks: whether an option of a group was given, n * APP_GROUP.
int app_gives_group(const struct argp_state *state, int group);

// For takers and checks: adds a text, or ends the program with a message if there are too many.
void app_collect(app_texts *list, const char *text, struct argp_state *state);

// A quantity of an option in that SI unit: 0.46 or "460 mm" for "m", 0.025 or 1:40 for "1"; likewise.
double app_read_quantity(const char *text, const char *unit, struct argp_state *state);

// A file for a table, standard output if the name is NULL; NULL with an error. The end of it: 0 with an error if not
// all could be written.
FILE *app_open_table(const char *file, kane_errors *errors);
int app_close_table(FILE *table, const char *file, kane_errors *errors);

// === Files that commands write their tables to: --output FILE, given again for more of them, whose ending says what
// is written. A table that goes to no file goes to standard output.

enum { APP_OUTPUTS_MOST = 16 };
typedef struct app_outputs {
    int count, tables; // all files, and those that are no pictures
    int is_json;       // 1: JSON on standard output, too
    struct app_output {
        const char *file;
        kane_table_format format;
    } files[APP_OUTPUTS_MOST];
} app_outputs;

// Of commands that leave out imaginary terms.
#define APP_OMIT_OPTION(member)                                                                                        \
    {                                                                                                                  \
        "omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, "leave out an imaginary term; any part may be *",                \
            APP_TEXTS(member)                                                                                          \
    }

#define APP_JSON(member)                                                                                               \
    "json", 'j', NULL, 0, "everything as JSON, with all digits, on standard output", APP_FLAG(member.is_json)

// Of commands whose tables make no picture.
#define APP_TABLE_OPTION(when, member)                                                                                 \
    {                                                                                                                  \
        "output", 'o', "FILE", APP_ADDS, when "file, by its ending: table .csv, .json, .h5, .txt",                     \
            APP_INTO(app_take_table, member)                                                                           \
    }

#define APP_OUTPUT_OPTION(when, member)                                                                                \
    {APP_JSON(member)},                                                                                                \
    {                                                                                                                  \
        "output", 'o', "FILE", APP_ADDS, when "file, by its ending: table .csv, .json, .h5, .txt; picture .svg, .png", \
            APP_OUTPUTS(member)                                                                                        \
    }

// Whether there are pictures among them.
static inline int app_draws(const app_outputs *outputs)
{
    return outputs->count > outputs->tables;
}

// Writes a report to all of them, and to standard output as JSON if that is asked for, else as `usual`
// (KANE_TABLE_FORMATS: not at all) if there is no table among them. 0 with errors.
int app_write_report(const app_outputs *outputs, kane_table_format usual, const kane_table_report *report,
                     kane_errors *errors);

// "1 body", "3 bodies"
typedef struct app_noun {
    const char *one, *many;
} app_noun;
const char *app_plural(int count, app_noun noun);

// Commands; each gets its own arguments, argv[0] is "kane <command>".
int command_repair(int argc, char **argv);
int command_cache(int argc, char **argv);
int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_track(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_view(int argc, char **argv);
int command_evaluate(int argc, char **argv);
int command_report(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_study(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_schema(int argc, char **argv);
int command_contact(int argc, char **argv);
int command_conicity(int argc, char **argv);
int command_flexible(int argc, char **argv);
int command_critical(int argc, char **argv);
int command_modes(int argc, char **argv);
int command_equilibrium(int argc, char **argv);
int command_equations(int argc, char **argv);
int command_identify(int argc, char **argv);
int command_sensitivity(int argc, char **argv);
int command_fmu(int argc, char **argv);
int command_export(int argc, char **argv);

// === Titles of pictures: which vehicle, which run.

enum { APP_RUN_TITLE = 400 };

// "coach-curve" of "data/runs/coach-curve.json".
void app_file_stem(const char *file, size_t size, char *stem);

// What results are of, by their manifest: "manchester-1, run coach-curve, start.speed=25"; `otherwise` without one.
// 0 without memory, with an error.
int app_run_title(const kane_results *results, const char *otherwise, size_t size, char *title, kane_errors *errors);

// === What "kane export" writes.

// argv[0] is "kane export WHAT".
int export_c(int argc, char **argv);
int export_equations(int argc, char **argv);

// === The studies of the program.

// Studies; each gets its own arguments, argv[0] is "kane study <name>".
int study_omit(int argc, char **argv);
int study_transitions(int argc, char **argv);
int study_optimise(int argc, char **argv);
int study_rods(int argc, char **argv);

// === Profiles of wheels and rails as options give them.

// A profile that was typed behind an option: a known name ("S1002", "60E1"), or keys of a file's "profiles" with their
// values, cone=1:40 or file=worn.txt,unit=mm,lateral=outside,vertical=up; of a file whose name has a '.' or a '/' the
// "file=" may be left out. Names of files are relative to the directory of work. NULL with errors.
const kane_profile *app_profile_take(kane_arena *arena, const char *option, const char *text, kane_profile_kind kind,
                                     kane_errors *errors);

// === The page that is drawn of results when no channels are asked for.

enum { PLOT_PAGE_PANELS = 6, PLOT_PAGE_CURVES = 8 };

// Columns of one panel.
typedef struct plot_page_panel {
    int count, left_out; // columns, and those of the same kind that have no room
    int columns[PLOT_PAGE_CURVES];
} plot_page_panel;

typedef struct plot_page {
    int count;
    plot_page_panel panels[PLOT_PAGE_PANELS];
} plot_page;

// Of a vehicle: lateral displacements of bodies, guiding forces, wheel forces, accelerations of its sensors (of bodies
// without wheels where it has none). Of anything else: coordinates of joints, positions, forces of elements, reactions,
// energies. Columns that never change are left out.
void plot_page_choose(const kane_results *results, plot_page *page);

// === The page that came with kane, for kane view and kane modes --view.

// Its name. 0 with an error that says how to get it.
int app_find_page(size_t size, char *file, kane_errors *errors);

// "7.2 MB", "340 kB"
const char *app_write_size(long long bytes, size_t size, char *text);

// === What kane evaluate prints and draws.

// Rows of kane_evaluation_options, which kane report has, too.
extern const app_option evaluate_standard_options[];

// All assessments of one result file: as a table with all digits, as tables to read.
typedef struct evaluate_report {
    const kane_evaluation *evaluation;
    const char *name; // of the file
    const kane_evaluation_options *options;
} evaluate_report;

kane_table evaluate_tabulate(kane_arena *arena, const kane_evaluation *evaluation);
kane_table evaluate_tabulate_kind(kane_arena *arena, const kane_evaluation *evaluation, kane_assessed kind);
void evaluate_print_section(FILE *out, const void *report);
void evaluate_print_conclusion(FILE *out, const void *report);
void evaluate_write_section(kane_writer *w, const void *report); // before the table

// Spectra of the channels that match patterns.
typedef struct evaluate_spectra {
    app_texts channels;  // patterns
    app_texts beside;    // files of other results
    const char *against; // "time" or "distance"
    double from, to;     // distances travelled [m]
    double resolution;   // between two frequencies [Hz] or [1/m]; 0: as eight windows give it
    app_numbers compare; // band of frequencies [Hz] or [1/m] in which others are compared; none: spectra
} evaluate_spectra;
int evaluate_spectrum(const kane_results *results, const char *name, const evaluate_spectra *what,
                      const app_outputs *outputs, kane_errors *errors);

// === kane track --spectrum

// Writes the spectra of a track's irregularities beside those that its file asks for. 0 with errors.
int track_spectrum(const kane_track *track, const app_outputs *outputs, kane_errors *errors);

#endif
