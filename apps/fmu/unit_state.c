// SPDX-License-Identifier: MIT
// States of units as bytes: the phase, parameters, inputs, and where the simulation stands with its discrete state. A
// hash at the end proves that they are what was saved. It is no seal: whatever the bytes say is checked before it is
// used. They are for the same unit on the same kind of machine.

#include "unit.h"

#include "base/machine.h"

#include <kane/state.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[16] = "kane unit 3";

// Bytes on their way: written to, taken from (of which there are as many as the head says: measure), or only counted.
typedef struct packer {
    unsigned char *to;
    const unsigned char *from;
    size_t at;
} packer;

static void transfer_bytes(packer *p, void *data, size_t size)
{
    if (p->to && size > 0)
        memcpy(p->to + p->at, data, size);
    if (p->from && size > 0)
        memcpy(data, p->from + p->at, size);
    p->at += size;
}

// What stands before the lists.
typedef struct head {
    char magic[sizeof magic], guid[64];
    int kind, phase, has_moved, y_count, speed_piece, steady, frozen, frames, rows, tree_speeds, inputs, parameters;
    double tolerance, t;
} head;

// Bytes of a state with that head, its hash included. Counts are not negative.
static size_t measure(const head *h)
{
    const size_t has_y = h->y_count > 0;
    return sizeof *h + KANE_HASH_SIZE +
           ((size_t)h->parameters + (size_t)h->inputs + (size_t)h->y_count + (size_t)h->tree_speeds +
            has_y * (size_t)h->inputs) *
               sizeof(double) +
           ((size_t)h->frames + (size_t)h->rows + (size_t)h->tree_speeds) * sizeof(int);
}

static head head_of(const unit *u, const kane_state *state)
{
    head h = {.kind       = u->kind,
              .phase      = u->phase,
              .inputs     = u->input_count,
              .parameters = u->parameter_count,
              .tolerance  = u->tolerance};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.guid, u->guid, sizeof h.guid);
    if (!state)
        return h;
    const kane_discrete *d = state->discrete;
    h.has_moved            = state->has_moved;
    h.y_count              = state->count;
    h.t                    = state->t;
    h.speed_piece          = d->speed_piece;
    h.steady               = d->steady;
    h.frozen               = d->frozen;
    h.frames               = d->frame_count;
    h.rows                 = d->row_count;
    h.tree_speeds          = d->tree_speed_count;
    return h;
}

static void transfer_lists(packer *p, const head *h, kane_state *state)
{
    kane_discrete *d = state->discrete;
    transfer_bytes(p, state->y, (size_t)h->y_count * sizeof(double));
    transfer_bytes(p, d->piece, (size_t)h->frames * sizeof(int));
    transfer_bytes(p, d->row, (size_t)h->rows * sizeof(int));
    transfer_bytes(p, d->tree_speed, (size_t)h->tree_speeds * sizeof(int));
    transfer_bytes(p, d->tree_scale, (size_t)h->tree_speeds * sizeof(double));
    transfer_bytes(p, d->input, (size_t)h->inputs * sizeof(double));
}

static void pack_all(packer *p, const unit *u, kane_state *state)
{
    head h = head_of(u, state);
    transfer_bytes(p, &h, sizeof h);
    transfer_bytes(p, u->parameters, (size_t)u->parameter_count * sizeof(double));
    transfer_bytes(p, u->input, (size_t)u->input_count * sizeof(double));
    if (state)
        transfer_lists(p, &h, state);
}

static unit_status no_memory(const unit *u)
{
    return unit_refuse(u, kane_status_text(KANE_NO_MEMORY));
}

static unit_state *write_state(const unit *u, kane_state *state)
{
    char hash[KANE_HASH_SIZE];
    packer count = {NULL, NULL, 0};
    pack_all(&count, u, state);
    unit_state *s = malloc(sizeof *s + count.at + sizeof hash);
    if (!s)
        return NULL;
    packer p = {s->bytes, NULL, 0};
    memset(s->bytes, 0, count.at);
    pack_all(&p, u, state);
    kane_hash_bytes(s->bytes, p.at, hash);
    transfer_bytes(&p, hash, sizeof hash);
    s->size = p.at;
    return s;
}

unit_status unit_save(unit *u, unit_state **state)
{
    kane_errors errors = {0};
    kane_state *found  = NULL;
    if (u->phase > UNIT_INITIALIZING && u->simulation) {
        // an integrator of ours begins anew here, so that it continues as a unit restored from the state
        found = u->phase == UNIT_STEPPING && !unit_has_ended(u) ? kane_simulation_save(u->simulation, NULL, &errors)
                                                                : kane_simulation_get_state(u->simulation, &errors);
        if (!found)
            return unit_fail(u, &errors);
        unit_forget(u);
    }
    unit_state *s = write_state(u, found);
    kane_state_free(found);
    if (!s)
        return no_memory(u);
    free(*state);
    *state = s;
    return UNIT_OK;
}

// Whether the phase is one of the kind of unit, and there is a simulation where there must be one.
static int is_phase(const unit *u, const head *h)
{
    const int simulated = h->y_count > 0;
    switch (h->phase) {
    case UNIT_INSTANTIATED:
    case UNIT_INITIALIZING: return !simulated;
    case UNIT_EVENT:
    case UNIT_CONTINUOUS: return simulated && u->kind == UNIT_EXCHANGE;
    case UNIT_STEPPING:
    case UNIT_STEP_FAILED: return simulated && u->kind == UNIT_STEPS;
    case UNIT_TERMINATED: return simulated;
    case UNIT_FAILED: return 1;
    default: return 0;
    }
}

static int is_flag(int value)
{
    return value == 0 || value == 1;
}

// What the head says, but for what the model alone can tell (read_state).
static int is_possible(const unit *u, const head *h)
{
    return is_phase(u, h) && (h->y_count == 0 || h->y_count == u->state_count) && h->frames >= 0 && h->rows >= 0 &&
           h->tree_speeds >= 0 && (h->y_count > 0 || (h->frames == 0 && h->rows == 0 && h->tree_speeds == 0)) &&
           is_flag(h->has_moved) && is_flag(h->steady) && is_flag(h->frozen) && h->tolerance >= 0.0 &&
           isfinite(h->tolerance) && h->t >= 0.0 && isfinite(h->t);
}

// All numbers that stand behind the head: parameters, inputs, y.
static int are_finite(const head *h, const unsigned char *bytes)
{
    packer p           = {NULL, bytes, sizeof *h};
    const size_t count = (size_t)h->parameters + (size_t)h->inputs + (size_t)h->y_count;
    for (size_t i = 0; i < count; i++) {
        double value = 0.0;
        transfer_bytes(&p, &value, sizeof value);
        if (!isfinite(value))
            return 0;
    }
    return 1;
}

// Whether bytes are a state of this unit; NULL, or what is wrong with them.
static const char *find_fault(const unit *u, size_t size, const unsigned char *bytes, head *h)
{
    char hash[KANE_HASH_SIZE];
    if (size < sizeof *h + sizeof hash)
        return "these bytes are too few for a state of a unit";
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return "these bytes are no state of a unit";
    kane_hash_bytes(bytes, size - sizeof hash, hash);
    if (memcmp(hash, bytes + size - sizeof hash, sizeof hash) != 0)
        return "the state is not what it was when it was saved";
    if (memcmp(h->guid, u->guid, sizeof h->guid) != 0 || h->inputs != u->input_count ||
        h->parameters != u->parameter_count)
        return "this is a state of another unit";
    if (h->kind != (int)u->kind)
        return "a state of model exchange is none of co-simulation, nor the other way round";
    if (!is_possible(u, h) || measure(h) != size || !are_finite(h, bytes))
        return "no unit is ever in such a state: it is not one that was saved";
    return NULL;
}

static kane_state *read_state(const unit *u, const head *h, packer *p, kane_errors *errors)
{
    kane_state *state = kane_state_create(u->model, h->y_count, errors);
    if (!state)
        return NULL;
    kane_discrete *d = state->discrete;
    if (h->frames != d->frame_count || h->rows != d->row_count || h->tree_speeds != d->tree_speed_count ||
        h->inputs != d->input_count) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "the state is none of this model's");
        kane_state_free(state);
        return NULL;
    }
    state->t         = h->t;
    state->has_moved = h->has_moved;
    d->speed_piece   = h->speed_piece;
    d->steady        = h->steady;
    d->frozen        = h->frozen;
    transfer_lists(p, h, state);
    return state;
}

// Parameters and tolerance as they were: where they differ the simulation is made anew.
static void take_parameters(unit *u, const head *h, packer *p)
{
    int differ = u->tolerance != h->tolerance;
    for (int i = 0; i < u->parameter_count; i++) {
        double value = 0.0;
        transfer_bytes(p, &value, sizeof value);
        differ |= value != u->parameters[i];
        u->parameters[i] = value;
    }
    u->tolerance = h->tolerance;
    if (differ)
        unit_drop_simulation(u);
}

// After an error the unit may be anywhere between what it was and the state: unit_conclude lets no call continue from
// there.
unit_status unit_take_up(unit *u, const unit_state *from)
{
    kane_errors errors = {0};
    head h;
    const char *wrong = from ? find_fault(u, from->size, from->bytes, &h) : "there is no state";
    if (wrong)
        return unit_refuse(u, wrong);
    packer p = {NULL, from->bytes, sizeof h};
    take_parameters(u, &h, &p);
    transfer_bytes(&p, u->input, (size_t)u->input_count * sizeof(double));
    unit_forget(u);
    if (h.y_count == 0) { // before it is simulated
        unit_drop_simulation(u);
        u->phase = (unit_phase)h.phase;
        return UNIT_OK;
    }
    if (unit_prepare(u) != UNIT_OK)
        return UNIT_ERROR;
    kane_state *state        = read_state(u, &h, &p, &errors);
    const kane_status status = state ? kane_simulation_resume(u->simulation, state, &errors) : KANE_BAD_ARGUMENT;
    kane_state_free(state);
    if (status != KANE_OK)
        return unit_fail(u, &errors);
    u->phase = (unit_phase)h.phase;
    return UNIT_OK;
}

// --- states as bytes ---

unit_status unit_measure_state(const unit *u, const unit_state *state, size_t *size)
{
    if (!state)
        return unit_refuse(u, "there is no state");
    if (!unit_is_given(u, size, "size"))
        return UNIT_ERROR;
    *size = state->size;
    return UNIT_OK;
}

unit_status unit_serialize(const unit *u, const unit_state *state, size_t size, unsigned char *bytes)
{
    if (!state || !bytes || size < state->size)
        return unit_refuse(u, !state ? "there is no state" : "there is no room for the state");
    memcpy(bytes, state->bytes, state->size);
    return UNIT_OK;
}

unit_status unit_deserialize(unit *u, size_t size, const unsigned char *bytes, unit_state **state)
{
    head h;
    const char *wrong = bytes ? find_fault(u, size, bytes, &h) : "there are no bytes";
    if (wrong)
        return unit_refuse(u, wrong);
    unit_state *s = malloc(sizeof *s + size);
    if (!s)
        return no_memory(u);
    s->size = size;
    memcpy(s->bytes, bytes, size);
    free(*state);
    *state = s;
    return UNIT_OK;
}

unit_status unit_free_state(unit_state **state)
{
    if (state) {
        free(*state);
        *state = NULL;
    }
    return UNIT_OK;
}
