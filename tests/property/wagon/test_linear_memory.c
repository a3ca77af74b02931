// SPDX-License-Identifier: MIT
// Nothing is lost where memory runs out while modes are found and followed, and it is said.

#include "allocation.h"

#include "property/wagon/wagon.h"

typedef struct resting {
    const kane_model *model;
    kane_work *work;
    const double *y;
    kane_modes_kind kind;
} resting;

static kane_modes *find_modes(double value, void *data, kane_errors *errors)
{
    const resting *r                 = data;
    CHECK_OWNED(kane_linear) *linear = kane_linear_create(r->model, r->work, 0.0, r->y, errors);
    kane_modes *modes                = linear ? kane_modes_create(linear, r->kind, errors) : NULL;
    (void)value;
    return modes;
}

static void check(const char *const *settings, kane_modes_kind kind)
{
    static const double values[] = {1.0, 2.0, 3.0};
    CHECK_ERRORS errors          = {0};
    CHECK_FREED(wagon) w         = wagon_open("wagon-transition", settings);
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, &errors);
    resting r                    = {w.model, work, kane_simulation_state(w.simulation), kind};
    kane_work_locate(r.model, work, 0.0, r.y);
    const kane_locus_study study = {.count = 3, .values = values, .modes = find_modes, .data = &r, .highest = 30.0};
    int k = 1, named = 0;
    for (;; k++) {
        CHECK_ERRORS why = {0};
        allocation_fail_at(k);
        kane_locus *locus = kane_locus_create(&study, &why);
        const int failed  = allocation_stop();
        assert_int_equal(locus != NULL, why.count == 0);
        named += failed && !locus;
        assert_true(locus || failed); // sorting can do without
        kane_locus_free(locus);
        if (!failed)
            break;
    }
    assert_true(named > 50);
}

CHECK_TEST(modes_that_lack_memory_say_so)
{
    static const char *const elastic[]    = {NULL};
    static const char *const constraint[] = {"vehicle.patterns.wheelset.contact.model=constraint", NULL};
    if (dlsym(RTLD_DEFAULT, "openblas_get_config"))
        check_skip(
            "OpenBLAS is LAPACK here, which does not look whether it was given memory (dgemm for small matrices)");
    check(elastic, KANE_MODES_COMPLETE);
    check(constraint, KANE_MODES_COMPLETE);
    check(elastic, KANE_MODES_UNDAMPED);
}

CHECK_MAIN(NULL, NULL)
