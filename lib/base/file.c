// SPDX-License-Identifier: MIT
// Reading a whole file.

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 1 << 14, MOST = 1 << 28 }; // [bytes]

typedef struct content {
    char *text; // terminated
    size_t length, size;
} content;

// Doubles the room, keeping what is there.
static int grow_content(content *c)
{
    const size_t size = c->size ? 2 * c->size : FIRST;
    char *text        = kane_allocate(size, 1);
    if (!text)
        return ENOMEM;
    if (c->text)
        memcpy(text, c->text, c->length);
    kane_release(c->text);
    c->text = text;
    c->size = size;
    return 0;
}

// Reads to the end. Returns 0 or an errno.
static int read_all(int file, content *c)
{
    for (;;) {
        if (c->size - c->length < 2) {
            const int failed = c->size >= MOST ? EFBIG : grow_content(c);
            if (failed)
                return failed;
        }
        const ssize_t n = read(file, c->text + c->length, c->size - c->length - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            break;
        c->length += (size_t)n;
    }
    c->text[c->length] = '\0';
    return 0;
}

enum { NO_FILE = -1 }; // beside errno

// A pipe without a writer would hold up for ever, and a device might not end: neither is read.
static int load_content(const char *name, content *c)
{
    struct stat is;
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return errno;
    int failed = fstat(file, &is) == 0 ? 0 : errno;
    if (!failed && !S_ISREG(is.st_mode))
        failed = S_ISDIR(is.st_mode) ? EISDIR : NO_FILE;
    if (!failed)
        failed = read_all(file, c);
    (void)close(file);
    return failed;
}

static void report_unreadable(const char *name, int failed, kane_errors *errors)
{
    const kane_place place = {.file = name, .path = ""};
    if (failed == ENOMEM) {
        kane_errors_add_input(errors, KANE_NO_MEMORY, place, "out of memory");
        return;
    }
    if (failed == NO_FILE) {
        kane_errors_add_input(errors, KANE_NO_FILE, place, "is a pipe, socket or device; it must be a file");
        return;
    }
    kane_errors_add_input(errors, KANE_NO_FILE, place, "cannot be read: %s", kane_system_text(failed));
}

kane_node *kane_json_read(kane_arena *arena, const char *name, kane_errors *errors)
{
    content c        = {0};
    const int failed = load_content(name, &c);
    kane_node *root  = NULL;
    if (failed)
        report_unreadable(name, failed, errors);
    else
        root = kane_json_parse(arena, name, c.text, c.length, errors);
    kane_release(c.text);
    return root;
}

char *kane_file_read(kane_arena *arena, const char *name, size_t *length, kane_errors *errors)
{
    content c  = {0};
    int failed = load_content(name, &c);
    char *text = failed ? NULL : kane_arena_alloc(arena, c.length + 1, 1);
    if (text)
        memcpy(text, c.text, c.length);
    else if (!failed)
        failed = ENOMEM;
    if (failed)
        report_unreadable(name, failed, errors);
    if (length)
        *length = c.length;
    kane_release(c.text);
    return text;
}

const char *kane_file_beside(kane_arena *arena, const char *file, const char *name)
{
    const int is_typed  = strncmp(file, KANE_FILE_TYPED, sizeof KANE_FILE_TYPED - 1) == 0;
    const char *slash   = is_typed ? NULL : strrchr(file, '/');
    const size_t folder = slash ? (size_t)(slash - file) + 1 : 0;
    if (name[0] == '/' || folder == 0)
        return kane_arena_text(arena, name);
    char *path = kane_arena_alloc(arena, folder + strlen(name) + 1, 1);
    if (path) {
        memcpy(path, file, folder);
        memcpy(path + folder, name, strlen(name));
    }
    return path;
}

// === Directories for results.

static kane_status report_no_directory(const char *path, const char *why, kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_FILE, "the directory %s cannot be made: %s", path, why);
    return KANE_NO_FILE;
}

kane_status kane_directory_make(const char *path, kane_errors *errors)
{
    char part[4096];
    const size_t length = strlen(path);
    struct stat is;
    if (length == 0 || length >= sizeof part)
        return report_no_directory(path, length == 0 ? "it has no name" : "its name is too long", errors);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return report_no_directory(part, kane_system_text(errno), errors);
    }
    if (stat(path, &is) != 0 || !S_ISDIR(is.st_mode))
        return report_no_directory(path, "there is a file of that name", errors);
    return KANE_OK;
}
