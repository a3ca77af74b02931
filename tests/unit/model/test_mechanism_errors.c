// SPDX-License-Identifier: MIT
// Mechanisms that cannot be: each with its whole message.

#include "unit/model/joined.h"

// A good one to start from: a crank in the frame, a rod on it, a marker on each, a constraint.
typedef struct mechanism {
    kane_joint_definition joint[3];
    kane_start_definition start;
    kane_motion_definition motion;
    kane_body_definition bodies[3];
    kane_marker_definition markers[3];
    kane_term_definition terms[10];
    kane_constraint_definition constraints[2];
    kane_given_definition given[2];
    kane_vehicle_definition d;
} mechanism;

static const double coefficients[] = {0.0, 1.0};

// A frame that does not move.
static void rest(const void *data, double t, kane_transport *transport)
{
    (void)data;
    (void)t;
    *transport = kane_transport_rest();
}

static void not_there(const void *data, double x, double f[4])
{
    (void)data;
    (void)x;
    f[0] = (double)NAN;
    f[1] = f[2] = f[3] = 0.0;
}

static void begin(mechanism *m)
{
    *m           = (mechanism){.joint = {joined_by(KANE_JOINT_REVOLUTE, NULL, kv3_zero()),
                                         joined_by(KANE_JOINT_REVOLUTE, "crank", kv3(1.0, 0.0, 0.0)),
                                         joined_by(KANE_JOINT_SPHERICAL, "rod", kv3(3.0, 0.0, 0.0))}};
    m->bodies[0] = joined_body("crank", kv3(0.5, 0.0, 0.0), &m->joint[0]);
    m->bodies[1] = joined_body("rod", kv3(2.0, 0.0, 0.0), &m->joint[1]);
    m->bodies[2] = joined_body("ball", kv3(3.0, 0.0, -1.0), &m->joint[2]);
    m->motion    = (kane_motion_definition){
           .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = coefficients}};
    m->markers[0]     = (kane_marker_definition){.block = {"pin", NULL}, .on = "crank", .position = {1.0, 0.0, 0.0}};
    m->markers[1]     = (kane_marker_definition){.block = {"eye", NULL}, .on = "rod", .relative = "pin"};
    m->markers[2]     = (kane_marker_definition){.block = {"end", NULL}, .on = "rod", .relative = "eye"};
    m->terms[0]       = (kane_term_definition){"crank", "angle", 1.0};
    m->terms[1]       = (kane_term_definition){"rod", NULL, -2.0};
    m->constraints[0] = (kane_constraint_definition){
        .block = {"gear", NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 2, .terms = m->terms};
    m->constraints[1] = (kane_constraint_definition){.block   = {"strut", NULL},
                                                     .kind    = KANE_CONSTRAINT_DISTANCE,
                                                     .between = {NULL, "ball"},
                                                     .at      = {{.at = {0.0, 1.0, 0.0}}, {.at = {3.0, 0.0, -2.0}}}};
    m->d              = (kane_vehicle_definition){.block            = {"m", NULL},
                                                  .name             = "mechanism",
                                                  .body_count       = 3,
                                                  .bodies           = m->bodies,
                                                  .marker_count     = 3,
                                                  .markers          = m->markers,
                                                  .constraint_count = 2,
                                                  .constraints      = m->constraints};
}

static void expect(const mechanism *m, const char *text)
{
    CHECK_ERRORS errors = {0};
    kane_model *model   = joined_try(&m->d, &errors);
    if (errors.count != 1 || strcmp(kane_errors_get(&errors, 0)->text, text) != 0) {
        for (int i = 0; i < errors.count; i++)
            print_error("found:    %s\n", kane_errors_get(&errors, i)->text);
        print_error("expected: %s\n", text);
    }
    assert_null(model);
    assert_int_equal(errors.count, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
}

CHECK_TEST(bodies_and_their_parents)
{
    mechanism m;
    begin(&m);
    m.joint[1].parent = "cranc";
    expect(&m, "no body is called 'cranc'; did you mean 'crank'? known: crank, rod, ball");
    begin(&m);
    m.joint[1].parent = "rod";
    expect(&m, "'rod' is attached to itself");
    begin(&m);
    m.joint[0].parent = "ball";
    expect(&m, "joints form a closed circle: 'crank' on 'ball' on 'rod' on 'crank'; open it and close the "
               "loop by a constraint");
    begin(&m);
    m.bodies[1].block.name = "crank";
    m.d.body_count         = 2;
    m.d.marker_count = m.d.constraint_count = 0;
    expect(&m, "there are two bodies called 'crank'");
    begin(&m);
    m.bodies[0].kind       = KANE_BODY_SPINNING;
    m.joint[0].kind        = KANE_JOINT_SPHERICAL;
    m.terms[0]             = m.terms[1];
    m.bodies[0].inertia[3] = m.bodies[0].inertia[4] = m.bodies[0].inertia[5] = 0.0;
    m.bodies[0].inertia[2]                                                   = m.bodies[0].inertia[0];
    expect(
        &m,
        "'crank' spins, and its axes do not: a body attached to it must first turn about its axle, as an axle box on "
        "its bearing; give this joint the axis [0, 1, 0] (\"revolute\") and a point on the axle");
    begin(&m);
    m.bodies[1].frame     = "tilted";
    m.d.given_frame_count = 1;
    m.d.given_frames      = &(kane_given_frame){.block = {"tilted", NULL}, .motion = rest};
    expect(&m, "'rod' is attached to 'crank' and shares its frame; leave \"frame\" out");
    begin(&m);
    m.bodies[2].mass = -1.0;
    expect(&m, "the mass of 'ball' is -1 kg; must not be negative");
    begin(&m);
    m.bodies[2].inertia[1] = -0.1;
    m.bodies[2].inertia[3] = m.bodies[2].inertia[4] = m.bodies[2].inertia[5] = 0.0;
    m.bodies[2].inertia[0] = m.bodies[2].inertia[2] = 0.5;
    expect(&m, "a principal moment of inertia is -0.1; must not be negative");
}

CHECK_TEST(joints)
{
    mechanism m;
    begin(&m);
    m.joint[1].kind      = KANE_JOINT_FREE;
    m.d.constraint_count = 0;
    expect(&m, "a free joint has at least one freedom; a joint without any is a \"weld\"");
    begin(&m);
    m.joint[2].kind     = KANE_JOINT_FREE;
    m.joint[2].dof      = KANE_ALL_DOF;
    m.joint[2].rotation = "zxz";
    expect(
        &m,
        "'zxz' is not an order of turns; it names each of the axes x, y and z once, such as \"zxy\" (yaw, roll, pitch)");
    begin(&m);
    m.joint[1].rotation = "zxy";
    expect(&m, "only a free joint has freedoms and a rotation order that can be chosen");
    begin(&m);
    m.joint[1].from.axes = km3_diag(1.0, 1.0, -1.0);
    expect(&m, "axes are no rotation: they must be of unit length, square to each other and right-handed (off by 2)");
    begin(&m);
    m.joint[1].motion_count = 1;
    m.joint[1].motions      = &m.motion;
    m.motion.coordinate     = 1;
    expect(&m, "coordinate 1 of a revolute joint cannot be prescribed: it has 1");
    begin(&m);
    m.joint[2].motion_count = 1;
    m.joint[2].motions      = &m.motion;
    expect(&m, "Euler parameters cannot be prescribed one by one; use a free joint with three turns");
    begin(&m);
    m.bodies[0].start = &m.start;
    m.start.q[2]      = 0.5;
    expect(&m, "the start of 'crank' names coordinate 2; it has 1 coordinates and 1 speeds");
    begin(&m);
    m.bodies[0].start       = &m.start;
    m.start.rate[0]         = 0.5;
    m.joint[0].motion_count = 1;
    m.joint[0].motions      = &m.motion;
    expect(&m, "'angle' of 'crank' is prescribed over time: it has no start of its own");
}

CHECK_TEST(spinning_bodies)
{
    const kane_mat3 along_y = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    mechanism m;
    begin(&m);
    m.d.body_count = m.d.marker_count = 2;
    m.d.constraint_count              = 0;
    m.bodies[1].kind                  = KANE_BODY_SPINNING;
    m.bodies[1].inertia[2]            = m.bodies[1].inertia[0];
    m.bodies[1].inertia[3] = m.bodies[1].inertia[4] = m.bodies[1].inertia[5] = 0.0;
    m.joint[1].from.axes = m.joint[1].to.axes = along_y;
    kane_model_free(joined_model(&m.d));
    m.joint[1].to.axes = km3_identity();
    expect(&m, "'rod' spins about its y axis, but its revolute joint does not let it");
    m.joint[1].to.axes          = along_y;
    m.constraints[0]            = m.constraints[1];
    m.constraints[0].between[1] = "rod";
    m.constraints[0].kind       = KANE_CONSTRAINT_ROD;
    m.constraints[0].mass       = 1.0;
    m.d.constraint_count        = 1;
    expect(&m, "'rod' spins about its axle: a rod with mass must end at a point of the axle; leave \"mass\" out, or "
               "put the rod on a body on the axle");
}

CHECK_TEST(markers)
{
    mechanism m;
    begin(&m);
    m.markers[1].relative = "pim";
    m.markers[2].relative = NULL;
    expect(&m, "no marker is called 'pim'; did you mean 'pin'? known: pin, eye, end");
    begin(&m);
    m.markers[0].relative = "end";
    expect(&m,
           "markers refer to each other in a circle: 'pin' -> 'end' -> 'eye' -> 'pin'; one of them needs its place in "
           "the drawing");
    begin(&m);
    m.markers[2].block.name = "pin";
    expect(&m, "there are two markers called 'pin'");
    begin(&m);
    m.markers[0].on = "axle";
    expect(&m, "no body is called 'axle'; known: crank, rod, ball");
    begin(&m);
    m.joint[1].to.marker = "pin";
    expect(&m, "marker 'pin' is on 'crank'; the joint of 'rod' needs one on 'rod'");
    begin(&m);
    m.joint[0].from.marker = "eye";
    expect(&m, "marker 'eye' is on 'rod'; the joint of 'crank' needs one on the frame");
    begin(&m);
    m.constraints[1].at[1].marker = "end";
    expect(&m, "marker 'end' is on 'rod'; side 2 of 'strut' needs one on 'ball'");
}

CHECK_TEST(sides_of_constraints)
{
    mechanism m;
    begin(&m);
    m.constraints[1].between[1] = "bull";
    expect(&m, "no body is called 'bull'; did you mean 'ball'? known: crank, rod, ball");
    begin(&m);
    m.constraints[1].between[1] = NULL;
    expect(&m, "both sides are held by frames: there is nothing to constrain");
    begin(&m);
    m.constraints[1].between[0] = "ball";
    expect(&m, "both sides are on 'ball'; a constraint acts between two bodies, or a body and the frame");
    begin(&m);
    m.constraints[1].length = -1.0;
    expect(&m, "the length of a rod is -1 m; must be positive (or left out: as drawn)");
    begin(&m);
    m.constraints[1].at[0].at = m.constraints[1].at[1].at;
    expect(&m,
           "a rod of no length has no direction: its ends are drawn in one point; give \"length\", or join the points "
           "by a spherical constraint");
    begin(&m);
    m.constraints[1].kind = KANE_CONSTRAINT_ROLLING;
    expect(&m, "the radius of a rolling disc is 0 m; must be positive");
    begin(&m);
    m.constraints[1].kind = KANE_CONSTRAINT_CURVE;
    expect(&m, "a function is missing: a polynomial, a sine, a table or a user-defined one");
    begin(&m);
    m.constraints[1].block.name = "gear";
    expect(&m, "there are two constraints called 'gear'");
    begin(&m);
    m.constraints[1].closed = KANE_CLOSED_TRANSMISSION;
    expect(&m, "a transmission is a linear relation of two coordinates");
}

CHECK_TEST(relations_of_coordinates)
{
    mechanism m;
    begin(&m);
    m.terms[1].body = "rad";
    expect(&m, "no body is called 'rad'; did you mean 'rod'? known: crank, rod, ball");
    begin(&m);
    m.terms[0].coordinate = "travel";
    expect(&m, "'crank' has no coordinate 'travel'; known: angle");
    begin(&m);
    m.joint[1].kind = KANE_JOINT_PLANAR;
    expect(&m, "'rod' has several coordinates; say which one: x, y, angle");
    begin(&m);
    m.joint[1].kind = KANE_JOINT_WELD;
    expect(&m, "'rod' has no coordinate: its joint is a weld");
    begin(&m);
    m.terms[1].body = "ball";
    expect(&m, "Euler parameters of 'ball' cannot be related to other coordinates; use a free joint with three turns");
    begin(&m);
    m.terms[1].factor = 0.0;
    expect(&m, "the factor of 'rod' is 0; must be a number other than 0");
    begin(&m);
    m.constraints[0].term_count = 0;
    expect(&m, "there are 0 terms; must be 1 to 8");
    begin(&m);
    m.constraints[0].kind        = KANE_CONSTRAINT_FUNCTION;
    m.constraints[0].term_count  = 1;
    m.constraints[0].function[0] = m.motion.function;
    expect(&m, "a function relates two coordinates, not 1: the first one follows from the second");
    begin(&m);
    m.constraints[0].closed = KANE_CLOSED_FOUR_BAR;
    expect(&m, "a closed form of a loop belongs to the constraint that closes it, not to a relation of coordinates");
}

// One number of a constraint over time.
static void give(mechanism *m, int constraint, kane_given_number number, const double *c)
{
    m->given[0] = (kane_given_definition){
        .number = number, .term = 1, .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = c}};
    m->given[1]                            = m->given[0];
    m->constraints[constraint].given       = m->given;
    m->constraints[constraint].given_count = 1;
}

CHECK_TEST(numbers_over_time)
{
    static const double shrinks[] = {-0.1, 1.0};
    mechanism m;
    begin(&m);
    give(&m, 0, KANE_GIVEN_LENGTH, coefficients);
    expect(&m, "'length' of the constraint 'gear' cannot be given: this kind of constraint has no such number");
    begin(&m);
    give(&m, 0, KANE_GIVEN_YAW, coefficients);
    expect(&m, "'yaw' of the constraint 'gear' cannot be given: this kind of constraint has no such number");
    begin(&m);
    give(&m, 1, KANE_GIVEN_OFFSET, coefficients);
    expect(&m, "'offset' of the constraint 'strut' cannot be given: this kind of constraint has no such number");
    begin(&m);
    give(&m, 1, KANE_GIVEN_ALONG, coefficients);
    expect(&m, "'along' of the constraint 'strut' cannot be given: this kind of constraint has no such number");
    begin(&m);
    give(&m, 0, KANE_GIVEN_FACTOR, coefficients);
    expect(&m, "'factor' of the constraint 'gear' is given twice: as a constant and as a function of time");
    begin(&m);
    give(&m, 0, KANE_GIVEN_OFFSET, coefficients);
    m.constraints[0].offset = 0.5;
    expect(&m, "'offset' of the constraint 'gear' is given twice: as a constant and as a function of time");
    begin(&m);
    give(&m, 0, KANE_GIVEN_OFFSET, coefficients);
    m.constraints[0].given_count = 2;
    expect(&m, "'offset' of the constraint 'gear' is given over time twice");
    begin(&m);
    give(&m, 1, KANE_GIVEN_LENGTH, shrinks);
    expect(&m, "the length of a rod is -0.1 m at t = 0; must be positive");
    begin(&m);
    give(&m, 1, KANE_GIVEN_X, coefficients);
    m.given[0].function.coefficients = NULL;
    expect(&m, "a polynomial has no coefficients; it needs at least one, the constant first");
    begin(&m);
    give(&m, 1, KANE_GIVEN_X, coefficients);
    m.given[0].function = (kane_function){.kind = KANE_FUNCTION_USER, .own = not_there};
    expect(&m, "x or its derivatives at t = 0 are not finite: nan, 0, 0");
    begin(&m);
    give(&m, 1, KANE_GIVEN_NUMBERS, coefficients);
    expect(&m, "there is no such number to be given over time");
}

CHECK_TEST(masses_that_are_singular)
{
    mechanism m;
    begin(&m); // nothing beyond the rod has mass
    m.bodies[1].mass = m.bodies[2].mass = 0.0;
    for (int i = 0; i < 6; i++)
        m.bodies[1].inertia[i] = m.bodies[2].inertia[i] = 0.0;
    m.d.body_count       = 2;
    m.d.constraint_count = 0;
    expect(
        &m,
        "singular mass: the joint of 'rod' can move, but neither 'rod' nor any body attached to it has mass or inertia "
        "in that freedom");
    begin(&m); // nothing can move
    m.joint[0].kind = m.joint[1].kind = KANE_JOINT_WELD;
    m.d.body_count                    = 2;
    m.d.constraint_count              = 0;
    expect(&m, "nothing can move: joints and constraints leave no freedom");
}

static void no_acceleration(const void *data, double x, double derivatives[4])
{
    (void)data;
    derivatives[0] = x;
    derivatives[1] = 1.0;
    derivatives[2] = derivatives[3] = NAN;
}

static void rest_nowhere(const void *data, double t, kane_transport *transport)
{
    rest(data, t, transport);
    transport->omega.z = NAN;
}

CHECK_TEST(given_frames)
{
    mechanism m;
    kane_joint_definition turn    = {.kind = KANE_JOINT_REVOLUTE, .motion_count = 1, .motions = &m.motion};
    const kane_given_frame plain  = {.block = {"deck", NULL}, .motion = rest},
                           turned = {{"table", NULL}, .joint = &turn};
    kane_given_frame frames[2];
    const struct {
        kane_given_frame frame;
        const char *text;
    } rows[] = {
        {{{"deck", NULL}, .relative = "table", .motion = rest},
         "a frame that moves by a user-defined function moves against A, and by nothing else"},
        {{.block = {"deck", NULL}}, "neither a joint nor a function says how the frame moves"},
        {{{"deck", NULL}, .joint = &turn, .motion = rest},
         "a frame that moves by a user-defined function moves against A, and by nothing else"},
        {{{"table", NULL}, .motion = rest}, "no frame can be called 'table': there is another one of this name"},
        {{{"track", NULL}, .motion = rest},
         "no frame can be called 'track': \"track\" and \"ground\" mean the frame of the other side"},
        {{{"deck", NULL}, .relative = "tible", .joint = &turn},
         "no frame is called 'tible'; did you mean 'table'? known: table, deck"},
        {{{"deck", NULL}, .motion = rest_nowhere},
         "the velocity of 'deck' is not finite at the start; functions that frames move by need a value and two "
         "derivatives"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&m);
        frames[0]             = turned;
        frames[1]             = rows[i].frame;
        m.d.given_frames      = frames;
        m.d.given_frame_count = 2;
        expect(&m, rows[i].text);
    }
    frames[1] = plain;
    begin(&m);
    m.d.given_frames      = frames;
    m.d.given_frame_count = 2;
    turn.from.marker      = "pin";
    expect(&m, "the joint of a frame is given by its point and axes, not by markers");
    turn.from.marker  = NULL;
    m.motion.function = (kane_function){.kind = KANE_FUNCTION_USER, .own = no_acceleration};
    expect(&m,
           "the acceleration of 'table' is not finite at the start; functions that frames move by need a value and two "
           "derivatives");
    m.motion.is_rate = 1;
    expect(&m, "a rate cannot be a user-defined function: give what it is the rate of");
    m.motion.is_rate  = 0;
    m.motion.function = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = coefficients};
    m.bodies[0].frame = "deck";
    m.joint[0].parent = "table";
    expect(&m, "'crank' is attached to the frame 'table', which is not its own; leave \"frame\" out");
    m.bodies[0].frame      = NULL;
    m.markers[0].on        = "deck";
    m.joint[0].from.marker = "pin";
    expect(&m, "marker 'pin' is on the frame 'deck', in which 'crank' is not described; name it as its \"frame\"");
    m.joint[0].parent = NULL;
    m.bodies[0].frame = "table";
    expect(&m, "marker 'pin' is on the frame 'deck', in which 'crank' is not described; name it as its \"frame\"");
}

// A link without mass is allowed as long as what hangs on it has some.
CHECK_TEST(massless_links_between)
{
    mechanism m;
    begin(&m);
    m.bodies[1].mass = 0.0;
    for (int i = 0; i < 6; i++)
        m.bodies[1].inertia[i] = 0.0;
    m.d.constraint_count           = 0;
    CHECK_OWNED(kane_model) *model = joined_model(&m.d);
    assert_int_equal(model->tree_count, 1);
}

CHECK_MAIN(NULL, NULL)
