// SPDX-License-Identifier: MIT
// Runs whose files several processes share: workers of a study, ranks of an MPI job, shards that have the same directory.

#ifndef KANE_RUN_KEPT_H
#define KANE_RUN_KEPT_H

#include <kane/run.h>

// Carries out a run as kane_run_execute does and reads its rows back. The directory is claimed from before the first look at it until the
// rows are in memory, so that one process makes the files and no process reads half of them:
//   - while another process has the directory and goes on, this one waits; if the other one is killed, its claim ends and the run is made here
//   - a directory that holds the same run, whole, is read: the same manifest but for its key, ended without an error, with the same columns
//   - whatever else is there is replaced
// outcome->status is KANE_IN_USE, without an error and without rows, where the caller does better to carry it out in memory: after the
// wait for a process in which the same run has failed (it would fail here too, one worker after the other), or for one that has the
// directory but has stopped writing for a minute.
// NULL: there are no rows; outcome and errors say why.
kane_results *kane_run_keep(const kane_run_definition *run, const char *directory, kane_outcome *outcome,
                            kane_errors *errors);

#endif
