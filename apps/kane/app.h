// SPDX-License-Identifier: MIT
// What all commands of the program share: exit codes, messages, progress.

#ifndef KANE_APPS_APP_H
#define KANE_APPS_APP_H

#include <kane/kane.h>

#include <argp.h>
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

// What came with the program: share/kane/NAME beside the directory that it is in, where it was built as where it is installed. 0: it is not
// there, or cannot be read.
int app_find_shared(const char *name, size_t size, char *file);

// What was installed beside the library, or built there: lib/NAME seen from the directory of the program. 0: it is not there.
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

// What became of the run that results are of, if it has not come to its end: a line on standard error. NULL is allowed.
void app_tell(const kane_results *results, const char *name);

// A progress bar on standard error if that is a terminal; made for kane_execution.progress, with
// the beginning (double, of kane_clock) as its data; NULL: nothing is shown. Ends the run after Ctrl-C.
int app_progress(const kane_progress *progress, void *data);
void app_progress_end(void);

// Before a signal ends the program (Ctrl-C, the end of the terminal, a pipe that is not read to its end, kill) the files go that it was
// writing to put them in the place of others. Called once, by main.
void app_clean_on_signals(void);

// Such a signal ends a run or a study in good order: results are kept. A second one ends it at once.
void app_catch_interrupt(void);

// Ends the program as a broken pipe ends others, if one was met on the way: main's last call.
void app_end_by_broken_pipe(void);

// 1: signals that end the program wait, until 0.
void app_delay_signals(int is_delayed);
int app_is_interrupted(void);

// What becomes of an option that is given again: a property of its row, beside the flags of argp. Its parser is called for each value.
// Without one of these a second value is an error; an option without a value says the same again.
enum {
    APP_ADDS = 1 << 8,            // values add
    APP_LIST = 1 << 9 | APP_ADDS, // and commas outside of quotes and brackets stand between values, too
    APP_SETS = 1 << 10 | APP_ADDS // PATH=VALUE: settings add; of one path twice they contradict each other, an error
};

// Reads the arguments; ends the program with a message if that cannot be. Values that commas part are parted where they stand.
void app_parse(const struct argp *argp, int argc, char **argv, void *arguments);

// Texts that options collect one by one ("--set A=1 --set B=2"), NULL-terminated.
enum { APP_TEXTS_MOST = 256 };
typedef struct app_texts {
    int count;
    const char *texts[APP_TEXTS_MOST + 1];
} app_texts;

// For parsers of options: adds a text, or ends the program with a message if there are too many.
void app_collect(app_texts *list, const char *text, struct argp_state *state);

// Takes the one argument of a command, the file that `kind` says ("run file"). ARGP_ERR_UNKNOWN for all other keys.
error_t app_take_file(int key, char *value, struct argp_state *state, const char *kind, const char **file);

// A number of an option; ends the program with a message if it is none.
double app_take_number(const char *text, struct argp_state *state);

// A whole number of an option from least to most, such as a "number of workers"; likewise.
int app_take_whole(const char *text, int least, int most, const char *what, struct argp_state *state);

// A quantity of an option in that SI unit: 0.46 or "460 mm" for "m", 0.025 or 1:40 for "1"; likewise.
double app_take_quantity(const char *text, const char *unit, struct argp_state *state);

// The same for what must be positive; `name` says what it is.
double app_take_positive(const char *text, const char *name, const char *unit, struct argp_state *state);

// The number of a mode, from 1; likewise.
int app_take_mode(const char *text, struct argp_state *state);

// A file for a table, standard output if the name is NULL; NULL with an error. The end of it: 0 with an error if not
// all could be written.
FILE *app_open_table(const char *file, kane_errors *errors);
int app_close_table(FILE *table, const char *file, kane_errors *errors);

// A line of a table: numbers with all their digits, separated by commas.
void app_print_row(FILE *table, int count, const double *values);

// The name of a picture, which must end in .svg or .png; ends the program with a message if it does not.
const char *app_take_picture(const char *file, struct argp_state *state);

// "1 body", "3 bodies"
typedef struct app_noun {
    const char *one, *many;
} app_noun;
const char *app_plural(int count, app_noun noun);

// Commands; each gets its own arguments, argv[0] is "kane <command>".
int command_repair(int argc, char **argv);
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
int command_fmu(int argc, char **argv);
int command_export(int argc, char **argv);

#endif
