// SPDX-License-Identifier: MIT
// From a model file to a flexible body.

#include "flexible/model.h"

#include "base/file.h"

#include <string.h>

struct kane_flexible {
    kane_arena *arena;
    const kane_flexible_data *data;
};

static const double SAME = 1e-6; // what is nearer than this is one place [m]

// Index of the node at a place, added if there is none.
static int node_at(kane_elements *e, kane_vec3 at)
{
    for (int k = 0; k < e->node_count; k++)
        if (kv3_norm(kv3_sub(e->x[k], at)) <= SAME)
            return k;
    e->x[e->node_count] = at;
    return e->node_count++;
}

static void check_beam(kane_reader *reader, const kane_beam_input *in)
{
    const double length = kv3_norm(kv3_sub(in->to, in->from));
    if (!(length > 10.0 * SAME * in->count))
        kane_reader_fault(reader, &in->block, "to", "the beam is %g m long; must be longer", length);
    if (!(kv3_norm(in->up) > 0.0))
        kane_reader_fault(reader, &in->block, "up", "[0, 0, 0] is no direction");
    if (in->shear > 1.0)
        kane_reader_fault(reader, &in->block, "shear", "%g is out of range, must be from 0 to 1", in->shear);
}

static void check_lump(kane_reader *reader, const kane_lump_input *in, double J[6])
{
    const int count = in->inertia.count;
    memset(J, 0, 6 * sizeof *J);
    if (count != 0 && count != 3 && count != 6)
        kane_reader_fault(reader, &in->block, "inertia",
                          "has %d numbers; needs 3 (Ixx, Iyy, Izz) or 6 (and Ixy, Ixz, Iyz)", count);
    for (int i = 0; i < count && i < 6; i++)
        J[i] = in->inertia.values[i];
    for (int i = 0; i < 3; i++)
        if (J[i] < 0.0)
            kane_reader_report(reader, kane_block_place(&in->block, "inertia", i),
                               "%g is out of range, must not be negative", J[i]);
}

kane_vec3 kane_beam_along(const kane_beam_input *in, int k)
{
    return kv3_add_scaled(in->from, (double)k / in->count, kv3_sub(in->to, in->from));
}

static int add_nodes(kane_reader *reader, const kane_flexible_file *file, kane_elements *e)
{
    const kane_beam_input *beams = file->beams.items;
    long long most               = 0;
    for (int i = 0; i < file->beams.count; i++) {
        check_beam(reader, &beams[i]);
        most += beams[i].count + 1;
    }
    if (kane_reader_status(reader) != KANE_OK)
        return 0;
    if (most < 2 || 6 * most > 2 * KANE_FLEXIBLE_UNKNOWNS) {
        kane_reader_fault(reader, &file->block, "beams", "has %lld nodes; possible are 2 to %d", most,
                          KANE_FLEXIBLE_UNKNOWNS / 6);
        return 0;
    }
    e->x = kane_arena_alloc(reader->arena, (size_t)most, sizeof *e->x);
    if (!e->x) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return 0;
    }
    for (int i = 0; i < file->beams.count; i++)
        for (int k = 0; k <= beams[i].count; k++)
            (void)node_at(e, kane_beam_along(&beams[i], k));
    if (6 * e->node_count <= KANE_FLEXIBLE_UNKNOWNS)
        return 1;
    kane_reader_fault(reader, &file->block, "beams", "has %d nodes; possible are %d", e->node_count,
                      KANE_FLEXIBLE_UNKNOWNS / 6);
    return 0;
}

// Whether two beams share a node.
static int are_joined(kane_elements *e, const kane_beam_input *a, const kane_beam_input *b)
{
    for (int i = 0; i <= a->count; i++)
        for (int k = 0; k <= b->count; k++)
            if (node_at(e, kane_beam_along(a, i)) == node_at(e, kane_beam_along(b, k)))
                return 1;
    return 0;
}

// All beams must be connected with the first one.
static void check_one_piece(kane_reader *reader, const kane_flexible_file *file, kane_elements *e)
{
    const kane_beam_input *beams = file->beams.items;
    const int count              = file->beams.count;
    int *reached                 = kane_arena_alloc(reader->arena, (size_t)count, sizeof *reached);
    for (int grown = 1, first = 1; grown && reached; first = 0) {
        reached[0] = 1;
        grown      = first;
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count && reached[a]; b++)
                if (!reached[b] && are_joined(e, &beams[a], &beams[b]))
                    reached[b] = grown = 1;
    }
    for (int b = 0; b < count && reached; b++)
        if (!reached[b]) {
            kane_reader_fault(
                reader, &beams[b].block, NULL,
                "'%s' has no node in common with '%s' or what is joined to that: the body is not in one piece",
                beams[b].block.name, beams[0].block.name);
            return;
        }
}

static void add_elements(kane_reader *reader, const kane_flexible_file *file, kane_elements *e)
{
    const kane_beam_input *beams = file->beams.items;
    const kane_lump_input *lumps = file->masses.items;
    for (int i = 0; i < file->beams.count; i++)
        for (int k = 0; k < beams[i].count; k++)
            kane_elements_add_beam(e, node_at(e, kane_beam_along(&beams[i], k)),
                                   node_at(e, kane_beam_along(&beams[i], k + 1)), &beams[i]);
    for (int i = 0; i < file->masses.count; i++) {
        double J[6];
        const int node = kane_nearest(e->node_count, e->x, lumps[i].at);
        check_lump(reader, &lumps[i], J);
        kane_elements_add_lump(e, node, kv3_sub(lumps[i].at, e->x[node]), lumps[i].mass, J);
    }
}

static int list_beams(const kane_flexible_file *file, kane_elements *e, kane_mesh *mesh, kane_arena *arena)
{
    const kane_beam_input *beams = file->beams.items;
    int count                    = 0;
    for (int i = 0; i < file->beams.count; i++)
        count += beams[i].count;
    mesh->beams = kane_arena_alloc(arena, (size_t)count, sizeof *mesh->beams);
    for (int i = 0; i < file->beams.count && mesh->beams; i++)
        for (int k = 0; k < beams[i].count; k++)
            mesh->beams[mesh->beam_count++] = (kane_mesh_beam){
                {node_at(e, kane_beam_along(&beams[i], k)), node_at(e, kane_beam_along(&beams[i], k + 1))}, &beams[i]};
    return mesh->beams != NULL;
}

static size_t count_places(const kane_flexible_file *file)
{
    const kane_beam_input *beams = file->beams.items;
    size_t count                 = (size_t)file->masses.count;
    for (int i = 0; i < file->beams.count; i++)
        count += KANE_BEAM_POINTS * (size_t)beams[i].count;
    return count;
}

// The mesh of its beams. 0 if there is an error.
static int mesh_of_beams(kane_reader *reader, const kane_flexible_file *file, kane_mesh *mesh, kane_arena *arena)
{
    kane_elements e = {0};
    if (!add_nodes(reader, file, &e))
        return 0;
    check_one_piece(reader, file, &e);
    const size_t n = 6 * (size_t)e.node_count;
    e.M            = kane_arena_doubles(arena, n * n);
    e.K            = kane_arena_doubles(arena, n * n);
    e.places       = kane_arena_alloc(arena, count_places(file), sizeof *e.places);
    if (e.M && e.K && e.places)
        add_elements(reader, file, &e);
    return kane_reader_status(reader) == KANE_OK && !kane_arena_failed(arena) &&
           kane_mesh_from_elements(mesh, &e, arena) && list_beams(file, &e, mesh, arena);
}

static void check_sources(kane_reader *reader, const kane_flexible_file *file)
{
    const int by_matrices = file->matrices.block.node != NULL;
    if (file->interfaces.count == 0)
        kane_reader_fault(reader, &file->block, "interfaces", "has none; nothing could hold the body");
    if (by_matrices == (kane_block_has(&file->block, "beams") != 0))
        kane_reader_fault(reader, &file->block, by_matrices ? "matrices" : NULL,
                          "needs one of \"beams\" and \"matrices\"");
    if (kane_block_has(&file->block, "rayleigh") && file->rayleigh.count != 2)
        kane_reader_fault(reader, &file->block, "rayleigh", "has %d numbers; needs 2: a [1/s] and b [s] of a M + b K",
                          file->rayleigh.count);
    if (kane_block_has(&file->block, "rayleigh") && kane_block_has(&file->block, "damping"))
        kane_reader_fault(reader, &file->block, "rayleigh", "stands in place of \"damping\": give one of them");
    if (by_matrices && file->masses.count > 0)
        kane_reader_fault(reader, &file->block, "masses", "are for beams; matrices have all masses in them");
    if (by_matrices && file->stiffening)
        kane_reader_fault(reader, &file->block, "stiffening",
                          "is for beams; nothing says how loads stiffen what matrices stand for");
}

static void reduce_structure(kane_reader *reader, const kane_flexible_file *file, kane_flexible_data *data)
{
    kane_mesh mesh    = {0};
    kane_arena *arena = kane_arena_create(); // of what is not kept
    data->name        = file->name;
    check_sources(reader, file);
    if (arena && kane_reader_status(reader) == KANE_OK &&
        (file->matrices.block.node ? kane_mesh_from_files(&mesh, reader, &file->matrices, arena)
                                   : mesh_of_beams(reader, file, &mesh, arena)))
        kane_flexible_reduce(reader, file, &mesh, data);
    if (!arena || kane_arena_failed(arena) ||
        (kane_arena_failed(reader->arena) && kane_reader_status(reader) == KANE_OK))
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
    kane_arena_free(arena);
}

// Names of the model file and of the files that it names; NULL without memory.
static const char *const *list_files(kane_arena *arena, const char *file, const kane_matrices_input *in)
{
    const char *named[KANE_MATRIX_FILES];
    const char **list = kane_arena_alloc(arena, KANE_MATRIX_FILES + 2, sizeof *list); // the rest stays NULL
    int count         = 0;
    if (!list)
        return NULL;
    list[count++] = kane_arena_text(arena, file);
    kane_matrices_find(in, arena, named);
    for (int i = 0; i < KANE_MATRIX_FILES; i++)
        if (named[i])
            list[count++] = named[i];
    return list;
}

const kane_flexible_data *kane_flexible_load(kane_arena *arena, const char *file, const char *const *settings,
                                             kane_errors *errors)
{
    if (kane_flexible_is_reduced(file) && settings && settings[0]) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = file, .path = ""},
                              "is a reduced body, which has no settings; they are of the model that it is made from");
        return NULL;
    }
    if (kane_flexible_is_reduced(file))
        return kane_flexible_load_reduced(arena, file, errors);
    kane_reader reader = {.arena = arena, .errors = errors};
    kane_node *root    = kane_document_open(arena, file, settings, errors);
    const kane_flexible_file *in =
        root ? kane_document_read(&reader, root, kane_flexible_formats, "flexible", NULL) : NULL;
    kane_flexible_data *data = in ? kane_arena_alloc(arena, 1, sizeof *data) : NULL;
    if (data) {
        reduce_structure(&reader, in, data);
        data->shape.files = list_files(arena, file, &in->matrices);
    }
    return data && kane_reader_status(&reader) == KANE_OK ? data : NULL;
}

kane_flexible *kane_flexible_read(const char *file, const char *const *settings, kane_errors *errors)
{
    kane_errors unreported  = {.limit = 1};
    kane_errors *kept       = errors ? errors : &unreported;
    const int before        = kept->count;
    kane_arena *arena       = kane_arena_create();
    kane_flexible *flexible = arena ? kane_arena_alloc(arena, 1, sizeof *flexible) : NULL;
    if (flexible) {
        flexible->arena = arena;
        flexible->data  = kane_flexible_load(arena, file, settings, kept);
        if (flexible->data && kept->count == before)
            return flexible;
    }
    if (!flexible || (kane_arena_failed(arena) && kept->count == before))
        (void)kane_no_memory(kept);
    kane_arena_free(arena);
    return NULL;
}

void kane_flexible_free(kane_flexible *flexible)
{
    if (flexible)
        kane_arena_free(flexible->arena);
}

const kane_flexible_data *kane_flexible_get_data(const kane_flexible *flexible)
{
    return flexible->data;
}
