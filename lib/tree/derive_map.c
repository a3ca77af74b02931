// SPDX-License-Identifier: MIT
// The pattern of the derivatives of a tree: groups, their directions, and the columns of their rows.

#include "tree/derive_group.h"

#include "tree/flex.h"

// --- order of links ---

// Depth-first numbers: enter, leave of every link, so that the links beyond a have enter in [enter_a, leave_a).
static int number_depth_first(kane_derive_map *map, kane_arena *arena)
{
    const kane_tree *tree = map->tree;
    const size_t n        = (size_t)tree->link_count;
    int *size             = kane_arena_alloc(arena, n + 1, sizeof *size);
    map->enter            = kane_arena_alloc(arena, n, sizeof *map->enter);
    map->leave            = kane_arena_alloc(arena, n, sizeof *map->leave);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = tree->link_count - 1; i >= 0; i--) {
        size[i] += 1;
        if (tree->links[i].parent >= 0)
            size[tree->links[i].parent] += size[i];
    }
    int next = 0;
    for (int i = 0; i < tree->link_count; i++) { // leave: so far where the next child begins
        const int parent = tree->links[i].parent;
        int *begin       = parent >= 0 ? &map->leave[parent] : &next;
        map->enter[i]    = *begin;
        map->leave[i]    = *begin + 1;
        *begin += size[i];
    }
    for (int i = 0; i < tree->link_count; i++)
        map->leave[i] = map->enter[i] + size[i];
    return 1;
}

// --- groups ---

// Whether a link starts a group: on the frame, or with six freedoms.
static int is_root(const kane_link *link)
{
    return link->parent < 0 || link->kind == KANE_LINK_BODY;
}

// group_of of all links; returns how many groups. Modes are in the group of their carrier.
static int count_groups(kane_derive_map *map)
{
    const kane_tree *tree = map->tree;
    int count             = 0;
    for (int i = 0; i < tree->link_count; i++)
        if (tree->links[i].role != KANE_FLEX_MODE)
            map->group_of[i] = is_root(&tree->links[i]) ? count++ : map->group_of[tree->links[i].parent];
    for (int i = 0; i < tree->link_count; i++)
        if (tree->links[i].role == KANE_FLEX_MODE)
            map->group_of[i] = map->group_of[tree->flexes[tree->links[i].flex].carrier];
    return count;
}

static int free_steps(const kane_link *link, int count)
{
    int n = 0;
    for (int k = 0; k < count; k++)
        n += link->step[k].mode == KANE_STEP_FREE;
    return n;
}

// Whether the rows of a link are those of a group. Idle points of deformable bodies are left out: no force acts on
// them; rows of modes follow from those of points.
static int is_of(const kane_derive_map *map, int i, int g)
{
    return map->group_of[i] == g && !map->tree->links[i].idle && map->tree->links[i].role != KANE_FLEX_MODE;
}

// Links, axes and rows.
static int list_links(kane_derive_map *map, int g, kane_arena *arena)
{
    const kane_tree *tree = map->tree;
    kane_group *group     = &map->groups[g];
    for (int i = 0; i < tree->link_count; i++) {
        group->link_count += is_of(map, i, g);
        group->row_count += is_of(map, i, g) ? tree->links[i].v_count : 0;
    }
    const size_t n    = (size_t)group->link_count;
    group->links      = kane_arena_alloc(arena, n, sizeof *group->links);
    group->up         = kane_arena_alloc(arena, n, sizeof *group->up);
    group->first_axis = kane_arena_alloc(arena, n + 1, sizeof *group->first_axis);
    group->rows       = kane_arena_alloc(arena, (size_t)group->row_count + 1, sizeof *group->rows);
    if (kane_arena_failed(arena))
        return 0;
    int place = 0, row = 0;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link = &tree->links[i];
        if (!is_of(map, i, g))
            continue;
        group->links[place]      = i;
        map->place_of[i]         = place;
        group->up[place]         = place ? map->place_of[link->parent] : -1;
        group->first_axis[place] = group->axis_count;
        group->axis_count += link->kind == KANE_LINK_BODY ? 0 : link->v_count;
        place++;
        for (int k = 0; k < link->v_count; k++)
            group->rows[row++] = link->v + k;
    }
    group->first_axis[place] = group->axis_count;
    group->root              = group->links[0];
    group->free              = tree->links[group->root].kind == KANE_LINK_BODY;
    group->is_free_body      = group->free && group->link_count == 1;
    group->uneven            = group->free && tree->links[group->root].uneven;
    return 1;
}

// --- directions ---

// A new direction; state -1: pose of the root.
static void add_name(kane_derive_map *map, kane_direction_kind kind, int link, int index, int state, int slot)
{
    if (state >= 0)
        map->direction_of[state] = map->direction_count;
    map->names[map->direction_count++] = (kane_direction_name){kind, link, index, state, slot};
}

// Twelve directions of a root with six freedoms, in the order of KANE_ROOT_SHIFTS .. KANE_ROOT_SPINS; then the spin
// angle of uneven inertia.
static void name_root(kane_derive_map *map, int i)
{
    const kane_link *link = &map->tree->links[i];
    const int u           = map->tree->q_count + link->v;
    for (int k = 0; k < 3; k++)
        add_name(map, KANE_DIRECTION_SHIFT, i, k, -1, -1);
    for (int k = 0; k < 3; k++)
        add_name(map, KANE_DIRECTION_VELOCITY, i, k, kane_link_holds(link, k) ? -1 : u + k, -1);
    for (int k = 0; k < 3; k++)
        add_name(map, KANE_DIRECTION_TURN, i, k, -1, -1);
    for (int k = 0; k < 3; k++)
        add_name(map, KANE_DIRECTION_SPIN, i, k, u + 3 + k, -1);
    if (link->uneven)
        add_name(map, KANE_DIRECTION_COORDINATE, i, kane_link_spin(link), link->q + kane_link_spin(link), -1);
}

// Coordinates and speeds of a joint; slot: of its outermost axis.
static void name_joint(kane_derive_map *map, int i, int slot)
{
    const kane_link *link = &map->tree->links[i];
    const int u           = map->tree->q_count;
    if (link->kind == KANE_LINK_BALL) {
        for (int k = 0; k < 4; k++)
            add_name(map, KANE_DIRECTION_COORDINATE, i, k, link->q + k, slot);
        for (int k = 0; k < 3; k++)
            add_name(map, KANE_DIRECTION_RATE, i, k, u + link->v + k, slot);
        return;
    }
    for (int k = 0; k < link->step_count; k++) {
        const int all  = link->uneven && k == kane_link_spin(link); // which acts behind all axes
        const int here = link->kind == KANE_LINK_FORMULA
                             ? slot
                             : slot + free_steps(link, k); // a formula's coordinates move all its axes
        if (link->step[k].mode != KANE_STEP_GIVEN)
            add_name(map, KANE_DIRECTION_COORDINATE, i, k, link->step[k].q, here + all);
        if (link->step[k].mode == KANE_STEP_FREE)
            add_name(map, KANE_DIRECTION_RATE, i, k, u + link->step[k].v, here);
    }
}

static void name_directions(kane_derive_map *map, kane_group *group)
{
    group->direction = map->direction_count;
    if (group->free)
        name_root(map, group->root);
    for (int place = group->free; place < group->link_count; place++)
        name_joint(map, group->links[place], group->first_axis[place] + place);
    group->direction_count = map->direction_count - group->direction;
}

// --- columns ---

// Groups on whose motion forces on its links depend, itself first.
static int list_reach(kane_derive_map *map, int g, kane_arena *arena)
{
    kane_group *group = &map->groups[g];
    for (int p = 0; p < map->pair_count; p++)
        group->pair_count += map->group_of[map->pairs[p].row] == g;
    group->pairs = kane_arena_alloc(arena, (size_t)group->pair_count + 1, sizeof *group->pairs);
    group->reach = kane_arena_alloc(arena, (size_t)group->pair_count + 1, sizeof *group->reach);
    if (kane_arena_failed(arena))
        return 0;
    group->reach[0]    = (kane_reach){.group = g};
    group->reach_count = 1;
    group->local_count = group->direction_count;
    for (int p = 0, n = 0; p < map->pair_count; p++) {
        const int other = map->group_of[map->pairs[p].column];
        int known       = 0;
        if (map->group_of[map->pairs[p].row] != g)
            continue;
        group->pairs[n++] = p;
        for (int k = 0; k < group->reach_count; k++)
            known |= group->reach[k].group == other;
        if (known)
            continue;
        group->reach[group->reach_count++] = (kane_reach){.group = other, .first = group->local_count};
        group->local_count += map->groups[other].direction_count;
    }
    group->direct = !group->free && group->reach_count == 1;
    return 1;
}

// Column of a state, a new one if it has none yet.
static int column_of(kane_group *group, int state, int *columns_of)
{
    if (columns_of[state] < 0) {
        columns_of[state]                   = group->column_count;
        group->columns[group->column_count] = state;
        group->column_count++;
    }
    return columns_of[state];
}

// Coordinates that move the pose of a free root: those of all links between it and the frame.
static int list_carried(kane_derive_map *map, kane_group *group, kane_arena *arena)
{
    const kane_link *links = map->tree->links;
    int most               = 0;
    for (int i = group->root; group->free && i >= 0; i = links[i].parent)
        most += links[i].q_count;
    group->carried = kane_arena_alloc(arena, (size_t)most, sizeof *group->carried);
    for (int i = group->root; group->free && group->carried && i >= 0; i = links[i].parent)
        for (int k = 0; k < links[i].q_count; k++)
            if (kane_link_moves_by(&links[i], k))
                group->carried[group->carried_count++] = links[i].q + k;
    group->carried_at = map->carried_count;
    map->carried_count += group->carried_count;
    return group->carried != NULL;
}

// Whether a direction of a reached group matters: it is its own, or moves a link on whose motion a force depends.
static int loads_reach(const kane_derive_map *map, const kane_group *group, int reach, const kane_direction_name *name)
{
    int reached = reach == 0;
    for (int k = 0; k < group->pair_count && !reached; k++)
        reached = kane_derive_above(map, name->link, map->pairs[group->pairs[k]].column);
    return reached;
}

// Columns: directions that are states, then coordinates of carriers.
static int list_columns(kane_derive_map *map, kane_group *group, int *columns_of, kane_arena *arena)
{
    const int states = map->tree->q_count + map->tree->v_count;
    int most         = group->local_count;
    for (int r = 0; r < group->reach_count; r++)
        most += map->groups[group->reach[r].group].carried_count;
    group->columns = kane_arena_alloc(arena, (size_t)most, sizeof *group->columns);
    group->copied  = kane_arena_alloc(arena, (size_t)most, sizeof *group->copied);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < states; i++)
        columns_of[i] = -1;
    for (int r = 0; r < group->reach_count; r++) {
        const kane_group *other = &map->groups[group->reach[r].group];
        for (int d = 0; d < other->direction_count; d++) {
            const kane_direction_name *name = &map->names[other->direction + d];
            const int state                 = name->state;
            if (state >= 0 && loads_reach(map, group, r, name))
                group->copied[column_of(group, state, columns_of)] = group->reach[r].first + d;
        }
    }
    group->copied_count = group->column_count;
    while (group->side_by_side < group->copied_count &&
           group->copied[group->side_by_side] == group->copied[0] + group->side_by_side)
        group->side_by_side++;
    for (int r = 0; r < group->reach_count; r++) {
        const kane_group *moved = &map->groups[group->reach[r].group];
        group->reach[r].column  = kane_arena_alloc(arena, (size_t)moved->carried_count, sizeof(int));
        for (int k = 0; k < moved->carried_count && group->reach[r].column; k++)
            group->reach[r].column[k] = column_of(group, moved->carried[k], columns_of);
    }
    group->at = map->value_count;
    map->value_count += (size_t)group->row_count * (size_t)group->column_count;
    return !kane_arena_failed(arena);
}

// --- the map ---

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static void find_largest_sizes(kane_derive_map *map)
{
    for (int g = 0; g < map->group_count; g++) {
        const kane_group *group = &map->groups[g];
        map->most_axes          = max_int(map->most_axes, group->axis_count);
        map->most_links         = max_int(map->most_links, group->link_count);
        map->most_locals        = max_int(map->most_locals, group->local_count);
        map->most_rows          = max_int(map->most_rows, group->row_count);
    }
}

static void list_states(kane_derive_map *map)
{
    const kane_tree *tree = map->tree;
    for (int i = 0; i < tree->q_count + tree->v_count; i++)
        map->direction_of[i] = -1;
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const kane_link *link = &tree->links[i];
        map->any_formula |= link->kind == KANE_LINK_FORMULA;
        map->carrier[i] |= link->kind == KANE_LINK_BODY;
        if (map->carrier[i] && link->parent >= 0)
            map->carrier[link->parent] = 1;
        for (int k = 0; k < link->q_count; k++)
            map->link_of[link->q + k] = i;
        for (int k = 0; k < link->v_count; k++)
            map->link_of[tree->q_count + link->v + k] = i;
    }
}

// Free bodies have closed-form rows, which need no directions of themselves or of each other.
static void seek_directions(kane_derive_map *map)
{
    const kane_link *links = map->tree->links;
    for (int g = 0; g < map->group_count; g++)
        map->groups[g].is_sought |= !links[map->groups[g].root].is_free_body;
    for (int g = 0; g < map->group_count; g++)
        for (int r = 0; r < map->groups[g].reach_count && !(map->groups[g].is_free_body && !map->groups[g].held); r++)
            map->groups[map->groups[g].reach[r].group].is_sought = 1;
}

static int fill_derive_map(kane_derive_map *map, const kane_links *trees, int tree_count, kane_arena *arena)
{
    const int states  = map->tree->q_count + map->tree->v_count;
    int *columns_of   = kane_arena_alloc(arena, (size_t)states + 1, sizeof *columns_of);
    map->direction_of = kane_arena_alloc(arena, (size_t)states + 1, sizeof *map->direction_of);
    map->link_of      = kane_arena_alloc(arena, (size_t)states + 1, sizeof *map->link_of);
    if (kane_arena_failed(arena) || !number_depth_first(map, arena))
        return 0;
    list_states(map);
    for (int g = 0; g < map->group_count; g++) {
        if (!list_links(map, g, arena) || !list_carried(map, &map->groups[g], arena))
            return 0;
        name_directions(map, &map->groups[g]);
    }
    for (int g = 0; g < map->group_count; g++)
        map->groups[g].held = 1;
    for (int k = 0; k < tree_count; k++)
        for (int i = trees[k].first; i < trees[k].end; i++)
            map->groups[map->group_of[i]].held = 0;
    for (int i = 0; i < map->tree->link_count;
         i++) // accelerations of deformable bodies are found from these rows later
        if (map->tree->links[i].role != KANE_FLEX_NONE)
            map->groups[map->group_of[i]].held = 1;
    for (int g = 0; g < map->group_count; g++)
        if (!list_reach(map, g, arena) || !list_columns(map, &map->groups[g], columns_of, arena) ||
            !kane_group_list_blocks(map, g, arena))
            return 0;
    seek_directions(map);
    find_largest_sizes(map);
    return 1;
}

kane_derive_map *kane_derive_map_create(const kane_tree *tree, const kane_links *trees, int tree_count,
                                        const kane_link_pair *pairs, int pair_count, kane_arena *arena)
{
    const size_t links   = (size_t)tree->link_count;
    kane_derive_map *map = kane_arena_alloc(arena, 1, sizeof *map);
    if (!map)
        return NULL;
    map->tree       = tree;
    map->pair_count = pair_count;
    map->pairs      = kane_arena_alloc(arena, (size_t)pair_count + 1, sizeof *map->pairs);
    map->group_of   = kane_arena_alloc(arena, links + 1, sizeof *map->group_of);
    map->place_of   = kane_arena_alloc(arena, links + 1, sizeof *map->place_of);
    map->carrier    = kane_arena_alloc(arena, links + 1, sizeof *map->carrier);
    map->names      = kane_arena_alloc(arena, (KANE_ROOT_ALL + 1) * links + 1, sizeof *map->names);
    if (kane_arena_failed(arena))
        return NULL;
    for (int p = 0; p < pair_count; p++)
        map->pairs[p] = pairs[p];
    map->group_count = count_groups(map);
    map->groups      = kane_arena_alloc(arena, (size_t)map->group_count + 1, sizeof *map->groups);
    if (kane_arena_failed(arena) || !fill_derive_map(map, trees, tree_count, arena))
        return NULL;
    return map;
}

int kane_derive_map_count(const kane_derive_map *map)
{
    return map->group_count;
}

kane_derived_group kane_derive_map_rows(const kane_derive_map *map, int group, double *values)
{
    const kane_group *g = &map->groups[group];
    return (kane_derived_group){g->row_count, g->column_count, g->rows, g->columns, values ? values + g->at : NULL};
}

int kane_derive_map_group(const kane_derive_map *map, int link)
{
    return map->group_of[link];
}

kane_state_share kane_derive_map_share(const kane_derive_map *map, int state)
{
    const kane_tree *tree = map->tree;
    const int i = map->link_of[state], is_speed = state >= tree->q_count;
    const kane_link *link = &tree->links[i];
    if (link->role != KANE_FLEX_NODE)
        return (kane_state_share){state, 1, NULL};
    const kane_flex *flex = &tree->flexes[link->flex];
    const int component   = is_speed ? state - tree->q_count - link->v : state - link->q;
    return (kane_state_share){is_speed ? tree->q_count + flex->v : flex->q, flex->count,
                              kane_flex_row(flex, i, component)};
}

int kane_derive_map_moves(const kane_derive_map *map, int state, int link)
{
    return kane_derive_above(map, map->link_of[state], link);
}

// Inertia couples links of which one carries the other; forces those whose parts they act between.
int kane_derive_map_depends(const kane_derive_map *map, int group, int speed, int state)
{
    const kane_group *g = &map->groups[group];
    const int row = map->link_of[map->tree->q_count + speed], by = map->link_of[state];
    int depends = kane_derive_above(map, row, by) || kane_derive_above(map, by, row);
    for (int k = 0; k < g->pair_count && !depends; k++) {
        const kane_link_pair pair = map->pairs[g->pairs[k]];
        depends                   = kane_derive_above(map, row, pair.row) && kane_derive_above(map, by, pair.column);
    }
    return depends;
}

size_t kane_derive_map_values(const kane_derive_map *map)
{
    return map->value_count;
}

kane_derive_work *kane_derive_work_create(const kane_derive_map *map, kane_arena *arena)
{
    const size_t axes = (size_t)map->most_axes + 1, links = (size_t)map->most_links + 1;
    const size_t directions = (size_t)map->direction_count + 1;
    kane_derive_work *work  = kane_arena_alloc(arena, 1, sizeof *work);
    if (!work)
        return NULL;
    work->field        = kane_arena_alloc(arena, (size_t)map->tree->link_count + 1, sizeof *work->field);
    work->spun         = kane_arena_alloc(arena, (size_t)map->tree->link_count + 1, sizeof *work->spun);
    work->twist        = kane_arena_alloc(arena, (size_t)map->tree->q_count + 1, sizeof *work->twist);
    work->pose         = kane_arena_alloc(arena, (size_t)map->carried_count, sizeof *work->pose);
    work->directions   = kane_arena_alloc(arena, directions, sizeof *work->directions);
    work->axes         = kane_arena_alloc(arena, axes, sizeof *work->axes);
    work->entered      = kane_arena_alloc(arena, axes + links, sizeof *work->entered);
    work->u            = kane_arena_alloc(arena, axes, sizeof *work->u);
    work->force_change = kane_arena_alloc(arena, links, sizeof *work->force_change);
    work->lanes        = kane_arena_alloc(arena, links, sizeof *work->lanes);
    work->axis_change  = map->any_formula ? kane_arena_alloc(arena, directions, sizeof *work->axis_change) : NULL;
    work->local = kane_arena_doubles(arena, (size_t)(map->most_locals + KANE_LANES) * (size_t)(map->most_rows + 1));
    return kane_arena_failed(arena) ? NULL : work;
}

// === Blocks of eight directions, and entries of forces in them.
//
// Inside a group derive_group.c counts the force on link i by the motion of link j for all directions that move i.
// Entries correct those that move only one of the two: directions on the path between them. Directions of other groups
// have an entry for every link that they move.

// 1: an entry adds the force, -1: it subtracts the force, 0: no entry.
static int sign_of(const kane_derive_map *map, int group, const kane_direction_name *name, kane_link_pair pair)
{
    const int home = map->group_of[name->link];
    if (map->group_of[pair.column] != home)
        return 0;
    const int moved = kane_derive_above(map, name->link, pair.column);
    return home == group ? moved - kane_derive_above(map, name->link, pair.row) : moved;
}

// Shifts and velocities of a free root without forces have a closed form (shift_freely).
static int first_direction(const kane_group *group, int reach)
{
    return reach == 0 && group->free && !group->held && !group->pair_count ? KANE_ROOT_TURNS : 0;
}

// Counts the entries of a block; writes them unless entries is NULL.
static int fill_block(const kane_derive_map *map, const kane_group *group, int g, const kane_block_of *b,
                      kane_wrench_entry *entries)
{
    const kane_group *other = &map->groups[group->reach[b->reach].group];
    int count               = 0;
    for (int k = 0; k < group->pair_count; k++)
        for (int lane = 0; lane < b->count; lane++) {
            const kane_direction_name *name = &map->names[other->direction + b->first + lane];
            const int sign                  = sign_of(map, g, name, map->pairs[group->pairs[k]]);
            if (sign && entries)
                entries[count] = (kane_wrench_entry){group->pairs[k], lane, sign};
            count += sign != 0;
        }
    return count;
}

int kane_group_list_blocks(const kane_derive_map *map, int g, kane_arena *arena)
{
    kane_group *group = &map->groups[g];
    int entries       = 0;
    for (int r = 0; r < group->reach_count; r++)
        group->block_count += map->groups[group->reach[r].group].direction_count / KANE_LANES + 1;
    group->blocks      = kane_arena_alloc(arena, (size_t)group->block_count + 1, sizeof *group->blocks);
    group->block_count = 0;
    if (!group->blocks)
        return 0;
    for (int r = 0; r < group->reach_count; r++) {
        const int end = map->groups[group->reach[r].group].direction_count;
        for (int d = first_direction(group, r); d < end; d += KANE_LANES) {
            kane_block_of *b = &group->blocks[group->block_count];
            *b       = (kane_block_of){.reach = r, .first = d, .count = end - d < KANE_LANES ? end - d : KANE_LANES};
            b->entry = entries;
            b->entry_count = fill_block(map, group, g, b, NULL);
            entries += b->entry_count;
            group->block_count += r == 0 || b->entry_count > 0; // other groups act through entries only
        }
    }
    group->entries = kane_arena_alloc(arena, (size_t)entries + 1, sizeof *group->entries);
    for (int k = 0; group->entries && k < group->block_count; k++)
        (void)fill_block(map, group, g, &group->blocks[k], group->entries + group->blocks[k].entry);
    return group->entries != NULL;
}
