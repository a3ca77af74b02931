// SPDX-License-Identifier: MIT
// The cases of an omission study, and the pictures of them.

#ifndef KANE_STUDY_OMISSION_DRAW_H
#define KANE_STUDY_OMISSION_DRAW_H

#include <kane/study.h>

#include "study/series.h"

typedef struct kane_omission_cases {
    const kane_omission_study *study;
    int pattern_count;
    const char *const *patterns; // of recorded channels
    int response_count;
    const char *const *responses;
    kane_series **series; // 2 i: complete at acceleration i, 2 i + 1: omitting
    kane_errors *errors;  // likewise
} kane_omission_cases;

// omitted.svg and .png: the omitted terms of the complete model; one picture for each response, complete and omitting.
kane_status kane_omission_draw(const kane_omission_cases *cases, kane_errors *errors);

#endif
