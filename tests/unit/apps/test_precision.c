// SPDX-License-Identifier: MIT
// kane bench --precision: errors fall with tolerances and steps, of higher order faster; files; what is refused.

#include "check.h"

#include <sys/wait.h>

// Standard output of the program; its exit code. To be freed.
static char *ask(const char *arguments, int *code)
{
    char command[2048];
    char *text = calloc(1, 1 << 16);
    (void)snprintf(command, sizeof command, "'%s' bench %s 2>/dev/null", KANE_PROGRAM, arguments);
    FILE *program = popen(command, "r");
    assert_non_null(program);
    assert_true(fread(text, 1, (1 << 16) - 1, program) < (1 << 16) - 1);
    *code = WEXITSTATUS(pclose(program));
    return text;
}

// Error of accelerations [%] in the row of a method with such a factor of its tolerances (or "-") and such a step [ms].
static double error_in(const char *text, const char *method, const char *tolerance, const char *step)
{
    char a[32], b[32], forces[4][32];
    double processor, ratio, error = 0.0;
    for (const char *line = text; (line = strstr(line, method)) != NULL; line++) {
        assert_int_equal(sscanf(line + strlen(method), "%31s %31s %lg %lg %31s %31s %31s %31s %lg", a, b, &processor,
                                &ratio, forces[0], forces[1], forces[2], forces[3], &error),
                         9);
        assert_true(processor > 0.0);
        if (strcmp(a, tolerance) == 0 && strcmp(b, step) == 0)
            return error;
    }
    fail_msg("there is no row '%s' with %s, %s in:\n%s", method, tolerance, step, text);
    return error;
}

CHECK_TEST(errors_fall)
{
    int code;
    CHECK_MEMORY char *text =
        ask("--precision '" KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json' --until 2", &code);
    assert_int_equal(code, 0);
    static const char *const tolerances[] = {"0.1", "10", "1000"};
    for (int i = 0; i < 2; i++)
        assert_true(error_in(text, "bdf, order 2", tolerances[i], "-") <
                    0.5 * error_in(text, "bdf, order 2", tolerances[i + 1], "-"));
    assert_true(error_in(text, "adams, order 12", "0.1", "-") < error_in(text, "bdf, order 2", "0.1", "-"));
    // orders 1 and 2 of steps
    check_near(error_in(text, "imex", "-", "1") / error_in(text, "imex", "-", "0.5"), 2.0, 0.2);
    check_near(error_in(text, "bdf2", "-", "1") / error_in(text, "bdf2", "-", "0.5"), 4.0, 0.4);
}

CHECK_TEST(options_need_it)
{
    static const char *const rows[] = {"--until 2", "--set until.time=1"};
    for (int i = 0; i < 2; i++) {
        int code;
        free(ask(rows[i], &code));
        assert_int_not_equal(code, 0);
    }
}

CHECK_MAIN(NULL, NULL)
