// SPDX-License-Identifier: MIT
// Which run rows are of. A run has a key, which no other has; it stands in its manifest ("key") and with its rows: in a CSV
// file as its first line, "# run 0123456789abcdef", in an HDF5 file as the attribute "key".

#ifndef KANE_RESULTS_ORIGIN_H
#define KANE_RESULTS_ORIGIN_H

#include <kane/results.h>

#include "base/node.h"

enum { KANE_KEY_LENGTH = 16, KANE_KEY_SIZE = KANE_KEY_LENGTH + 1 };

// The key in a manifest; "" if it has none, or is no JSON object. KANE_NO_MEMORY with an error.
kane_status kane_origin_key(const char *manifest, char key[KANE_KEY_SIZE], kane_errors *errors);

int kane_origin_is_key(const char *text, size_t length);

// Finds the manifest of results that have been read, in the file or beside it, and checks that both are of one run. Rows that are
// a run's, by their key or because they are a directory's, must have one. KANE_BAD_INPUT with an error if they have not.
kane_status kane_origin_tie(kane_results *results, int of_directory, kane_errors *errors);

// A file of a run is a file: a link in its place may lead to another run's. KANE_BAD_INPUT with an error if it is one.
kane_status kane_origin_check_link(const char *file, kane_errors *errors);

// What has become of the run, if it did not come to its end; 0: nothing is to be said. manifest: root of its JSON.
int kane_origin_tell(const kane_node *manifest, size_t size, char *text);

#endif
