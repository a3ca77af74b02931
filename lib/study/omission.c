// SPDX-License-Identifier: MIT
// The omission study: a plan with a case for each term under each condition, and what is done when all have ended.

#include <kane/study.h>

#include "base/arena.h"
#include "study/omission_report.h"

#include <stdlib.h>

// Opens the plan and carries it out; *complete if all its cases have ended, and the report is filled then.
static kane_status carry_out(kane_omission_report *report, int *complete, kane_errors *errors)
{
    const kane_omission_setup *setup      = &report->setup;
    kane_omission_worker worker           = {.setup = setup, .condition = -1};
    char *content                         = kane_omission_content(setup, errors);
    const kane_plan_definition definition = {.content     = content,
                                             .case_count  = kane_omission_grid_size(&setup->grid) * setup->terms.count,
                                             .value_count = kane_omission_value_count(setup),
                                             .group       = setup->terms.count};
    kane_plan *plan = content ? kane_plan_open(&definition, &setup->study->execution, errors) : NULL;
    kane_status status =
        plan ? kane_plan_carry_out(plan, kane_omission_work, &worker, errors) : kane_errors_status(errors, 0);
    if (status == KANE_OK)
        status = kane_inputs_check(setup->inputs, errors);
    *complete = status == KANE_OK && kane_plan_is_complete(plan);
    if (*complete && !kane_omission_report_fill(report, plan)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        status = KANE_NO_MEMORY;
    }
    kane_plan_close(plan);
    kane_omission_worker_end(&worker);
    free(content);
    return status;
}

static kane_status write_down(const kane_omission_report *report, kane_errors *errors)
{
    kane_status status = kane_omission_write(report, errors);
    if (status == KANE_OK)
        status = kane_omission_write_json(report, errors);
    if (status == KANE_OK)
        status = kane_omission_draw_maps(report, errors);
    if (status == KANE_OK)
        status = kane_omission_draw_runs(report, errors);
    return status;
}

kane_status kane_study_omission(const kane_omission_study *study, kane_omission_report **report, kane_errors *errors)
{
    kane_errors nobody        = {0};
    kane_errors *kept         = errors ? errors : &nobody;
    kane_omission_report *own = kane_allocate(1, sizeof *own);
    kane_status status        = KANE_NO_MEMORY;
    int complete              = 0;
    if (!own)
        kane_errors_add(kept, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    else
        status = kane_omission_setup_open(&own->setup, study, kept) ? carry_out(own, &complete, kept)
                                                                    : kane_errors_status(kept, 0);
    if (status == KANE_OK && complete)
        status = write_down(own, kept);
    *report = status == KANE_OK && complete ? own : NULL;
    if (!*report)
        kane_omission_report_free(own);
    return status;
}

void kane_omission_report_free(kane_omission_report *report)
{
    if (report)
        kane_omission_setup_close(&report->setup);
    kane_release(report);
}
