// SPDX-License-Identifier: MIT
// Exit codes, messages, progress.

#include "app.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, pipe_is_broken;

exit_code app_exit_code(kane_status status)
{
    switch (status) {
    case KANE_OK: return EXIT_DONE;
    case KANE_BAD_ARGUMENT:
    case KANE_BAD_INPUT: return EXIT_INPUT;
    case KANE_IN_USE:
    case KANE_NO_FILE: return EXIT_FILE;
    case KANE_RETRY:
    case KANE_NOT_FINITE:
    case KANE_NOT_SOLVED:
    case KANE_INTEGRATION_FAILED: return EXIT_INTEGRATION;
    case KANE_INTERRUPTED: return EXIT_INTERRUPT;
    case KANE_NO_MEMORY: break;
    }
    return EXIT_OTHER;
}

static int with_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && (!no || !no[0]);
}

void app_print_errors(const kane_errors *errors)
{
    const char *red = with_colour() ? "\x1b[1;31m" : "", *plain = with_colour() ? "\x1b[0m" : "";
    kane_errors each = {0}; // two wheelsets of one pattern make the same mistake at the same place
    kane_errors_append(&each, errors);
    kane_errors_drop_repeated(&each);
    for (int i = 0; i < each.kept; i++) {
        char text[1200];
        (void)kane_error_format(kane_errors_get(&each, i), sizeof text, text);
        (void)fprintf(stderr, "%serror:%s %s\n", red, plain, text);
    }
    if (each.count > each.kept)
        (void)fprintf(stderr, "... and %d more\n", each.count - each.kept);
    kane_errors_free(&each);
}

exit_code app_fail(kane_errors *errors)
{
    const exit_code code = errors->count > 0 ? app_exit_code(kane_errors_get(errors, 0)->status) : EXIT_OTHER;
    app_print_errors(errors);
    kane_errors_free(errors);
    return code;
}

// PLACE/NAME seen from the folder of the program.
static int find_beside(const char *const *places, const char *name, size_t size, char *file)
{
    char program[4096];
    const ssize_t length             = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash                      = strrchr(program, '/');
    for (int i = 0; slash && places[i]; i++) {
        *slash = '\0';
        if (snprintf(file, size, "%s/%s/%s", program, places[i], name) < (int)size && access(file, R_OK) == 0)
            return 1;
    }
    return 0;
}

int app_find_shared(const char *name, size_t size, char *file)
{
    return find_beside((const char *const[]){"../share/kane", "../../..", NULL}, name, size, file);
}

int app_find_library(const char *name, size_t size, char *file)
{
    return find_beside(
        (const char *const[]){"../lib", "../lib/x86_64-linux-gnu", "../lib64", ("../" KANE_LIBRARY_FOLDER), "..", NULL},
        name, size, file);
}

static void print_choices(FILE *to, const app_choices *among)
{
    (void)fprintf(to, "Usage: kane %s %s [ARGUMENTS]\n\n%s:\n", among->command, among->word, among->title);
    for (int i = 0; i < among->count; i++)
        (void)fprintf(to, "  %-11s %s\n", among->choices[i].name, among->choices[i].help);
    (void)fprintf(to, "\n\"kane %s %s --help\" explains it.\n", among->command, among->word);
}

int app_choose(const app_choices *among, int argc, char **argv)
{
    const char *chosen = argc > 1 ? argv[1] : "";
    if (app_begun_word() && argc < 2) {
        for (int i = 0; i < among->count; i++)
            app_offer(among->choices[i].name, among->choices[i].help);
        return EXIT_DONE;
    }
    if (strcmp(chosen, "--help") == 0 || strcmp(chosen, "-?") == 0) {
        print_choices(stdout, among);
        return EXIT_DONE;
    }
    for (int i = 0; i < among->count; i++) {
        char name[64];
        if (strcmp(among->choices[i].name, chosen) != 0)
            continue;
        (void)snprintf(name, sizeof name, "kane %s %s", among->command, chosen);
        argv[1] = name;
        return among->choices[i].run(argc - 1, argv + 1);
    }
    if (chosen[0])
        (void)fprintf(stderr, "kane %s: there is no %s '%s'\n\n", among->command, among->noun, chosen);
    print_choices(stderr, among);
    return EXIT_USAGE;
}

kane_tables *app_tables(void)
{
    kane_tables *tables = kane_tables_create(KANE_TABLES_USUAL);
    kane_tables_use_files(tables, NULL);
    return tables;
}

void app_tell(const kane_results *results, const char *name)
{
    char text[256];
    if (results && kane_results_format(results, sizeof text, text))
        (void)fprintf(stderr, "%s: %s\n", name, text);
}

// --- signals ---

// That end a process unless it says otherwise.
static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

// Files that this process is writing to put them in the place of others: all that it has open under such a name. Safe
// in a handler of signals; where there is no /proc they go with the next file of their name.
static void remove_new_files(void)
{
    enum { DESCRIPTORS = 1024 };
    char target[4352];
    size_t base;
    for (int file = 3; file < DESCRIPTORS; file++) {
        char path[] = "/proc/self/fd/0000", *digit = path + sizeof path - 2;
        size_t digits = file > 999 ? 4 : file > 99 ? 3 : file > 9 ? 2 : 1;
        digit -= 4 - digits;
        digit[1] = '\0';
        for (int rest = file; digits-- > 0; rest /= 10)
            *digit-- = (char)('0' + rest % 10);
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length <= 0)
            continue;
        target[length] = '\0';
        if (kane_replacement_process(target, &base) == (long)getpid())
            (void)unlink(target);
    }
}

static void end_by_signal(int signal_number)
{
    remove_new_files();
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number); // when this handler returns
}

static char is_ignored[ENDING_SIGNALS];

// What was ignored when the program was started stays so (nohup). Libraries take signals when they are loaded (libpsm2,
// behind MPI, takes SIGHUP); this runs before their constructors.
static void remember_ignored_signals(void)
{
    struct sigaction before;
    for (int i = 0; i < ENDING_SIGNALS; i++)
        is_ignored[i] = sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_constructors)(void) = remember_ignored_signals;

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    for (int i = 0; i < ENDING_SIGNALS; i++)
        if (ending_signals[i] == signal_number && is_ignored[i])
            action.sa_handler = SIG_IGN;
    (void)sigaction(signal_number, &action, NULL);
}

void app_clean_on_signals(void)
{
    for (int i = 0; i < ENDING_SIGNALS; i++)
        handle(ending_signals[i], end_by_signal);
}

// A second one ends it at once; but for a pipe without a reader, into which it may write again before it has ended.
static void on_interrupt(int signal_number)
{
    interrupted = 1;
    if (signal_number == SIGPIPE)
        pipe_is_broken = 1;
    else
        handle(signal_number, end_by_signal);
}

void app_catch_interrupt(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        handle(signals[i], on_interrupt);
}

void app_end_by_broken_pipe(void)
{
    if (pipe_is_broken)
        end_by_signal(SIGPIPE);
}

void app_delay_signals(int is_delayed)
{
    sigset_t set;
    (void)sigemptyset(&set);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        (void)sigaddset(&set, ending_signals[i]);
    (void)sigprocmask(is_delayed ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

int app_is_interrupted(void)
{
    return interrupted;
}

int app_progress(const kane_progress *progress, void *data)
{
    const double *begin = data;
    if (!begin || !isatty(STDERR_FILENO))
        return interrupted;

    const double wall = kane_clock() - *begin;
    const double left = progress->done > 0.0 ? wall * (1.0 - progress->done) / progress->done : (double)NAN;
    char bar[31];
    const int filled = isfinite(progress->done) ? (int)(30.0 * progress->done) : 0;
    for (int i = 0; i < 30; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[30] = '\0';
    (void)fprintf(stderr, "\r[%s] %3.0f %%  %.2f s  %.1f m", bar, 100.0 * progress->done, progress->time,
                  progress->distance);
    if (isfinite(left))
        (void)fprintf(stderr, "  %.0f s left   ", left);
    (void)fflush(stderr);
    return interrupted;
}

void app_progress_end(void)
{
    if (isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\r%78s\r", "");
}

FILE *app_open_table(const char *file, kane_errors *errors)
{
    FILE *table = file ? fopen(file, "w") : stdout;
    if (!table)
        kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = file, .path = ""}, "cannot be written: %s",
                              kane_system_text(errno));
    return table;
}

int app_close_table(FILE *table, const char *file, kane_errors *errors)
{
    const int failed = ferror(table) || (file ? fclose(table) : fflush(table)) != 0;
    if (failed)
        kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = file ? file : "standard output", .path = ""},
                              "cannot be written");
    return !failed;
}

const char *app_plural(int count, app_noun noun)
{
    return count == 1 ? noun.one : noun.many;
}
