// SPDX-License-Identifier: MIT
// From a track file to irregularities and changes of friction.

#include "track/track_file.h"

#include <string.h>

static const char *const own_keys[] = {"roughness", "corner", "low_corner", "cross_corner"};
enum { OWN_KEYS = sizeof own_keys / sizeof *own_keys, STANDARD_KINDS = KANE_GAUGE + 1 };

// Room for the results of reading a list; 0 if there is no memory.
static void *allocate_results(kane_reader *reader, size_t count, size_t size, const kane_track_definition *d)
{
    void *items = kane_arena_alloc(reader->arena, count, size);
    if (!items)
        kane_reader_no_memory(reader, d->place);
    return items;
}

static void fill_sines(kane_reader *reader, const kane_items *list, kane_track_definition *d)
{
    const kane_sine_input *in           = list->items;
    kane_irregularity_definition *sines = allocate_results(reader, (size_t)list->count, sizeof *sines, d);
    if (!sines)
        return;
    for (int i = 0; i < list->count; i++)
        sines[i] = (kane_irregularity_definition){.kind       = (kane_irregularity_kind)in[i].kind,
                                                  .amplitude  = in[i].amplitude,
                                                  .wavelength = in[i].wavelength,
                                                  .phase      = in[i].phase,
                                                  .place      = kane_block_place(&in[i].block, NULL, -1)};
    d->irregularities     = sines;
    d->irregularity_count = list->count;
}

// Which keys of a spectrum belong together. 0 with an error if some do not.
static int check_spectrum(kane_reader *reader, const kane_spectrum_input *in)
{
    const kane_place place = kane_block_place(&in->block, NULL, -1);
    if (in->standard != 0) {
        for (int i = 0; i < OWN_KEYS; i++)
            if (kane_block_has(&in->block, own_keys[i])) {
                kane_reader_fault(reader, &in->block, own_keys[i],
                                  "only a user-defined spectrum has a \"%s\", a standard brings it", own_keys[i]);
                return 0;
            }
        if (in->kind > STANDARD_KINDS) {
            kane_reader_fault(reader, &in->block, "kind",
                              "the standards have no spectrum of \"%s\", only of lateral, vertical, cross_level and "
                              "gauge; a user-defined spectrum may be of one rail",
                              kane_irregularity_names[in->kind - 1]);
            return 0;
        }
        return 1;
    }
    if (in->kind == 0 || !kane_block_has(&in->block, "roughness") || !kane_block_has(&in->block, "corner")) {
        kane_reader_report(reader, place,
                           "a spectrum needs a \"standard\", or else a \"kind\", a \"roughness\" and a \"corner\"");
        return 0;
    }
    return 1;
}

static kane_spectrum_definition make_spectrum(const kane_spectrum_input *in, kane_irregularity_kind kind)
{
    kane_spectrum_definition out = {.kind       = kind,
                                    .spectrum   = {in->roughness, in->corner, in->low_corner, in->cross_corner},
                                    .shortest   = in->shortest,
                                    .longest    = in->longest,
                                    .wave_count = in->waves,
                                    .seed       = in->seed,
                                    .place      = kane_block_place(&in->block, NULL, -1)};
    if (in->standard != 0)
        out.spectrum = kane_spectrum_of((kane_spectrum_standard)(in->standard - 1), kind);
    out.spectrum.A *= in->scale * in->scale;
    return out;
}

static void fill_spectra(kane_reader *reader, const kane_items *list, kane_track_definition *d)
{
    const kane_spectrum_input *in = list->items;
    kane_spectrum_definition *spectra =
        allocate_results(reader, (size_t)list->count * STANDARD_KINDS, sizeof *spectra, d);
    int count = 0;
    if (!spectra)
        return;
    for (int i = 0; i < list->count; i++) {
        if (!check_spectrum(reader, &in[i]))
            continue;
        if (in[i].kind != 0)
            spectra[count++] = make_spectrum(&in[i], (kane_irregularity_kind)(in[i].kind - 1));
        for (int kind = 0; in[i].kind == 0 && kind < STANDARD_KINDS; kind++)
            spectra[count++] = make_spectrum(&in[i], (kane_irregularity_kind)kind);
    }
    d->spectra        = spectra;
    d->spectrum_count = count;
}

static void fill_records(kane_reader *reader, const kane_items *list, kane_track_definition *d)
{
    const kane_record_input *in = list->items;
    kane_record_definition *records =
        allocate_results(reader, (size_t)list->count * KANE_IRREGULARITY_KINDS, sizeof *records, d);
    int count = 0;
    if (!records)
        return;
    for (int i = 0; i < list->count; i++)
        count += kane_record_read(reader, &in[i], records + count);
    d->records      = records;
    d->record_count = count;
}

static void fill_defects(kane_reader *reader, const kane_items *list, kane_track_definition *d)
{
    const kane_defect_input *in     = list->items;
    kane_defect_definition *defects = allocate_results(reader, (size_t)list->count, sizeof *defects, d);
    if (!defects)
        return;
    for (int i = 0; i < list->count; i++)
        defects[i] = (kane_defect_definition){.kind   = (kane_irregularity_kind)in[i].kind,
                                              .shape  = (kane_defect_shape)in[i].shape,
                                              .at     = in[i].at,
                                              .length = in[i].length,
                                              .height = in[i].height,
                                              .place  = kane_block_place(&in[i].block, NULL, -1)};
    d->defects      = defects;
    d->defect_count = list->count;
}

static void fill_friction(kane_reader *reader, const kane_items *list, kane_track_definition *d)
{
    const kane_friction_input *in = list->items;
    kane_friction_change *changes = allocate_results(reader, (size_t)list->count, sizeof *changes, d);
    if (!changes)
        return;
    for (int i = 0; i < list->count; i++)
        changes[i] = (kane_friction_change){.from     = in[i].from,
                                            .to       = in[i].to,
                                            .rails    = (kane_rails)in[i].rail,
                                            .friction = in[i].friction,
                                            .over     = in[i].over,
                                            .place    = kane_block_place(&in[i].block, NULL, -1)};
    d->friction_changes      = changes;
    d->friction_change_count = list->count;
}

static void fill_check_rails(kane_reader *reader, const kane_items *list, kane_track_definition *d)
{
    const kane_check_rail_input *in = list->items;
    kane_check_rail *made           = allocate_results(reader, (size_t)list->count, sizeof *made, d);
    if (!made)
        return;
    for (int i = 0; i < list->count; i++)
        made[i] = (kane_check_rail){.from      = in[i].from,
                                    .to        = in[i].to,
                                    .flare     = in[i].flare,
                                    .rails     = (kane_rails)in[i].rail,
                                    .flangeway = in[i].flangeway,
                                    .opening   = in[i].opening,
                                    .height    = in[i].height,
                                    .stiffness = in[i].stiffness,
                                    .onset     = in[i].onset,
                                    .damping   = in[i].damping,
                                    .friction  = in[i].friction,
                                    .place     = kane_block_place(&in[i].block, NULL, -1)};
    d->check_rails      = made;
    d->check_rail_count = list->count;
}

void kane_track_build_rails(kane_reader *reader, const kane_track_file *file, kane_track_definition *d)
{
    const kane_irregularities_input *in = &file->irregularities;
    fill_sines(reader, &in->sines, d);
    fill_spectra(reader, &in->spectra, d);
    fill_records(reader, &in->files, d);
    fill_defects(reader, &in->defects, d);
    fill_friction(reader, &file->friction_changes, d);
    fill_check_rails(reader, &file->check_rails, d);
    d->fade_in_from   = in->fade_in.block.node ? in->fade_in.from : d->start;
    d->fade_in_length = in->fade_in.length;
}
