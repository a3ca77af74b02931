// SPDX-License-Identifier: MIT
// Rods with mass in an evaluation: extrapolated accelerations of their ends, and their forces on bodies.
//
// An evaluation may use extrapolated accelerations for a part of their inertia (kane_eval_rods; docs/mechanisms.md,
// section 4). These are absolute, along the axes of A: independent of frames and formulation, also while track frames
// turn.

#include "agem/bodies.h"

const char *const kane_rod_inertia_names[] = {"exact", "partition", "all", NULL};

// The next constraint that is a rod with mass, from `from` on; closure_count: none.
static int next_rod(const kane_model *model, int from)
{
    while (from < model->closure_count && !(model->closures[from].rod.mass > 0.0))
        from++;
    return from;
}

int kane_model_rod_count(const kane_model *model)
{
    int count = 0;
    for (int k = next_rod(model, 0); k < model->closure_count; k = next_rod(model, k + 1))
        count++;
    return count;
}

const char *kane_model_rod_name(const kane_model *model, int rod)
{
    int k = next_rod(model, 0);
    for (int left = rod; left > 0 && k < model->closure_count; left--)
        k = next_rod(model, k + 1);
    return k < model->closure_count ? model->closures[k].name : NULL;
}

// --- extrapolated accelerations ---

// Axes of the frame of a side to those of A.
static kane_mat3 axes_in_A(const kane_work *work, const kane_transport *world, const kane_side_marker *side)
{
    return km3_mul(world->R, work->transport[side->frame].R);
}

// p^ = R' a^ - g in the axes of each end's frame.
void kane_rods_set_extrapolated(const kane_model *model, kane_work *work, kane_rod_inertia inertia,
                                const kane_vec3 *ahead)
{
    const kane_transport world = kane_work_world(model, work);
    work->rod_inertia          = inertia;
    if (inertia == KANE_RODS_EXACT)
        return;
    for (int k = next_rod(model, 0); k < model->closure_count; k = next_rod(model, k + 1))
        for (int end = 0; end < 2; end++, ahead++) {
            const kane_side_marker *side = &model->closures[k].side[end];
            const kane_vec3 g            = km3_tmulv(work->transport[side->frame].R, work->gravity);
            work->rod_known[k][end]      = kv3_sub(km3_tmulv(axes_in_A(work, &world, side), *ahead), g);
        }
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        for (int i = 0; i < cluster->rod_count; i++)
            kane_cluster_set_extrapolated(work->cluster[c], inertia, i,
                                          work->rod_known[cluster->closures[cluster->rods[i]] - model->closures]);
    }
}

void kane_rods_clear_extrapolated(const kane_model *model, kane_work *work)
{
    for (int c = 0; c < model->cluster_count && work->rod_inertia != KANE_RODS_EXACT; c++)
        kane_cluster_set_extrapolated(work->cluster[c], KANE_RODS_EXACT, 0, NULL);
}

// a = R (p + g), along the axes of A.
void kane_get_rod_accelerations(const kane_model *model, const kane_work *work, kane_vec3 *ends)
{
    const kane_transport world = kane_work_world(model, work);
    for (int k = next_rod(model, 0); k < model->closure_count; k = next_rod(model, k + 1), ends += 2) {
        const kane_constraint_row_set *rod = &model->closures[k];
        kane_rod_ends(&work->context, rod, ends);
        for (int end = 0; end < 2; end++) {
            const kane_vec3 g = km3_tmulv(work->transport[rod->side[end].frame].R, work->gravity);
            ends[end]         = km3_mulv(axes_in_A(work, &world, &rod->side[end]), kv3_add(ends[end], g));
        }
    }
}

// --- forces of rods ---

// Values of a rod's rows with v_dot, and its loads with the rod inertia of the evaluation.
static void get_values(const kane_model *model, const kane_work *work, const kane_constraint_row_set *rod,
                       kane_constraint_rows_values *values)
{
    kane_constraint_row_set_eval(&work->context, rod, 1, values);
    if (work->rod_inertia != KANE_RODS_EXACT)
        kane_rod_set_extrapolated(rod, &work->tree, work->transport, work->rod_inertia,
                                  work->rod_known[rod - model->closures], values->end, values->load);
}

void kane_rod_get_load(const kane_model *model, const kane_work *work, const kane_constraint_row_set *rod,
                       kane_wrench load[2])
{
    kane_constraint_rows_values values;
    get_values(model, work, rod, &values);
    load[0] = values.load[0];
    load[1] = values.load[1];
}

void kane_rod_get_imaginary(const kane_model *model, const kane_work *work, const kane_constraint_row_set *rod,
                            kane_imaginary *terms)
{
    *terms = (kane_imaginary){0};
    if (model->formulation != KANE_FIXED)
        kane_rod_imaginary(&work->context, rod, terms);
}

// acting += load on both sides of every rod.
void kane_rods_apply(const kane_model *model, const kane_work *work, kane_wrench *acting)
{
    for (int k = next_rod(model, 0); k < model->closure_count; k = next_rod(model, k + 1)) {
        const kane_constraint_row_set *rod = &model->closures[k];
        kane_wrench load[2];
        kane_rod_get_load(model, work, rod, load);
        for (int i = 0; i < 2; i++)
            if (rod->side[i].link >= 0)
                acting[rod->side[i].link] = kw_add(acting[rod->side[i].link], load[i]);
    }
}

// lambda - along_1.F_1 on the first side, lambda + along_2.F_2 on the second, F_i the forces of the rod's mass; along:
// unit vector from the first to the second end. Positive in compression (docs/mechanisms.md, section 7).
void kane_get_rod_force(const kane_model *model, const kane_work *work, int constraint, double force[2])
{
    const kane_constraint_row_set *rod = &model->closures[constraint];
    double multiplier[KANE_ROWS_MOST];
    kane_constraint_rows_values values;
    (void)kane_get_constraint(model, work, constraint, multiplier);
    force[0] = force[1] = multiplier[0];
    if (!(rod->rod.mass > 0.0))
        return;
    get_values(model, work, rod, &values);
    force[0] -= kv3_dot(values.along[0], values.load[0].force);
    force[1] += kv3_dot(values.along[1], values.load[1].force);
}

kane_vec3 kane_get_rod_imaginary(const kane_model *model, const kane_work *work, int constraint, kane_wrench_kind kind,
                                 kane_imaginary_term term)
{
    kane_imaginary terms;
    kane_rod_get_imaginary(model, work, &model->closures[constraint], &terms);
    return terms.term[kind][term];
}
