// SPDX-License-Identifier: MIT
// Of many processes that do the same, one speaks.

#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static FILE *said;     // NULL: this process speaks
static int error = -1; // what standard error was

static void exit_later(void)
{
    if (said)
        (void)nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

void app_hush(void)
{
    const app_launch launch = app_launch_read();
    if (launch.rank == 0 || !launch.can_talk || !freopen("/dev/null", "w", stdout))
        return;
    said  = tmpfile();
    error = dup(STDERR_FILENO);
    if (said && error >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0)
        (void)atexit(exit_later);
}

void app_hush_end(size_t size, char *text)
{
    text[0] = '\0';
    if (!said)
        return;
    (void)fseek(said, 0, SEEK_SET);
    size_t length = fread(text, 1, size - 1, said);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    (void)dup2(error, STDERR_FILENO);
    (void)close(error);
    (void)fclose(said);
    said = NULL;
}
