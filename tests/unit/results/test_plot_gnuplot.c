// SPDX-License-Identifier: MIT
// What is left when gnuplot is missing, fails, reads nothing or hangs, and when its caller has unusual habits.

#include "plot.h"

#include "results/plot.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static char *path_before;

static int begin(void **state)
{
    path_before = test_calloc(strlen(getenv("PATH")) + 1, 1);
    (void)strcpy(path_before, getenv("PATH"));
    return plot_begin(state);
}

static int end(void **state)
{
    (void)state;
    test_free(path_before);
    return 0;
}

static int restore(void **state)
{
    return setenv("PATH", path_before, 1) == 0 ? files_teardown(state) : -1;
}

// A program gnuplot that does so, alone on the path.
static void pretend(const char *what)
{
    char script[512];
    const int length = snprintf(script, sizeof script, "#!/bin/sh\n%s\n", what);
    assert_int_equal(mkdir(files_path("bin"), 0777), 0);
    files_write(files_path("bin/gnuplot"), script, (size_t)length);
    assert_int_equal(chmod(files_path("bin/gnuplot"), 0777), 0);
    assert_int_equal(setenv("PATH", files_path("bin"), 1), 0);
}

static void no_longer_pretend(void)
{
    assert_int_equal(remove(files_path("bin/gnuplot")), 0);
    assert_int_equal(rmdir(files_path("bin")), 0);
    assert_int_equal(setenv("PATH", path_before, 1), 0);
}

#define plot_test(name) CHECK_TEST_IN(name, files_setup, restore)

plot_test(a_missing_gnuplot_is_told)
{
    static kane_errors errors;
    if (check_is_emulated())
        check_skip("an emulator does not say that a program to be started is missing");
    assert_int_equal(setenv("PATH", files_directory, 1), 0);
    assert_int_equal(draw_wave("a.svg", &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "the program gnuplot, which draws pictures, is missing; install it, e.g. "
                                             "apt install gnuplot-nox");
    assert_int_equal(files_count(), 0);
}

plot_test(what_gnuplot_complains_about_is_told)
{
    static kane_errors errors;
    static const struct {
        const char *what, *message;
    } cases[] = {
        {"exit 0", "gnuplot left no whole picture: it said nothing"},
        {"exit 3", "gnuplot failed: it said nothing"},
        {"echo '<svg><g>'", "gnuplot left no whole picture: it said nothing"},
        {"printf 'no   such\\n\\n  terminal\\n' >&2; exit 1", "gnuplot failed: no such terminal"},
        {"echo hurt >&2; kill -9 $$", "gnuplot was ended by signal 9: hurt"},
    };
    files_write(files_path("a.svg"), "old", 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pretend(cases[i].what);
        assert_int_equal(draw_wave("a.svg", &errors), KANE_NO_FILE);
        assert_string_equal(error_text(&errors), cases[i].message);
        no_longer_pretend();
        assert_int_equal(files_count(), 1);
        char *text = read_text("a.svg");
        assert_string_equal(text, "old"); // complete or not at all
        test_free(text);
    }
}

// A script larger than any pipe's buffer that nobody reads: no signal, and its disposition is what it was.
plot_test(a_gnuplot_that_reads_nothing_does_no_harm)
{
    static kane_errors errors;
    struct sigaction action;
    enum { MANY = 100000 };
    double *values = test_calloc(MANY, sizeof *values);
    for (int i = 0; i < MANY; i++)
        values[i] = i % 7;
    const kane_plot_curve curve = {.count = MANY, .x = values, .y = values, .style = KANE_SOLID};
    assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    pretend("exec <&- ; exit 1");
    assert_int_equal(draw_curves("a.svg", 1, &curve, &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "gnuplot failed: it said nothing");
    assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
    assert_true(action.sa_handler == SIG_DFL);
    no_longer_pretend();
    test_free(values);
    assert_int_equal(files_count(), 0);
}

plot_test(a_gnuplot_that_hangs_is_stopped)
{
    static kane_errors errors;
    struct timespec before, after;
    const int script = kane_gnuplot_file(&errors), picture = kane_gnuplot_file(&errors);
    pretend("exec /bin/sleep 100");
    (void)clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(kane_gnuplot_run(script, picture, "</svg>", 0.2, &errors), KANE_NO_FILE);
    (void)clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 20);
    assert_string_equal(error_text(&errors),
                        "gnuplot was stopped because it did not finish within 0.2 s: it said nothing");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left
    (void)close(script);
    (void)close(picture);
    no_longer_pretend();
}

// Callers who ignore SIGCHLD get no exit codes; who has closed the standard streams has others in their places.
plot_test(callers_may_have_unusual_habits)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static kane_errors errors;
        (void)signal(SIGCHLD, SIG_IGN);
        (void)close(0);
        (void)close(1);
        (void)close(2);
        _exit(draw_wave("a.svg", &errors) == KANE_OK && draw_wave("a.png", &errors) == KANE_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(files_count(), 2);
    char *svg = read_text("a.svg");
    check_xml(svg);
    test_free(svg);
}

// What one of several threads draws: pictures of its own, and one that all of them draw.
static void *draw_some(void *file)
{
    for (int i = 0; i < 3; i++) {
        const kane_plot_curve curve = {.label = "wave", .count = N, .x = x, .y = wave};
        const kane_plot_panel panel = {.curve_count = 1, .curves = &curve};
        const kane_plot plot        = {.panel_count = 1, .panels = &panel};
        const char *const both[]    = {file, (char *)file + 512};
        for (int k = 0; k < 2; k++)
            if (kane_plot_draw(&plot, both[k], NULL) != KANE_OK)
                return NULL;
    }
    return file;
}

plot_test(threads_may_draw_at_the_same_time)
{
    enum { THREADS = 4 };
    static char files[THREADS][1024]; // two names each
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        (void)snprintf(files[i], 512, "%s/%d.svg", files_directory, i);
        (void)snprintf(files[i] + 512, 512, "%s/all.svg", files_directory);
        assert_int_equal(pthread_create(&threads[i], NULL, draw_some, files[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *done;
        assert_int_equal(pthread_join(threads[i], &done), 0);
        assert_ptr_equal(done, files[i]);
        assert_same_files(files[i], files[0] + 512);
    }
    assert_int_equal(files_count(), THREADS + 1);
}

static int descriptors_open(void)
{
    int count = 0;
    for (int i = 0; i < 256; i++)
        count += fcntl(i, F_GETFD) >= 0;
    return count;
}

plot_test(nothing_stays_open)
{
    static kane_errors errors;
    const int before = descriptors_open();
    assert_int_equal(draw_wave("a.svg", &errors), KANE_OK);
    assert_int_equal(draw_wave("no/a.svg", &errors), KANE_NO_FILE);
    pretend("exit 1");
    assert_int_equal(draw_wave("a.svg", &errors), KANE_NO_FILE);
    no_longer_pretend();
    assert_int_equal(descriptors_open(), before);
}

CHECK_MAIN(begin, end)
