// SPDX-License-Identifier: MIT
// kane study rods: what do approximations of the inertia of removed rods cost, and what do they save?

#include "launch.h"

typedef struct arguments {
    plan_options plan;
    app_numbers steps, factors;
    double time;
    int keep;
} arguments;

static const app_option options[] = {
    {"steps", 'H', "H,H,...", APP_LIST, "lengths of the steps (default 1e-4,2e-4,5e-4,1e-3 s)",
     APP_NUMBERS(steps, "s")},
    {"factors", 'f', "F,F,...", APP_LIST, "masses of all rods, as multiples of their own (default 0,0.5,1,2,3)",
     APP_NUMBERS(factors, "1")},
    {"time", 't', "TIME", 0, "how long (default: as the run says)", APP_POSITIVE(time, "time", "s")},
    {"keep", 'k', NULL, 0, "carry out every case once more by each method, and keep the rows, for kane view",
     APP_FLAG(keep)},
    PLAN_DRY_RUN_OPTION('n'),
    {0},
};

int study_rods(int argc, char **argv)
{
    static const char *const texts[] = {"rods.txt", NULL};
    arguments a                      = {.time = 0.0};
    kane_errors errors               = {0};
    int complete                     = 0;
    plan_options_parse(
        options, (app_part){0}, NULL,
        "Integrates a run whose mechanism or vehicle has rods with mass by rk4, with their exact inertia and with each of its "
        "approximations: coupling or all of it extrapolated from earlier steps by a point, a line or a parabola. Compares the "
        "accelerations over steps and masses of the rods, and the processor time: tables, and pictures of the errors.",
        argc, argv, &a);
    const kane_rod_study study = {.file         = a.plan.file,
                                  .common       = &a.plan.common,
                                  .step_count   = a.steps.count,
                                  .steps        = a.steps.values,
                                  .factor_count = a.factors.count,
                                  .factors      = a.factors.values,
                                  .time         = a.time,
                                  .keep         = a.keep,
                                  .execution    = plan_options_begin(&a.plan)};
    const kane_status status   = kane_study_rods(&study, &complete, &errors);
    return (int)plan_options_end(&a.plan, status, complete, texts, "tables and pictures are", &errors);
}
