// SPDX-License-Identifier: MIT
// Public headers, each by itself, under the compilers and language versions of users, with their warnings; C++ finds
// the functions under the names that the library has.

#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#define WARNINGS "-Wall -Wextra -Wpedantic -Wshadow -Werror"

// Each header by itself in the first and the last standard; in those between all of them together.
typedef struct compiler {
    const char *name, *package, *standards[6];
} compiler;

static const compiler c_compilers[] = {
    {"gcc", "gcc", {"c99", "c11", "c17", "c2x"}},
    {"clang", "clang", {"c99", "c11", "c17", "c2x"}},
};
static const compiler cxx_compilers[] = {
    {"g++", "g++", {"c++11", "c++14", "c++17", "c++20", "c++2b"}},
    {"clang++", "clang", {"c++11", "c++14", "c++17", "c++20", "c++2b"}},
};

static void append_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// A translation unit for each header, which includes it alone, NAME.c and NAME.cc, and one that includes all. Returns
// their number.
static int write_units(void)
{
    DIR *directory = opendir(KANE_SOURCE_DIR "/include/kane");
    int count      = 0;
    assert_non_null(directory);
    assert_true(mkdir("all", 0700) == 0 || errno == EEXIST);
    write_file("all/all.c", "");
    for (struct dirent *d; (d = readdir(directory)) != NULL;) {
        const int length = (int)strlen(d->d_name) - 2;
        if (length < 1 || strcmp(d->d_name + length, ".h") != 0)
            continue;
        for (int k = 1; k <= 2; k++) {
            char name[300], text[400];
            (void)snprintf(name, sizeof name, "%.*s.%.*s", length, d->d_name, k, "cc");
            (void)snprintf(text, sizeof text, "#include <kane/%s>\n", d->d_name);
            write_file(name, text);
            if (k == 1)
                append_file("all/all.c", text);
        }
        count++;
    }
    (void)closedir(directory);
    return count;
}

static int is_here(const compiler *c)
{
    return command_works("%s --version >/dev/null 2>&1", c->name);
}

// Files in the first and the last standard, `together` in those between.
static void compile_all(const compiler *compilers, const char *files, const char *together)
{
    for (int i = 0; i < 2; i++) {
        if (!is_here(&compilers[i])) {
            check_skip_part("there is no %s here (Debian: %s)", compilers[i].name, compilers[i].package);
            continue;
        }
        for (int k = 0; compilers[i].standards[k]; k++) {
            const int is_between = k > 0 && compilers[i].standards[k + 1];
            command_must("%s -std=%s -fsyntax-only " WARNINGS " -I\"" KANE_SOURCE_DIR "/include\" %s",
                         compilers[i].name, compilers[i].standards[k], is_between ? together : files);
        }
    }
}

CHECK_TEST(headers_are_c)
{
    assert_true(write_units() > 40);
    compile_all(c_compilers, "*.c", "all/all.c");
}

CHECK_TEST(headers_are_cxx)
{
    assert_true(write_units() > 40);
    compile_all(cxx_compilers, "*.cc", "-x c++ all/all.c");
}

// What `kane export` writes: the header of a model, equations (one state, four side by side).
CHECK_TEST(exports_are_both)
{
    static const char *const commands[] = {
        "c \"" KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json\" -o model",
        "equations \"" KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json\" -o one.c",
        "equations \"" KANE_SOURCE_DIR "/data/runs/mechanism-rear-corner.json\" --lanes 4 -o four.c"};
    assert_true(mkdir("exported", 0700) == 0);
    for (int i = 0; i < 3; i++)
        command_must("cd exported && \"" KANE_PROGRAM "\" export %s", commands[i]);
    assert_int_equal(system("cd exported && for h in model/*.h; do echo \"#include \\\"$h\\\"\" >>header.c; done"), 0);
    compile_all(c_compilers, "-Wno-psabi exported/*.c", "-Wno-psabi exported/*.c");
    compile_all(cxx_compilers, "-Wno-psabi -x c++ exported/*.c", "-Wno-psabi -x c++ exported/*.c");
}

// Names of the functions that the headers declare: words before a "(" in declarations that begin with KANE_API.
static int write_addresses(FILE *to)
{
    int count = 0;
    FILE *all = popen("cat \"" KANE_SOURCE_DIR "\"/include/kane/*.h | tr '\\n' ' ' | grep -o 'KANE_API [^(;]*(' | "
                      "grep -o 'kane_[a-z0-9_]*(' | tr -d '(' | sort -u",
                      "r");
    char name[128];
    assert_non_null(all);
    while (fscanf(all, "%127s", name) == 1) {
        (void)fprintf(to, "    reinterpret_cast<function>(%s),\n", name);
        count++;
    }
    assert_int_equal(pclose(all), 0);
    return count;
}

// Every declared function is called by the name that C gives it, and is there.
CHECK_TEST(cxx_links_every_function)
{
    static const char *const rest = "};\nint main()\n{\n    for (function f : functions)\n        if (!f)\n            "
                                    "return 1;\n    return 0;\n}\n";
    if (!is_here(&cxx_compilers[0]))
        check_skip("there is no g++ here (Debian: g++)");
    FILE *unit = fopen("every.cc", "w");
    assert_non_null(unit);
    (void)fputs("#include <kane/kane.h>\n#include <kane/joint.h>\ntypedef void (*function)();\n"
                "static const function functions[] = {\n",
                unit);
    const int count = write_addresses(unit);
    assert_true(fputs(rest, unit) >= 0);
    assert_int_equal(fclose(unit), 0);
    assert_true(count > 400);
    if (system("g++ -std=c++11 -I\"" KANE_SOURCE_DIR "/include\" every.cc -o every \"" KANE_SHARED_LIBRARY
               "\" -Wl,-rpath,\"$(dirname \"" KANE_SHARED_LIBRARY "\")\" >log 2>&1 && ./every") != 0)
        fail_msg("%s", content("log"));
}

CHECK_MAIN(enter_folder, leave_folder)
