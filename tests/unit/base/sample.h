// SPDX-License-Identifier: MIT
// A small kind of document that uses every kind of key, and a text of it: what the tests of reading share.

#ifndef KANE_TESTS_SAMPLE_H
#define KANE_TESTS_SAMPLE_H

#include "check.h"

#include "base/document.h"
#include "base/schema.h"

typedef struct body {
    kane_block block;
    double mass;
    kane_vec3 inertia;
    kane_vec3 at;
} body;

static const kane_key body_keys[] = {
    KANE_KEY(body, mass, NUMBER, REQUIRED, NULL, "kg", POSITIVE, NULL, "mass"),
    KANE_KEY(body, inertia, VECTOR, REQUIRED, NULL, "kg m^2", NOT_NEGATIVE, NULL, "about the mass centre"),
    KANE_KEY(body, at, VECTOR, OPTIONAL, "[0, 0, \"1 m\"]", "m", ANY, NULL, "mass centre on the vehicle"),
};
static const kane_schema body_schema = KANE_SCHEMA(body, "body", body_keys, "A rigid body.");

typedef struct spring {
    kane_block block;
    double stiffness;
    double preload;
} spring;

static const kane_key spring_keys[] = {
    KANE_KEY(spring, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL, "stiffness"),
    KANE_KEY(spring, preload, NUMBER, OPTIONAL, NULL, "N", ANY, NULL, "force at rest"),
};
static const kane_schema spring_schema = KANE_SCHEMA(spring, "spring", spring_keys, "A linear spring.");

typedef struct joint {
    kane_block block;
    double bending;
    double damping;
} joint;

static const kane_key joint_keys[] = {
    KANE_KEY(joint, bending, NUMBER, REQUIRED, NULL, "N m/rad", POSITIVE, NULL, "rotational stiffness"),
    KANE_KEY(joint, damping, NUMBER, OPTIONAL, "20 N m s", "N m s/rad", NOT_NEGATIVE, NULL, "rotational damping"),
};
static const kane_schema joint_schema = KANE_SCHEMA(joint, "joint", joint_keys, "A rotational spring.");

typedef struct element {
    kane_block block;
    kane_variant law;
    kane_texts between;
    int is_mirrored;
    const kane_node *curve;
} element;

static const kane_key element_keys[] = {
    KANE_KEY(element, law, VARIANT, REQUIRED, NULL, NULL, ANY, NULL, "what acts"),
    KANE_KEY(element, between, TEXTS, REQUIRED, NULL, NULL, ANY, NULL, "names of two bodies"),
    KANE_KEY_NAMED(element, is_mirrored, "mirror", SWITCH, OPTIONAL, "true", NULL, ANY, NULL, "the same on the right"),
    KANE_KEY(element, curve, RAW, OPTIONAL, NULL, NULL, ANY, NULL, "points of a characteristic"),
};
static const kane_schema element_schema = KANE_SCHEMA(element, "element", element_keys, "A force element.");

typedef struct section {
    kane_block block;
    double length;
    int shape;
    kane_numbers coefficients;
    int steps;
} section;

static const char *const shapes[]    = {"clothoid", "cosine", "bloss", NULL};
static const kane_key section_keys[] = {
    KANE_KEY(section, length, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL, "length along the line"),
    KANE_KEY(section, shape, CHOICE, OPTIONAL, "cosine", NULL, ANY, shapes, "shape of a transition"),
    KANE_KEY(section, coefficients, NUMBERS, OPTIONAL, NULL, "1", ANY, NULL, "of a polynomial"),
    KANE_KEY(section, steps, COUNT, OPTIONAL, "8", NULL, POSITIVE, NULL, "steps of the drawing"),
};
static const kane_schema section_schema = KANE_SCHEMA(section, "section", section_keys, "A section of the line.");

typedef struct start {
    kane_block block;
    double at;
    double speed;
    double heading;
} start;

static const kane_key start_keys[] = {
    KANE_KEY(start, at, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "place on the line"),
    KANE_KEY(start, speed, NUMBER, OPTIONAL, "54 km/h", "m/s", NOT_NEGATIVE, NULL, "speed"),
    KANE_KEY(start, heading, NUMBER, OPTIONAL, "3 deg", "rad", ANY, NULL, "direction"),
};
static const kane_schema start_schema = KANE_SCHEMA(start, "start", start_keys, "Where it begins.");

typedef struct bdf {
    kane_block block;
    double rtol;
} bdf;

static const kane_key bdf_keys[] = {
    KANE_KEY(bdf, rtol, NUMBER, OPTIONAL, "1e-6", "1", POSITIVE, NULL, "relative tolerance"),
};
static const kane_schema bdf_schema = KANE_SCHEMA(bdf, "bdf", bdf_keys, "Backward differences.");

typedef struct disc {
    kane_block block;
    double brake_force;
} disc;

static const kane_key disc_keys[] = {
    KANE_KEY(disc, brake_force, NUMBER, REQUIRED, NULL, "N", NOT_NEGATIVE, NULL, "force of the brake"),
};
static const kane_schema disc_schema = KANE_SCHEMA(disc, "disc", disc_keys, "A disc brake.");

typedef struct wagon {
    kane_block block;
    const char *name;
    const char *guide;
    double friction;
    start start;
    kane_items bodies;
    kane_items elements;
    kane_items sections;
    kane_texts channels;
    kane_variant method;
    kane_variant brake;
} wagon;

static const kane_key wagon_keys[] = {
    KANE_KEY(wagon, name, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "name of the wagon"),
    KANE_KEY(wagon, guide, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "the body that leads"),
    KANE_KEY(wagon, friction, NUMBER, OPTIONAL, "0.3", "1", FRACTION, NULL, "coefficient of friction"),
    KANE_KEY(wagon, start, OBJECT, OPTIONAL, NULL, NULL, ANY, &start_schema, "where it begins"),
    KANE_KEY(wagon, bodies, MAP, REQUIRED, NULL, NULL, ANY, &body_schema, "bodies by name"),
    KANE_KEY(wagon, elements, MAP, OPTIONAL, NULL, NULL, ANY, &element_schema, "elements by name"),
    KANE_KEY(wagon, sections, LIST, OPTIONAL, NULL, NULL, ANY, &section_schema, "sections of the line"),
    KANE_KEY(wagon, channels, TEXTS, OPTIONAL, "[\"*\"]", NULL, ANY, NULL, "what is written"),
    KANE_KEY(wagon, method, VARIANT, OPTIONAL, "bdf", NULL, ANY, "methods", "how it is integrated"),
    KANE_KEY(wagon, brake, VARIANT, OPTIONAL, NULL, NULL, ANY, NULL, "how it is stopped"),
};
static const kane_schema wagon_schema = KANE_SCHEMA(wagon, "wagon", wagon_keys, "A wagon on a line.");

static const int spring_tag, joint_tag;

static const kane_option laws[] = {
    {"spring", &spring_schema, &spring_tag}, {"joint", &joint_schema, &joint_tag}, {"rigid", NULL, NULL}};
static const kane_option methods[]   = {{"bdf", &bdf_schema, NULL}, {"euler", NULL, NULL}};
static const kane_option brakes[]    = {{"disc", &disc_schema, NULL}};
static const kane_options variants[] = {{"law", laws, 3}, {"methods", methods, 2}, {"brake", brakes, 1}};

static const kane_format formats[]    = {{"wagon", 1, 1, &wagon_schema}, {"line", 1, 3, &section_schema}};
static const kane_formats all_formats = {formats, 2};
static const kane_grammar grammar     = {&formats[0], variants, 3};

static const char sample_text[] =
    "{ \"kane\": \"wagon 1\", \"$schema\": \"wagon.json\", \"name\": \"two \\u2192 axles\",\n"
    "  \"note\": [\"measured\", \"in spring\"],\n"
    "  \"patterns\": {\n"
    "    \"any spring\": { \"note\": \"soft\", \"law\": \"spring\", \"stiffness\": \"1.22 MN/m\", \"mirror\": false },\n"
    "    \"hard spring\": { \"like\": \"any spring\", \"stiffness\": 3e6 } },\n"
    "  \"bodies\": {\n"
    "    \"body\": { \"mass\": \"34 t\", \"inertia\": [5e4, 4.5e5, 4.5e5], \"at\": [0, 0, 1.6] },\n"
    "    \"leading\": { \"mass\": 1250, \"inertia\": [800, 100, \"800 kg m^2\"] } },\n"
    "  \"elements\": {\n"
    "    \"note\": \"left ones\",\n"
    "    \"left box\": { \"like\": \"hard spring\", \"between\": [\"body\", \"leading\"], \"curve\": [[0, 1], [2, 3]] },\n"
    "    \"pivot\": { \"law\": \"joint\", \"bending\": \"2 kN m/rad\", \"between\": [\"body\", \"leading\"] },\n"
    "    \"weld\": { \"law\": \"rigid\", \"between\": [] } },\n"
    "  \"sections\": [ { \"length\": \"50 m\" }, { \"length\": 60, \"shape\": \"bloss\", \"coefficients\": [1, \"2 %\"] } ],\n"
    "  \"start\": { \"speed\": \"72 km/h\" },\n"
    "  \"method\": \"bdf\", \"rtol\": 1e-8\n"
    "}\n";

// Reads a text as a wagon. NULL with errors if anything is wrong.
static inline const wagon *sample_read(kane_arena *arena, const char *text, const char *const *settings,
                                       kane_errors *errors)
{
    kane_reader reader = {.arena = arena, .errors = errors, .variants = variants, .variant_count = 3};
    kane_node *root    = kane_document_parse(arena, "w.json", text, strlen(text), settings, errors);
    return root ? kane_document_read(&reader, root, all_formats, "wagon", NULL) : NULL;
}

// All errors of a call, a line each.
static inline void sample_list(const kane_errors *errors, size_t size, char *buffer)
{
    size_t n  = 0;
    buffer[0] = '\0';
    for (int i = 0; i < errors->kept && n < size; i++) {
        n += (size_t)kane_error_format(kane_errors_get(errors, i), size - n, buffer + n);
        if (n + 1 < size && i + 1 < errors->count) {
            buffer[n++] = '\n';
            buffer[n]   = '\0';
        }
    }
}

#endif
