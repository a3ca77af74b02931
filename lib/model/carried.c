// SPDX-License-Identifier: MIT
// Motion of the frames that move by joints against others, at a time: exact, by the same steps as that of links.

#include "model/model.h"

int kane_carried_create(const kane_model *model, kane_arena *arena, kane_carried *work)
{
    work->base = kane_arena_alloc(arena, (size_t)model->frame_count, sizeof *work->base);
    return kane_tree_work_create(&model->carried, arena, &work->tree) && work->base;
}

// R = R_root R_link, ... : a link's motion is in the axes of its root, a frame's in its own.
static kane_transport transport_of(const kane_link *link, const kane_link_state *s, const kane_transport *root)
{
    const kane_mat3 R = link->body_turned ? km3_mul(s->R, link->body_R) : s->R;
    return (kane_transport){.R       = km3_mul(root->R, R),
                            .r_o     = kv3_add(root->r_o, km3_mulv(root->R, s->r)),
                            .v_o     = km3_tmulv(R, s->v),
                            .a_o     = km3_tmulv(R, s->a),
                            .omega   = km3_tmulv(R, s->w),
                            .epsilon = km3_tmulv(R, s->al)};
}

void kane_carried_move(const kane_model *model, double t, kane_transport *frames, kane_carried *work)
{
    const kane_tree *tree = &model->carried;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_transport *T          = &frames[tree->links[i].frame];
        work->base[tree->links[i].frame] = (kane_base){T->v_o, T->omega, T->a_o, T->epsilon};
    }
    work->tree.t = t;
    kane_tree_move(tree, (kane_links){0, tree->link_count}, work->base, &work->tree);
    for (int i = 0; i < tree->link_count; i++)
        frames[model->carried_frame[i]] =
            transport_of(&tree->links[i], &work->tree.link[i], &frames[tree->links[i].frame]);
}
