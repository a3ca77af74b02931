// SPDX-License-Identifier: MIT
// Gauges by the modes: forces and torques that beams carry, and stresses along them; strains between nodes of any
// model.

#include "flexible/modes.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { LOADS = 6, VALUES = 7 }; // of a gauge, the last one a stress

static const struct {
    const char *name, *unit, *description;
} values[VALUES] = {
    {"force.x", "N", "force along the beam, from rest: positive where it is pulled"},
    {"force.y", "N", "shear force, in axes of the section: what is beyond exerts it on what is before"},
    {"force.z", "N", "the same along the section's z"},
    {"torque.x", "N m", "torque about the beam"},
    {"torque.y", "N m", "bending moment about the section's y"},
    {"torque.z", "N m", "bending moment about the section's z"},
    {"stress", "Pa", "stress along the beam in the fibre, from rest: positive where it is pulled"},
};

static const char strain[] = "by which the distance of two nodes grows, from rest: positive where it is pulled";

static const kane_beam_input *find_beam(const kane_flexible_file *file, const char *name)
{
    const kane_beam_input *beams = file->beams.items;
    for (int i = 0; i < file->beams.count; i++)
        if (strcmp(beams[i].block.name, name) == 0)
            return &beams[i];
    return NULL;
}

// The beam of a gauge; NULL with an error.
static const kane_beam_input *check_gauge(kane_reader *reader, const kane_flexible_file *file,
                                          const kane_gauge_input *in)
{
    const kane_beam_input *beam = find_beam(file, in->beam);
    if (!beam) {
        char quoted[96];
        kane_text text = kane_text_start(sizeof quoted, quoted);
        kane_text_quote(&text, '\'', in->beam);
        kane_reader_fault(reader, &in->block, "beam", "there is no beam %s", quoted);
        return NULL;
    }
    const double length = kv3_norm(kv3_sub(beam->to, beam->from));
    if (in->at > length)
        kane_reader_fault(reader, &in->block, "at", "%g is beyond the end of the beam, which is %g m long", in->at,
                          length);
    else if (in->fibre.count != 0 && in->fibre.count != 2)
        kane_reader_fault(reader, &in->block, "fibre", "has %d numbers; needs 2: y and z of the section",
                          in->fibre.count);
    else
        return beam;
    return NULL;
}

// Loads of a section in a unit of each mode.
static void find_loads(const kane_beam_input *beam, double at, const kane_mesh *mesh, const double *phi, int count,
                       double *by[LOADS])
{
    const double part      = at / kv3_norm(kv3_sub(beam->to, beam->from)) * beam->count;
    const int element      = part < beam->count ? (int)part : beam->count - 1;
    const kane_vec3 end[2] = {kane_beam_along(beam, element), kane_beam_along(beam, element + 1)};
    double loads[LOADS][KANE_BEAM_UNKNOWNS];
    kane_beam_loads(beam, end[0], end[1], part - element, loads);
    for (int k = 0; k < 2; k++) {
        const int *unknown = mesh->unknown + 6 * kane_nearest(mesh->node_count, mesh->x, end[k]);
        for (int load = 0; load < LOADS; load++)
            for (int i = 0; i < count; i++)
                for (int j = 0; j < 6; j++)
                    by[load][i] += loads[load][6 * k + j] * phi[(size_t)i * (size_t)mesh->M.n + (size_t)unknown[j]];
    }
}

static const char *name_of(kane_arena *arena, const char *gauge, const char *value)
{
    const size_t length = strlen(gauge) + strlen(value) + 2;
    char *name          = kane_arena_alloc(arena, length, 1);
    if (name)
        (void)snprintf(name, length, "%s.%s", gauge, value);
    return name;
}

static void add_gauge(kane_reader *reader, const kane_gauge_input *in, const kane_beam_input *beam,
                      const kane_mesh *mesh, const double *phi, int modes, kane_deformable_gauge *to)
{
    const int count = in->fibre.count ? VALUES : LOADS;
    double *by[VALUES];
    for (int i = 0; i < count; i++) {
        by[i] = kane_arena_doubles(reader->arena, (size_t)modes);
        to[i] = (kane_deformable_gauge){name_of(reader->arena, in->block.name, values[i].name), values[i].unit,
                                        values[i].description, by[i]};
    }
    if (kane_arena_failed(reader->arena))
        return;
    find_loads(beam, in->at, mesh, phi, modes, by);
    for (int i = 0; i < modes && in->fibre.count; i++)
        by[LOADS][i] =
            by[0][i] / beam->A + by[4][i] * in->fibre.values[1] / beam->Iy - by[5][i] * in->fibre.values[0] / beam->Iz;
}

// Whether the keys of a gauge are consistent: a section of a beam, or two places. 0 with an error.
static int check_keys(kane_reader *reader, const kane_gauge_input *in)
{
    static const char *const keys[] = {"at", "fibre", "from", "to"};
    for (int i = 0; i < 4; i++) {
        const int has = kane_block_has(&in->block, keys[i]) != 0, of_beam = i < 2,
                  wants = of_beam == (in->beam != NULL);
        if (has && !wants)
            kane_reader_fault(reader, &in->block, keys[i], "is for a gauge %s \"beam\"",
                              of_beam ? "with a" : "without a");
        else if (!has && wants && i != 1)
            kane_reader_fault(reader, &in->block, NULL, "needs \"beam\" and \"at\", or \"from\" and \"to\"");
        else
            continue;
        return 0;
    }
    return 1;
}

// Strain of the distance of two nodes in a unit of each mode [1].
static void add_strain(kane_reader *reader, const kane_gauge_input *in, const kane_mesh *mesh, const double *phi,
                       int modes, kane_deformable_gauge *to)
{
    const int a = kane_nearest(mesh->node_count, mesh->x, in->from);
    const int b = kane_nearest(mesh->node_count, mesh->x, in->to);
    double *by  = kane_arena_doubles(reader->arena, (size_t)modes);
    *to         = (kane_deformable_gauge){name_of(reader->arena, in->block.name, "strain"), "1", strain, by};
    if (a == b) {
        kane_reader_fault(reader, &in->block, "to", "ends at the node where it begins, (%g, %g, %g)", mesh->x[a].x,
                          mesh->x[a].y, mesh->x[a].z);
        return;
    }
    const kane_vec3 along = kv3_sub(mesh->x[b], mesh->x[a]);
    for (int i = 0; i < modes && by; i++) {
        const double *mode   = phi + (size_t)i * (size_t)mesh->M.n;
        const kane_vec3 more = kv3_sub(kane_mesh_displacement(mesh, mode, b), kane_mesh_displacement(mesh, mode, a));
        by[i]                = kv3_dot(more, along) / kv3_dot(along, along);
    }
}

void kane_gauges_fill(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, const double *phi,
                      kane_flexible_data *data)
{
    const kane_gauge_input *in = file->gauges.items;
    kane_deformable_gauge *list =
        kane_arena_alloc(reader->arena, VALUES * (size_t)file->gauges.count + 1, sizeof *list);
    int count = 0;
    for (int i = 0; i < file->gauges.count && list; i++) {
        if (!check_keys(reader, &in[i]))
            continue;
        if (!in[i].beam) {
            add_strain(reader, &in[i], mesh, phi, data->mode_count, list + count++);
            continue;
        }
        const kane_beam_input *beam = check_gauge(reader, file, &in[i]);
        if (!beam)
            continue;
        add_gauge(reader, &in[i], beam, mesh, phi, data->mode_count, list + count);
        count += in[i].fibre.count ? VALUES : LOADS;
    }
    data->shape.gauge_count = count;
    data->shape.gauges      = list;
}
