// SPDX-License-Identifier: MIT
// Bodies that rest on each other.

#include "model/statics_groups.h"

typedef struct finder {
    const kane_statics *statics;
    int *leader;   // of every body: one of its group; itself at the root
    int *group;    // of every body
    int *row_body; // a body of every constraint row, -1: none
} finder;

static int leader_of(int *leader, int body)
{
    while (leader[body] != body) {
        leader[body] = leader[leader[body]];
        body         = leader[body];
    }
    return body;
}

// The smaller index leads, so that groups count in the order of their first bodies.
static void join(int *leader, int a, int b)
{
    const int i = leader_of(leader, a), k = leader_of(leader, b);
    leader[i > k ? i : k] = i < k ? i : k;
}

// The bodies that a constraint holds, through its efforts. Returns one of them, -1: none.
static int join_closure(finder *f, int closure)
{
    const kane_statics *s   = f->statics;
    const kane_model *model = s->compiler->model;
    const kane_closure *c   = &model->closures[closure];
    int first               = -1;
    for (int i = 0; i < c->side_count + c->term_count; i++) {
        const int link = i < c->side_count ? c->side[i].link : c->term[i - c->side_count].link;
        if (link < 0)
            continue;
        const int body = model->link_body[link];
        first          = first < 0 ? body : first;
        join(f->leader, first, body);
    }
    return first;
}

static void connect(finder *f)
{
    const kane_model *model = f->statics->compiler->model;
    const kane_hinge *hinge = f->statics->compiler->hinges;
    int row                 = 0;
    for (int j = 0; j < model->body_count; j++)
        f->leader[j] = j;
    for (int i = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (hinge[j].parent >= 0)
            join(f->leader, j, hinge[j].parent);
    }
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        if (element->solved && element->a.body >= 0 && element->b.body >= 0)
            join(f->leader, element->a.body, element->b.body);
    }
    for (int k = 0; k < model->closure_count; k++) {
        const int body = join_closure(f, k);
        for (int i = 0; i < model->closures[k].row_count; i++)
            f->row_body[row++] = body;
    }
}

// Index of the group of each of `count` things, whose bodies `body` gives (-1: left out), sorted into lists.
typedef struct sorting {
    const int *group; // of bodies
    int groups;
    kane_arena *arena;
} sorting;

// lists[g] gets the things of group g, counts[g] how many. 0 where memory is short.
static int sort(const sorting *s, int count, const int *body, int **lists, int *counts)
{
    int *all = kane_arena_alloc(s->arena, (size_t)count, sizeof *all);
    if (!all)
        return 0;
    for (int g = 0; g < s->groups; g++)
        counts[g] = 0;
    for (int i = 0; i < count; i++)
        if (body[i] >= 0)
            counts[s->group[body[i]]]++;
    for (int g = 0; g < s->groups; g++) {
        lists[g] = all;
        all += counts[g];
        counts[g] = 0;
    }
    for (int i = 0; i < count; i++)
        if (body[i] >= 0)
            lists[s->group[body[i]]][counts[s->group[body[i]]]++] = i;
    return 1;
}

// A body of every element that is solved for, -1 of the others; and every body itself.
static void find_bodies(const kane_model *model, int *of_elements, int *of_bodies)
{
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        const int body              = element->a.body >= 0 ? element->a.body : element->b.body;
        of_elements[e]              = element->solved ? body : -1;
    }
    for (int j = 0; j < model->body_count; j++)
        of_bodies[j] = j;
}

// Numbers the groups in the order of their first bodies; returns how many there are.
static int number(finder *f, int body_count)
{
    int count = 0;
    for (int j = 0; j < body_count; j++) {
        const int leader = leader_of(f->leader, j);
        f->group[j]      = leader == j ? count++ : f->group[leader];
    }
    return count;
}

enum { LISTS = 4 };

int kane_statics_groups(const kane_statics *s, kane_rest_groups *groups)
{
    const kane_model *model = s->compiler->model;
    kane_arena *arena       = model->arena;
    const size_t bodies     = (size_t)model->body_count;
    finder f                = {.statics = s};
    f.leader                = kane_arena_alloc(arena, bodies, sizeof *f.leader);
    f.group                 = kane_arena_alloc(arena, bodies, sizeof *f.group);
    f.row_body              = kane_arena_alloc(arena, (size_t)s->row_count, sizeof *f.row_body);
    int *of_elements        = kane_arena_alloc(arena, (size_t)model->element_count, sizeof *of_elements);
    int *of_bodies          = kane_arena_alloc(arena, bodies, sizeof *of_bodies);
    if (!f.leader || !f.group || !f.row_body || !of_elements || !of_bodies)
        return 0;
    connect(&f);
    find_bodies(model, of_elements, of_bodies);
    groups->count          = number(&f, model->body_count);
    const sorting by_group = {f.group, groups->count, arena};
    const size_t count     = (size_t)groups->count;
    groups->groups         = kane_arena_alloc(arena, count, sizeof *groups->groups);
    int **lists            = kane_arena_alloc(arena, LISTS * count, sizeof *lists);
    int *counts            = kane_arena_alloc(arena, LISTS * count, sizeof *counts);
    if (!groups->groups || !lists || !counts || !sort(&by_group, model->body_count, of_bodies, lists, counts) ||
        !sort(&by_group, model->tree.link_count, model->link_body, lists + count, counts + count) ||
        !sort(&by_group, model->element_count, of_elements, lists + 2 * count, counts + 2 * count) ||
        !sort(&by_group, s->row_count, f.row_body, lists + 3 * count, counts + 3 * count))
        return 0;
    for (size_t g = 0; g < count; g++)
        groups->groups[g] = (kane_rest_group){.bodies        = lists[g],
                                              .links         = lists[count + g],
                                              .elements      = lists[2 * count + g],
                                              .rows          = lists[3 * count + g],
                                              .body_count    = counts[g],
                                              .link_count    = counts[count + g],
                                              .element_count = counts[2 * count + g],
                                              .row_count     = counts[3 * count + g]};
    return 1;
}
