// SPDX-License-Identifier: MIT
// Manifest and status of a run: what was computed with what, and what became of it.

#ifndef KANE_RUN_MANIFEST_H
#define KANE_RUN_MANIFEST_H

#include <kane/run.h>

#include <stdio.h>

// JSON: library and its version, the run's files with their hashes, formulation, omissions, integrator, and - outcome
// not NULL - statistics and end.
kane_status kane_manifest_write(FILE *file, const kane_run_definition *run, const kane_model *model,
                                const kane_outcome *outcome);

// The same as text in memory, NULL if that fails. To be freed by free().
char *kane_manifest_text(const kane_run_definition *run, const kane_model *model, const kane_outcome *outcome);

// status.json in a directory: "running", "done", "stopped", "failed", "interrupted", with what a script wants to know.
// Replaced in one step, so that nobody reads half of it. outcome NULL: running.
kane_status kane_status_write(const char *directory, const kane_outcome *outcome, const kane_errors *why,
                              kane_errors *errors);

#endif
