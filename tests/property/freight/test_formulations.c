// SPDX-License-Identifier: MIT
// Freight wagons whose friction sticks and slips run the same in moving and in fixed frames.

#include "property/freight/freight.h"

#define COURSE TIGHT, "until.distance=105"

// Largest differences between two runs, looked at four times a second.
typedef struct difference {
    double place, layer, Q; // of coordinates [m], [rad]; of what friction layers have given way [m]; of wheel loads [N]
    double slip;            // largest friction state: some must slip, or nothing is shown
} difference;

static void look(wagon *a, wagon *b, difference *d)
{
    double qa[FREIGHT_COORDINATES_MOST], qb[FREIGHT_COORDINATES_MOST];
    freight_coordinates(a, qa);
    freight_coordinates(b, qb);
    d->slip = fmax(d->slip, freight_stuck(a));
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        const int wheelset = freight_is_wheelset(a->model, j);
        for (int c = 0; c < (wheelset ? 5 : 6); c++) // spin aside
            d->place = fmax(d->place, fabs(qb[6 * j + c] - qa[6 * j + c]));
        for (int side = 0; side < 2 && wheelset; side++)
            d->Q = fmax(d->Q, fabs(wagon_Q(b, j, (kane_side)side) - wagon_Q(a, j, (kane_side)side)));
    }
    for (int e = 0; e < a->model->element_count; e++) {
        const kane_element *in_a = &a->model->elements[e], *in_b = &b->model->elements[e];
        for (int i = 0; i < in_a->state_count; i++)
            d->layer = fmax(d->layer, fabs(kane_simulation_state(b->simulation)[in_b->state + i] -
                                           kane_simulation_state(a->simulation)[in_a->state + i]) /
                                          in_a->states[i].size);
    }
}

static void check_alike(const char *run, const char *variant)
{
    difference d         = {0};
    CHECK_FREED(wagon) a = wagon_open_with(run, COURSE, variant),
                       b = wagon_with(run, COURSE, "formulation=fixed", variant);
    wagon_start(&b);
    for (int i = 1; wagon_go(&a, 0.25 * i) && wagon_go(&b, 0.25 * i); i++)
        look(&a, &b, &d);
    print_message("%s %s: %.1e m, rad; %.1e m of the layers; %.2g N; largest state %.3f\n", run, variant ? variant : "",
                  d.place, d.layer, d.Q, d.slip);
    assert_true(kane_simulation_time(a.simulation) > 6.7);
    assert_true(d.slip > 0.9);
    check_below(d.place, 1e-7);
    check_below(d.layer, 1e-7);
    check_below(d.Q, 1.0);
}

CHECK_TEST(the_link_wagon_runs_the_same_in_both)
{
    check_alike("link-wagon-transition", NULL);
}

CHECK_TEST(the_bogie_wagon_runs_the_same_in_both)
{
    check_alike("bogie-wagon-transition", NULL);
    check_alike("bogie-wagon-transition", "variant=tare");
}

CHECK_MAIN(NULL, NULL)
