// SPDX-License-Identifier: MIT
// A folder of files that spare work (base/file.h). A file is one line, the key's length and the key, and the bytes:
//   "kane cache 1 HASH\n", HASH being that of the bytes

#define _GNU_SOURCE // utimensat

#include "base/file.h"

#include "base/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "kane cache 1 ", ending[] = ".cache";

int kane_cache_folder(char folder[KANE_CACHE_PATH])
{
    const char *own = getenv("KANE_CACHE"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (own)
        length = snprintf(folder, KANE_CACHE_PATH, "%s", own);
    else if (caches && caches[0] == '/') // relative ones are ignored (XDG Base Directory Specification)
        length = snprintf(folder, KANE_CACHE_PATH, "%s/kane", caches);
    else if (home && *home)
        length = snprintf(folder, KANE_CACHE_PATH, "%s/.cache/kane", home);
    return length > 0 && length < KANE_CACHE_PATH;
}

// 0: the name is too long.
static int name_file(const char *folder, const void *key, size_t key_size, char name[KANE_CACHE_PATH])
{
    char hash[KANE_HASH_SIZE];
    kane_hash_bytes(key, key_size, hash);
    const int length = snprintf(name, KANE_CACHE_PATH, "%s/%s%s", folder, hash, ending);
    return length > 0 && length < KANE_CACHE_PATH;
}

// Whether the file goes on with this key.
static int has_key(FILE *file, const unsigned char *key, size_t key_size)
{
    unsigned char block[4096];
    uint64_t size;
    if (fread(&size, sizeof size, 1, file) != 1 || size != key_size)
        return 0;
    for (size_t done = 0, n; done < key_size; done += n) {
        n = key_size - done < sizeof block ? key_size - done : sizeof block;
        if (fread(block, 1, n, file) != n || memcmp(block, key + done, n) != 0)
            return 0;
    }
    return 1;
}

static int read_file(FILE *file, const void *key, size_t key_size, void *out, size_t size)
{
    char line[sizeof magic - 1 + KANE_HASH_SIZE], hash[KANE_HASH_SIZE];
    if (fread(line, 1, sizeof line, file) != sizeof line || memcmp(line, magic, sizeof magic - 1) != 0 ||
        !has_key(file, key, key_size) || fread(out, 1, size, file) != size || fgetc(file) != EOF)
        return 0;
    kane_hash_bytes(out, size, hash);
    return memcmp(line + sizeof magic - 1, hash, KANE_HASH_SIZE - 1) == 0;
}

int kane_cache_read(const char *folder, const void *key, size_t key_size, void *out, size_t size)
{
    char name[KANE_CACHE_PATH];
    FILE *file = name_file(folder, key, key_size, name) ? fopen(name, "rb") : NULL;
    if (!file)
        return 0;
    const int good = read_file(file, key, key_size, out, size);
    (void)fclose(file);
    if (good) // used now: others go first
        (void)utimensat(AT_FDCWD, name, NULL, 0);
    return good;
}

// --- what there is ---

static int has_ending(const char *name)
{
    const size_t length = strlen(name);
    return length == KANE_HASH_SIZE - 1 + sizeof ending - 1 && strcmp(name + KANE_HASH_SIZE - 1, ending) == 0;
}

// For qsort: the last used first.
static int by_use(const void *a, const void *b)
{
    const kane_cache_entry *x = a, *y = b;
    return x->used != y->used ? (x->used < y->used) - (x->used > y->used) : strcmp(x->name, y->name);
}

int kane_cache_list(const char *folder, kane_cache_entry entries[KANE_CACHE_ENTRIES])
{
    DIR *open = opendir(folder);
    int count = 0;
    for (const struct dirent *d; open && count < KANE_CACHE_ENTRIES && (d = readdir(open));) {
        struct stat is;
        kane_cache_entry *e = &entries[count];
        if (!has_ending(d->d_name) || fstatat(dirfd(open), d->d_name, &is, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(is.st_mode))
            continue;
        (void)snprintf(e->name, sizeof e->name, "%.*s", (int)sizeof e->name - 1, d->d_name);
        e->size = (size_t)is.st_size;
        e->used = (double)is.st_mtim.tv_sec + 1e-9 * (double)is.st_mtim.tv_nsec;
        count++;
    }
    if (open)
        (void)closedir(open);
    qsort(entries, (size_t)count, sizeof *entries, by_use);
    return count;
}

int kane_cache_limit(const char *folder, size_t most, size_t *freed)
{
    kane_cache_entry *entries = kane_allocate(KANE_CACHE_ENTRIES, sizeof *entries);
    const int count           = entries ? kane_cache_list(folder, entries) : 0;
    size_t kept = 0, gone = 0;
    int removed = 0;
    (void)kane_replacements_clean(folder); // of writers that were killed
    for (int i = 0; i < count; i++) {
        char name[KANE_CACHE_PATH + sizeof entries->name];
        kept += entries[i].size;
        if (kept <= most && i < KANE_CACHE_ENTRIES / 2)
            continue;
        (void)snprintf(name, sizeof name, "%s/%s", folder, entries[i].name);
        if (unlink(name) == 0) {
            removed++;
            gone += entries[i].size;
        }
    }
    kane_release(entries);
    if (freed)
        *freed = gone;
    return removed;
}

void kane_cache_write(const char *folder, const void *key, size_t key_size, const void *bytes, size_t size)
{
    char name[KANE_CACHE_PATH], hash[KANE_HASH_SIZE];
    const uint64_t length = key_size;
    kane_errors unheard   = {.limit = 1}; // without a cache all works as well
    kane_replacement r;
    if (name_file(folder, key, key_size, name) && kane_directory_make(folder, &unheard) == KANE_OK &&
        kane_replacement_open(&r, name, &unheard) == KANE_OK) {
        kane_hash_bytes(bytes, size, hash);
        (void)fprintf(r.file, "%s%s\n", magic, hash);
        (void)fwrite(&length, sizeof length, 1, r.file);
        (void)fwrite(key, 1, key_size, r.file);
        (void)fwrite(bytes, 1, size, r.file);
        (void)kane_replacement_close(&r, &unheard);
        (void)kane_cache_limit(folder, KANE_CACHE_MOST, NULL);
    }
    kane_errors_free(&unheard);
}
