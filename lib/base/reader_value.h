// SPDX-License-Identifier: MIT
// Single values of a key: numbers, texts, choices, and lists of them.

#ifndef KANE_BASE_READER_VALUE_H
#define KANE_BASE_READER_VALUE_H

#include "base/reader.h"

// Reads a value of any kind but objects, lists and maps of objects and variants into the member at `member`.
void kane_reader_value(kane_reader *reader, const kane_key *key, const kane_node *node, void *member);

// Nothing that is measured in SI units is larger, and products of such numbers are still finite.
#define KANE_READER_LARGEST 1e60

#endif
