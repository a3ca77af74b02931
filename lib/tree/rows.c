// SPDX-License-Identifier: MIT
// Constraints as rows: their values.

#include "tree/rows.h"

#include "tree/rows_kinds.h"

void kane_constraint_row_set_count(kane_constraint_row_set *closure)
{
    static const struct {
        int rows, positions, sides;
    } counts[KANE_CONSTRAINT_KINDS] = {
        [KANE_CONSTRAINT_LINEAR] = {1, 1, 0},      [KANE_CONSTRAINT_FUNCTION] = {1, 1, 0},
        [KANE_CONSTRAINT_SPHERICAL] = {3, 3, 2},   [KANE_CONSTRAINT_REVOLUTE] = {5, 5, 2},
        [KANE_CONSTRAINT_CYLINDRICAL] = {4, 4, 2}, [KANE_CONSTRAINT_PRISMATIC] = {5, 5, 2},
        [KANE_CONSTRAINT_UNIVERSAL] = {4, 4, 2},   [KANE_CONSTRAINT_PLANAR] = {3, 3, 2},
        [KANE_CONSTRAINT_WELD] = {6, 6, 2},        [KANE_CONSTRAINT_DISTANCE] = {1, 1, 2},
        [KANE_CONSTRAINT_CURVE] = {2, 2, 2},       [KANE_CONSTRAINT_RATES] = {1, 0, 0},
        [KANE_CONSTRAINT_KNIFE] = {1, 0, 2},       [KANE_CONSTRAINT_ROLLING] = {3, 1, 2},
        [KANE_CONSTRAINT_ROD] = {1, 1, 2},
    };
    const kane_rows_kind *own = closure->own;
    if (closure->kind == KANE_CONSTRAINT_USER) {
        closure->row_count      = own->positions + own->rates;
        closure->position_count = own->positions;
        return;
    }
    closure->side_count     = counts[closure->kind].sides;
    const int along         = closure->along != NULL;
    closure->row_count      = counts[closure->kind].rows + along;
    closure->position_count = counts[closure->kind].positions + along;
}

int kane_constraint_row_set_is_rheonomic(const kane_constraint_row_set *closure)
{
    int given = closure->own || closure->length_given || closure->offset_given || closure->along || closure->motion;
    for (int k = 0; k < closure->term_count; k++)
        given = given || closure->factor_given[k];
    return given;
}

// --- rods with mass ---

// Values of the forces on both sides.
static void put_loads(const rows_load found[2], kane_wrench load[2])
{
    for (int i = 0; i < 2; i++)
        load[i] = (kane_wrench){ks3_value(found[i].force), ks3_value(found[i].torque)};
}

// Force and torque of each term (rows_kinds.h).
void kane_rod_imaginary(const kane_eval_context *e, const kane_constraint_row_set *closure, kane_imaginary *out)
{
    const row_scene s = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases};
    rod_scene r;
    kane_scalar3 X[2][KANE_IMAGINARY_TERMS], force, torque;
    rod_see(&s, closure, NULL, &r);
    rod_imagine(&s, closure, &r, X, NULL);
    for (int t = 0; t < KANE_IMAGINARY_TERMS; t++) {
        rod_term(&r, X[0][t], rod_turn(&r, r.R_21, X[1][t]), &force, &torque);
        out->term[KANE_FORCE][t]  = ks3_value(force);
        out->term[KANE_TORQUE][t] = ks3_value(torque);
    }
}

// Wrenches on both sides of the omitted parts of all terms.
void kane_rod_omitted(const kane_eval_context *e, const kane_constraint_row_set *closure, kane_wrench load[2])
{
    const row_scene s = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases};
    rod_scene r;
    rows_load found[2];
    kane_scalar3 X[2][KANE_IMAGINARY_TERMS];
    rod_see(&s, closure, NULL, &r);
    rod_imagine(&s, closure, &r, X, NULL);
    rod_clear(found);
    rod_omit(&r, 1.0, X, found);
    put_loads(found, load);
}

// With a = a_o + epsilon x r of each frame:  F_1 = -m_11 a_1 - m_12 a_2  (and 1, 2 exchanged), without omitted parts.
void kane_rod_gain(const kane_eval_context *e, const kane_constraint_row_set *closure, const kane_wrench gain[2],
                   kane_wrench load[2])
{
    const row_scene s = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases};
    rod_scene r;
    rows_load found[2];
    kane_scalar3 X[2][KANE_IMAGINARY_TERMS], a[2];
    rod_see(&s, closure, NULL, &r);
    for (int i = 0; i < 2; i++) {
        const kane_transport T = {.a_o = gain[i].force, .epsilon = gain[i].torque};
        rod_frame(&T, &e->bases[closure->side[i].frame], &r.end[i], X[i]);
        a[i] = ks3_add(X[i][KANE_TRANSLATION], X[i][KANE_ROTATION]);
    }
    rod_clear(found);
    rod_resist(&r, a, found);
    if (closure->rod.imaginary_as_forces)
        rod_omit(&r, -1.0, X, found);
    put_loads(found, load);
}

// Terms of a jump at each end, position p, velocity v relative to the frame (docs/theory.md, section 5):
//   impulse       translation [v_o],  rotation [omega] x p - turn x v,  gyroscopic 2 turn x v
//   displacement  rotation turn x p
// A side that keeps its absolute motion has only the omitted parts.
void kane_rod_apply_impulse(const kane_eval_context *e, const kane_constraint_row_set *closure,
                            const kane_rod_jump jump[2], kane_wrench load[2])
{
    const row_scene s       = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases};
    const kane_scalar3 none = ks3_constant(kv3_zero());
    rod_scene r;
    rows_load found[2];
    kane_scalar3 X[2][KANE_IMAGINARY_TERMS], a[2];
    rod_see(&s, closure, NULL, &r);
    for (int i = 0; i < 2; i++) {
        const kane_rod_jump *j  = &jump[i];
        const kane_scalar3 turn = ks3_constant(j->turn);
        const kane_scalar3 over = ks3_cross(turn, rod_velocity(&e->bases[closure->side[i].frame], &r.end[i]));
        X[i][KANE_CENTRIFUGAL]  = none;
        X[i][KANE_TRANSLATION]  = j->is_displacement ? none : ks3_constant(j->v_o);
        X[i][KANE_GYROSCOPIC]   = j->is_displacement ? none : ks3_by(2.0, over);
        X[i][KANE_ROTATION]     = j->is_displacement ? ks3_cross(turn, r.end[i].p)
                                                     : ks3_sub(ks3_cross(ks3_constant(j->omega), r.end[i].p), over);
        a[i]                    = none;
        for (int t = 0; t < KANE_IMAGINARY_TERMS && !j->is_carried; t++)
            a[i] = ks3_add(a[i], X[i][t]);
    }
    rod_clear(found);
    rod_resist(&r, a, found);
    rod_omit(&r, -1.0, X, found);
    put_loads(found, load);
}

// p of both ends; with separate imaginary terms the frame's parts X are added.
void kane_rod_ends(const kane_eval_context *e, const kane_constraint_row_set *closure, kane_vec3 end[2])
{
    const row_scene s = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases, .beyond = 1};
    rod_scene r;
    kane_scalar3 X[2][KANE_IMAGINARY_TERMS];
    rod_see(&s, closure, NULL, &r);
    kane_scalar3 a[2] = {r.end[0].a, r.end[1].a};
    if (closure->rod.imaginary_as_forces)
        rod_imagine(&s, closure, &r, X, a);
    for (int i = 0; i < 2; i++)
        end[i] = ks3_value(a[i]);
}

// With D = known - assumed acceleration:  F_i += -m_ii D_i - m_12 D_other  (docs/mechanisms.md, section 4: `all`;
// `partition` only m_12)
void kane_rod_set_extrapolated(const kane_constraint_row_set *closure, const kane_tree_work *work,
                               const kane_transport *frames, kane_rod_inertia inertia, const kane_vec3 known[2],
                               const kane_vec3 end[2], kane_wrench load[2])
{
    const int all       = inertia == KANE_RODS_ALL;
    const double own[2] = {all ? closure->rod.first : 0.0, all ? closure->rod.second : 0.0};
    const int is_apart  = closure->side[0].frame != closure->side[1].frame;
    kane_vec3 D[2];
    for (int i = 0; i < 2; i++)
        D[i] = closure->side[i].link >= 0 ? kv3_sub(known[i], end[i]) : kv3_zero();
    for (int i = 0; i < 2; i++) {
        const kane_side_marker *side = &closure->side[i], *other = &closure->side[1 - i];
        kane_vec3 across = D[1 - i];
        if (side->link < 0)
            continue;
        if (is_apart)
            across = km3_tmulv(frames[side->frame].R, km3_mulv(frames[other->frame].R, across));
        const kane_vec3 force = kv3_add(kv3_scale(-own[i], D[i]), kv3_scale(-closure->rod.shared, across));
        const kane_vec3 arm   = km3_mulv(work->link[side->link].R, side->point);
        load[i]               = kw_add(load[i], (kane_wrench){force, kv3_cross(arm, force)});
    }
}

// --- all rows ---

static void store_direction(const rows *found, int i, kane_constraint_rows_values *out)
{
    out->direction[i].row           = found->direction[i].row;
    out->direction[i].link          = found->direction[i].link;
    out->direction[i].wrench.force  = ks3_value(found->direction[i].force);
    out->direction[i].wrench.torque = ks3_value(found->direction[i].torque);
}

static void store_frame_direction(const rows *found, int i, kane_constraint_rows_values *out)
{
    out->frame_direction[i].row    = found->frame_direction[i].row;
    out->frame_direction[i].frame  = found->frame_direction[i].frame;
    out->frame_direction[i].wrench = (kane_wrench){found->frame_direction[i].force, found->frame_direction[i].torque};
}

static void put_rod_values(const rows *found, kane_constraint_rows_values *out)
{
    put_loads(found->load, out->load);
    for (int i = 0; i < 2; i++) {
        out->along[i] = found->along[i];
        out->end[i]   = found->end[i];
    }
}

// All numbers of the rows, without changes.
static void put_values(const kane_constraint_row_set *closure, const rows *found, kane_constraint_rows_values *out)
{
    for (int i = 0; i < closure->row_count; i++) {
        out->value[i]        = found->value[i].v;
        out->rate[i]         = found->rate[i].v;
        out->acceleration[i] = found->acceleration[i].v;
    }
    out->direction_count = found->direction_count;
    for (int i = 0; i < found->direction_count; i++)
        store_direction(found, i, out);
    out->frame_direction_count = found->frame_direction_count;
    for (int i = 0; i < found->frame_direction_count; i++)
        store_frame_direction(found, i, out);
    out->entry_count = found->entry_count;
    for (int i = 0; i < found->entry_count; i++)
        out->entry[i] = (kane_speed_entry){found->entry[i].row, found->entry[i].v, found->entry[i].value.v};
    if (closure->rod.mass > 0.0)
        put_rod_values(found, out);
}

// --- parts of rows: each compiled without what belongs to the others ---

// A condition that the caller has checked, for the compiler.
#define ROWS_KNOW(condition)                                                                                           \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            __builtin_unreachable();                                                                                   \
    } while (0)

// Between two links of one frame, by markers fixed on them, not on axle boxes: most constraints.
static int is_plain(const kane_constraint_row_set *c)
{
    return c->side_count == 2 && c->term_count == 0 && c->kind != KANE_CONSTRAINT_USER && !c->motion &&
           c->side[0].link >= 0 && c->side[1].link >= 0 && c->side[0].frame == c->side[1].frame && !c->side[0].on_box &&
           !c->side[1].on_box;
}

static inline int is_length(const kane_constraint_row_set *c)
{
    return c->kind == KANE_CONSTRAINT_DISTANCE || c->kind == KANE_CONSTRAINT_ROD;
}

// Row of a distance or rod of a plain constraint.
static inline void find_length(const row_scene *s, const kane_constraint_row_set *c, rows *found)
{
    ROWS_KNOW(c->side[0].link >= 0 && c->side[1].link >= 0 && c->side[0].frame == c->side[1].frame && !c->motion);
    ROWS_KNOW(!c->side[0].on_box);
    ROWS_KNOW(!c->side[1].on_box);
    found->direction_count = found->frame_direction_count = found->entry_count = 0;
    put_rod(s, c, found);
}

// Rows of other kinds of plain constraints.
static inline void find_pair(const row_scene *s, const kane_constraint_row_set *c, rows *found)
{
    ROWS_KNOW(c->side[0].link >= 0 && c->side[1].link >= 0 && c->side[0].frame == c->side[1].frame && !c->motion);
    ROWS_KNOW(!c->side[0].on_box);
    ROWS_KNOW(!c->side[1].on_box);
    ROWS_KNOW(c->kind != KANE_CONSTRAINT_DISTANCE && c->kind != KANE_CONSTRAINT_ROD);
    marker_pair meet;
    found->direction_count = found->frame_direction_count = found->entry_count = 0;
    marker_pair_see(s, &c->side[0], &c->side[1], NULL, SEE_ALL, &meet);
    put_closure(s, found, c, &meet);
}

static inline void store_values(const rows *found, int count, kane_constraint_rows_values *out)
{
    for (int i = 0; i < count; i++)
        out->value[i] = found->value[i].v;
}

static inline void store_directions(const rows *found, int count, kane_constraint_rows_values *out)
{
    out->direction_count       = count;
    out->frame_direction_count = out->entry_count = 0;
    for (int i = 0; i < count; i++)
        store_direction(found, i, out);
}

static inline void store_motion(const rows *found, int count, kane_constraint_rows_values *out)
{
    for (int i = 0; i < count; i++) {
        out->rate[i]         = found->rate[i].v;
        out->acceleration[i] = found->acceleration[i].v;
    }
}

__attribute__((flatten)) static void length_value(const row_scene *s, const kane_constraint_row_set *c,
                                                  kane_constraint_rows_values *out)
{
    rows found;
    find_length(s, c, &found);
    store_values(&found, 1, out);
}

__attribute__((flatten)) static void length_directions(const row_scene *s, const kane_constraint_row_set *c,
                                                       kane_constraint_rows_values *out)
{
    rows found;
    find_length(s, c, &found);
    store_values(&found, 1, out);
    store_directions(&found, 2, out);
}

__attribute__((flatten)) static void length_motion(const row_scene *s, const kane_constraint_row_set *c,
                                                   kane_constraint_rows_values *out)
{
    rows found;
    find_length(s, c, &found);
    store_motion(&found, 1, out);
    if (c->rod.mass > 0.0)
        put_rod_values(&found, out);
}

__attribute__((flatten)) static void pair_directions(const row_scene *s, const kane_constraint_row_set *c,
                                                     kane_constraint_rows_values *out)
{
    rows found;
    find_pair(s, c, &found);
    store_values(&found, c->row_count, out);
    store_directions(&found, found.direction_count, out);
}

__attribute__((flatten)) static void pair_motion(const row_scene *s, const kane_constraint_row_set *c,
                                                 kane_constraint_rows_values *out)
{
    rows found;
    find_pair(s, c, &found);
    store_motion(&found, c->row_count, out);
}

// Not inlined: only user-defined rows need so much of the stack.
__attribute__((noinline)) static void find_own(const row_scene *s, const kane_constraint_row_set *closure, rows *found)
{
    own_room room;
    rows_find(s, closure, &room, found);
}

void kane_constraint_row_set_eval(const kane_eval_context *e, const kane_constraint_row_set *closure, int beyond,
                                  kane_constraint_rows_values *out)
{
    const row_scene s = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases, .beyond = beyond};
    rows found;
    if (closure->kind == KANE_CONSTRAINT_USER)
        find_own(&s, closure, &found);
    else
        rows_find(&s, closure, NULL, &found);
    put_values(closure, &found, out);
}

// Plain constraints: only the part that is needed; others: all of it.
void kane_constraint_row_set_eval_part(const kane_eval_context *e, const kane_constraint_row_set *closure,
                                       kane_rows_part part, kane_constraint_rows_values *out)
{
    const row_scene s = {.tree = e->tree, .work = e->work, .frames = e->frames, .bases = e->bases};
    if (!is_plain(closure)) {
        kane_constraint_row_set_eval(e, closure, 0, out);
        return;
    }
    if (is_length(closure))
        (part == KANE_ROWS_VALUES   ? length_value
         : part == KANE_ROWS_MOTION ? length_motion
                                    : length_directions)(&s, closure, out);
    else
        (part == KANE_ROWS_MOTION ? pair_motion : pair_directions)(&s, closure, out);
}
