// SPDX-License-Identifier: MIT
// Shipped files with random damage: whatever comes of it, each reader gives either a definition or errors with a place,
// and (with sanitizers) touches nothing that is not its own. Numbers are damaged most, since they are read furthest.

#include "folder.h"
#include "models.h"

#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 400, SIZE = 8192 };

static unsigned pick(uint64_t *seed, unsigned below)
{
    return (unsigned)((0.5 + 0.5 * random_number(seed)) * below) % below;
}

static size_t load(const char *name, char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, SIZE / 2, file);
    assert_true(length < SIZE / 2);
    (void)fclose(file);
    return length;
}

// Puts `with` in the place of n bytes at a position; returns the new length.
static size_t splice(char *text, size_t length, size_t at, size_t n, const char *with)
{
    const size_t more = strlen(with);
    if (at + n > length || length - n + more >= SIZE)
        return length;
    memmove(text + at + more, text + at + n, length - at - n);
    memcpy(text + at, with, more);
    return length - n + more;
}

static size_t damage(char *text, size_t length, uint64_t *seed)
{
    static const char *const values[] = {"0",    "-1",       "1e300",    "-1e-300", "null",   "true",
                                         "\"\"", "[]",       "{}",       "1e-9",    "1e12",   "0.5",
                                         "[1]",  "\"1:40\"", "\"5 kg\"", "7",       "[0,0,0]"};
    static const char *const bytes[]  = {"\"", "{", "}", ",", ":", "[", "]", "\\", "\xFF", "\x01", "a", " "};
    const size_t at                   = pick(seed, (unsigned)length);
    if (pick(seed, 4) == 0)
        return splice(text, length, at, pick(seed, 3), bytes[pick(seed, sizeof bytes / sizeof *bytes)]);
    // the next number or text
    size_t from = at;
    while (from < length && !strchr("0123456789\"", text[from]))
        from++;
    size_t n =
        from < length && text[from] == '"' ? 2 + strcspn(text + from + 1, "\"") : strspn(text + from, "0123456789.e");
    return splice(text, length, from, n, values[pick(seed, sizeof values / sizeof *values)]);
}

// Mechanisms go as far as a model: most of what can be wrong with them only shows there.
static int reads_mechanism(const char *name, kane_errors *errors)
{
    const kane_vehicle_options how    = {.kind = KANE_MECHANISM};
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    CHECK_OWNED(kane_vehicle) *v      = kane_vehicle_read(name, &how, errors);
    kane_model *model = v ? kane_model_create(kane_vehicle_get_definition(v), NULL, &drive, &options, errors) : NULL;
    kane_model_free(model);
    return model != NULL;
}

// The vehicle file that a train names.
static void write_wagon(void)
{
    static char text[SIZE];
    const size_t length = load("vehicles/two-axle-wagon.json", text);
    FILE *file          = fopen("two-axle-wagon.json", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

// Reads one file; 1 if it is right.
static int reads(const char *name, kane_errors *errors)
{
    if (name[0] == 'v' || name[0] == 'w') {
        kane_vehicle *v = kane_vehicle_read(name, NULL, errors);
        kane_vehicle_free(v);
        return v != NULL;
    }
    if (name[0] == 'm')
        return reads_mechanism(name, errors);
    if (name[0] == 't') {
        kane_track *t = kane_track_read(name, NULL, errors);
        kane_track_free(t);
        return t != NULL;
    }
    kane_run *r = kane_run_read(name, NULL, errors);
    kane_run_free(r);
    return r != NULL;
}

CHECK_TEST(damaged_files_are_read_or_refused)
{
    static const char *const rows[][2] = {
        {"vehicles/two-axle-wagon.json", "v.json"},      {"vehicles/wagon-four-bar.json", "v.json"},
        {"data/mechanisms/four-bar.json", "m.json"},     {"data/mechanisms/crane.json", "m.json"},
        {"data/mechanisms/rolling-disc.json", "m.json"}, {"data/mechanisms/heavy-top.json", "m.json"},
        {"data/mechanisms/squeezer.json", "m.json"},     {"data/tracks/short-transition.json", "t.json"},
        {"data/tracks/irregular.json", "t.json"},        {"data/runs/wagon-driven.json", "r.json"},
        {"vehicles/wagon-train.json", "w.json"},         {"data/mechanisms/ship-crane.json", "m.json"}};
    static char good[SIZE], text[SIZE];
    uint64_t seed = 20240229;
    write_wagon();
    print_message("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t whole = load(rows[i][0], good);
        int right          = 0;
        for (int round = 0; round < ROUNDS; round++) {
            CHECK_ERRORS errors = {0};
            size_t length       = whole;
            memcpy(text, good, whole);
            text[length] = '\0';
            for (unsigned k = 1 + pick(&seed, 3); k > 0; k--) {
                length       = damage(text, length, &seed);
                text[length] = '\0';
            }
            FILE *file = fopen(rows[i][1], "w");
            assert_non_null(file);
            assert_int_equal(fwrite(text, 1, length, file), length);
            assert_int_equal(fclose(file), 0);

            const int is_right = reads(rows[i][1], &errors);
            right += is_right;
            if (is_right != (errors.count == 0))
                fail_msg("round %d of %s: %d errors of a file that is %s\n%s", round, rows[i][0], errors.count,
                         is_right ? "right" : "wrong", text);
            for (int k = 0; k < errors.kept; k++)
                if (!kane_errors_get(&errors, k)->file[0] || !kane_errors_get(&errors, k)->text[0])
                    fail_msg("round %d of %s: '%s' has no place\n%s", round, rows[i][0],
                             kane_errors_get(&errors, k)->text, text);
        }
        assert_true(right < ROUNDS);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
