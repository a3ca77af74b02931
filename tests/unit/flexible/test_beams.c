// SPDX-License-Identifier: MIT
// Beams against closed forms: stiffness of an element, frequencies of free beams, inertia of what they carry.

#include "models.h"

#include "flexible/model.h"

static const kane_beam_input steel = {
    .up = {0.0, 0.0, 1.0}, .E = 2.1e11, .G = 8.1e10, .A = 6e-3, .Iy = 8e-6, .Iz = 3e-6, .J = 5e-6, .density = 7850.0};

typedef struct bar {
    kane_elements e;
    kane_vec3 x[2];
    double M[144], K[144];
} bar;

static void make_bar(bar *b, kane_vec3 to, const kane_beam_input *section)
{
    *b   = (bar){.x = {{0.0, 0.0, 0.0}, to}};
    b->e = (kane_elements){.node_count = 2, .x = b->x, .M = b->M, .K = b->K};
    kane_elements_add_beam(&b->e, 0, 1, section);
}

// Przemieniecki: 12 E I / ((1 + phi) L^3), 6 E I / ((1 + phi) L^2), (4 + phi) E I / ((1 + phi) L), (2 - phi) ...
CHECK_TEST(an_element_has_the_stiffness_of_timoshenkos_beam)
{
    for (int shear = 0; shear < 2; shear++) {
        kane_beam_input s = steel;
        bar b;
        const double L = 0.7;
        s.shear        = 0.5 * shear;
        make_bar(&b, kv3(L, 0.0, 0.0), &s);
        const struct {
            double I;
            int u, turn;
            double sign;
        } planes[2] = {{s.Iz, 1, 5, 1.0}, {s.Iy, 2, 4, -1.0}};
        for (int p = 0; p < 2; p++) {
            const double EI = s.E * planes[p].I, phi = shear ? 12.0 * EI / (s.shear * s.G * s.A * L * L) : 0.0;
            const double k = EI / ((1.0 + phi) * L * L * L), sign = planes[p].sign;
            const int u = planes[p].u, t = planes[p].turn;
            check_near(b.K[u * 12 + u], 12.0 * k, 1e-9 * 12.0 * k);
            check_near(b.K[u * 12 + 6 + u], -12.0 * k, 1e-9 * 12.0 * k);
            check_near(b.K[u * 12 + t], sign * 6.0 * k * L, 1e-9 * k);
            check_near(b.K[u * 12 + 6 + t], sign * 6.0 * k * L, 1e-9 * k);
            check_near(b.K[t * 12 + t], (4.0 + phi) * k * L * L, 1e-9 * k);
            check_near(b.K[t * 12 + 6 + t], (2.0 - phi) * k * L * L, 1e-9 * k);
        }
        check_near(b.K[0], s.E * s.A / L, 1e-3);
        check_near(b.K[3 * 12 + 3], s.G * s.J / L, 1e-6);
    }
}

// rho A L / 420 (156, 22 L, 54, -13 L, 4 L^2, -3 L^2) where neither shear nor rotation of sections counts.
CHECK_TEST(its_mass_is_consistent)
{
    kane_beam_input s = steel;
    bar b;
    const double L = 0.7, m = s.density * s.A * L / 420.0;
    s.Iz = s.Iy = 1e-16;
    make_bar(&b, kv3(L, 0.0, 0.0), &s);
    check_near(b.M[1 * 12 + 1], 156.0 * m, 1e-9);
    check_near(b.M[1 * 12 + 5], 22.0 * L * m, 1e-9);
    check_near(b.M[1 * 12 + 7], 54.0 * m, 1e-9);
    check_near(b.M[1 * 12 + 11], -13.0 * L * m, 1e-9);
    check_near(b.M[5 * 12 + 5], 4.0 * L * L * m, 1e-9);
    check_near(b.M[5 * 12 + 11], -3.0 * L * L * m, 1e-9);
    check_near(b.M[2 * 12 + 4], -22.0 * L * m, 1e-9);
    check_near(b.M[0], 140.0 * m, 1e-9);
    check_near(b.M[6], 70.0 * m, 1e-9);
}

// --- files ---

static const char *const file = "flexible_beams_test.json";

static kane_flexible *read_text(const char *text, kane_errors *errors)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
    kane_flexible *model = kane_flexible_read(file, NULL, errors);
    (void)remove(file);
    return model;
}

static kane_flexible *read_good(const char *text)
{
    return CHECK_GOOD(read_text, text);
}

// A free beam of 5 m along (x, y, z), slender: bending in both planes, twist and stretch.
static void check_free_beam(const char *to, const char *up)
{
    static const double beta[4] = {4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464};
    const double pi = 3.14159265358979323846, L = 5.0, rho = 7850.0, E = 2.1e11, G = 8.1e10, A = 1e-2;
    const double Iy = 2e-7, Iz = 9e-8, J = 3e-7, polar = 40.0;
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":%s,\"up\":%s,\"count\":24,"
                   "\"E\":2.1e11,\"G\":8.1e10,\"A\":1e-2,\"Iy\":2e-7,\"Iz\":9e-8,\"J\":3e-7,\"density\":7850,"
                   "\"polar\":%g}},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"count\":20}}",
                   to, up, polar);
    CHECK_OWNED(kane_flexible) *m = read_good(text);
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    double expected[20];
    int count = 0;
    for (int k = 0; k < 4; k++) {
        expected[count++] = beta[k] * beta[k] / (2.0 * pi * L * L) * sqrt(E * Iy / (rho * A));
        expected[count++] = beta[k] * beta[k] / (2.0 * pi * L * L) * sqrt(E * Iz / (rho * A));
    }
    // twist of linear elements of length h is too stiff by (pi h / L)^2 / 24 of it
    expected[count++] = (1.0 + pi * pi / (24.0 * 24.0 * 24.0)) / (2.0 * L) * sqrt(G * J / polar);
    for (int i = 0; i < count; i++) { // rotation of slender sections takes less than 1e-4
        double nearest = HUGE_VAL;
        for (int k = 0; k < d->mode_count; k++)
            nearest = fmin(nearest, fabs(d->frequency[k] - expected[i]) / expected[i]);
        if (!(nearest <= 1e-4)) {
            print_error("%g Hz is missed by %g of it\n", expected[i], nearest);
            fail();
        }
    }
    check_near(d->mass, rho * A * L, 1e-9 * rho * A * L);
    assert_true(d->momentum_left < 1e-12 && d->turning_left < 1e-12);
}

CHECK_TEST(free_beams_have_their_frequencies)
{
    check_free_beam("[5,0,0]", "[0,0,1]");
    check_free_beam("[0,0,5]", "[1,0,0]");
    check_free_beam("[3,0,4]", "[0,1,0]");
    check_free_beam("[2.4,3.2,-3]", "[1,1,2]");
}

// Two masses far from the axis: mass, mass centre and inertia by the parallel axis theorem; the points between go along
// rigidly.
CHECK_TEST(lumps_count_by_where_they_are)
{
    CHECK_OWNED(kane_flexible) *m =
        read_good("{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[1,0,0],\"to\":[3,0,0],\"count\":4,\"A\":1e-6,"
                  "\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6,\"density\":1e-3,\"polar\":1e-8}},\"masses\":{"
                  "\"p\":{\"at\":[1,0.5,0.2],\"mass\":40,\"inertia\":[1,2,3,0.1,0.2,0.3]},"
                  "\"q\":{\"at\":[3,-0.7,0.9],\"mass\":60,\"inertia\":[2,2,2]}},"
                  "\"interfaces\":{\"near\":{\"at\":[1.1,0.5,0.2]},\"p\":{\"at\":[1,0.5,0.2]}},\"modes\":{\"count\":1},"
                  "\"inertia\":\"full\"}");
    const kane_flexible_data *d = kane_flexible_get_data(m);
    const kane_vec3 at[2]       = {{1, 0.5, 0.2}, {3, -0.7, 0.9}};
    const double mass[2] = {40, 60}, own[2][6] = {{1, 2, 3, 0.1, 0.2, 0.3}, {2, 2, 2, 0, 0, 0}};
    const kane_vec3 centre = kv3_scale(0.01, kv3_add(kv3_scale(40, at[0]), kv3_scale(60, at[1])));
    double J[6]            = {0};
    for (int i = 0; i < 2; i++) {
        const kane_vec3 r   = kv3_sub(at[i], centre);
        const double six[6] = {
            r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y, -r.x * r.y, -r.x * r.z, -r.y * r.z};
        for (int k = 0; k < 6; k++)
            J[k] += own[i][k] + mass[i] * six[k];
    }
    check_near(d->mass, 100.0, 1e-6);
    check_vec3(d->centre, centre, 1e-7);
    for (int k = 0; k < 6; k++)
        check_near(d->inertia[k], J[k], 1e-6);
    for (int i = 0; i < 1; i++) { // one rigid arm from the same node: points differ by the turn alone
        const kane_deformable_point *near = &d->shape.points[0], *p = &d->shape.points[1];
        const kane_vec3 turn = kv3(p->Psi[0], p->Psi[1], p->Psi[2]);
        const kane_vec3 u = kv3(p->S[0], p->S[1], p->S[2]), v = kv3(near->S[0], near->S[1], near->S[2]);
        check_vec3(kv3_sub(v, u), kv3_cross(turn, kv3(0.1, 0, 0)), 1e-12);
    }
}

#define BEAM "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"A\":0.01,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}"
#define REST "\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"count\":2}"
#define HEAD "{\"kane\":\"flexible 1\",\"beams\":{"

// What is wrong with a file is said with its place.
CHECK_TEST(broken_models_are_refused)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"{\"kane\":\"track 1\"}", "flexible"},
        {"{\"kane\":\"flexible 2\"}", "flexible"},
        {HEAD "}," REST "}", "nodes"},
        {HEAD BEAM "},\"interfaces\":{},\"modes\":{\"count\":2}}", "nothing could hold"},
        {HEAD BEAM "},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{}}", "count"},
        {HEAD BEAM "},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"count\":2,\"up_to\":\"9 Hz\"}}", "one of"},
        {HEAD BEAM "},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"count\":2000}}", "more than"},
        {HEAD BEAM "},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"up_to\":\"0.1 Hz\"}}", "leaves no mode"},
        {HEAD BEAM "},\"interfaces\":{\"end\":{\"at\":[0,0]}},\"modes\":{\"count\":2}}", "at"},
        {HEAD BEAM ",\"c\":{\"from\":[0,1,0],\"to\":[2,1,0],\"A\":0.01,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST "}",
         "one piece"},
        {HEAD "\"b\":{\"from\":[0,0,0],\"to\":[0,0,0],\"A\":0.01,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST "}",
         "longer"},
        {HEAD
         "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"up\":[0,0,0],\"A\":0.01,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST
         "}",
         "direction"},
        {HEAD
         "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"count\":900,\"A\":0.01,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST
         "}",
         "nodes"},
        {HEAD "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"A\":-1,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST "}",
         "positive"},
        {HEAD "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"A\":\"0.01 kg\",\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST "}",
         "kg"},
        {HEAD "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST "}", "A"},
        {HEAD
         "\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"shear\":1.5,\"A\":0.01,\"Iy\":1e-6,\"Iz\":1e-6,\"J\":1e-6}}," REST
         "}",
         "shear"},
        {HEAD BEAM "},\"masses\":{\"m\":{\"at\":[0,0,0],\"mass\":1,\"inertia\":[1,2]}}," REST "}", "numbers"},
        {HEAD BEAM "},\"masses\":{\"m\":{\"at\":[0,0,0],\"mass\":-1}}," REST "}", "negative"},
        {HEAD BEAM "},\"masses\":{\"m\":{\"at\":[0,0,0],\"mass\":1,\"inertia\":[1,-2,1]}}," REST "}", "negative"},
        {HEAD BEAM "},\"damping\":-0.1," REST "}", "negative"},
        {HEAD BEAM "},\"rayleigh\":[0.1]," REST "}", "rayleigh: has 1 numbers; needs 2"},
        {HEAD BEAM "},\"rayleigh\":[0.1,-1]," REST "}", "negative"},
        {HEAD BEAM "},\"rayleigh\":[0.1,1e-3],\"damping\":0.1," REST "}", "give one of them"},
        {HEAD BEAM "},\"frame\":\"tip\"," REST "}", "'tip' is none of its interfaces; the first one is 'end'"},
        {HEAD BEAM "},\"frame\":\"tip\",\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"kind\":"
                   "\"craig-bampton\",\"count\":2}}",
         "frame: 'tip' is none of its interfaces"},
        {HEAD BEAM "},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},\"modes\":{\"count\":2,\"quasi_static\":0}}",
         "positive"},
        {HEAD BEAM "},\"inertia\":\"quadratic\"," REST "}", "inertia"},
        {HEAD BEAM "},\"beam\":{}," REST "}", "beam"},
        {HEAD BEAM "},\"stiffening\":\"tip\"," REST "}", "'tip' is none of its interfaces; the first one is 'end'"},
        {"{\"kane\":\"flexible 1\",\"matrices\":{\"format\":\"abaqus\",\"nodes\":\"a\",\"stiffness\":\"b\",\"mass\":"
         "\"c\"},\"stiffening\":\"end\"," REST "}",
         "is for beams"},
        {"{\"kane\":\"flexible 1\"", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_ERRORS errors           = {0};
        CHECK_OWNED(kane_flexible) *m = read_text(rows[i].text, &errors);
        char said[1024]               = "";
        if (errors.count > 0)
            (void)kane_error_format(kane_errors_get(&errors, 0), sizeof said, said);
        if (m || errors.count == 0 || !strstr(said, rows[i].says)) {
            print_error("row %d: %s, said: %s\n", (int)i, m ? "was read" : "refused", said);
            fail();
        }
    }
    CHECK_ERRORS errors = {0};
    assert_null(kane_flexible_read("no such file.json", NULL, &errors));
    assert_int_equal(errors.count, 1);
}

// Two modes of bending have one frequency, so a solver may give any two of their plane: what is kept is one in y, one
// in z.
CHECK_TEST(round_beams_bend_along_an_axis)
{
    CHECK_OWNED(kane_flexible) *m =
        CHECK_GOOD(kane_flexible_read, KANE_SOURCE_DIR "/data/flexible/connecting-rod.json", NULL);
    const kane_flexible_data *data = kane_flexible_get_data(m);
    const int n                    = data->mode_count;
    const double *end              = data->shape.points[0].S;
    for (int i = 0; i < n; i += 2) {
        const double *y = end + n + i, *z = end + 2 * n + i;
        const int in_y = fabs(y[0]) < fabs(z[0]); // which of the pair
        assert_true(fabs(y[in_y]) > 1.0);
        check_near(fabs(z[!in_y]), fabs(y[in_y]), 1e-6);
        check_near(z[in_y], 0.0, 1e-6);
        check_near(y[!in_y], 0.0, 1e-6);
    }
}

CHECK_MAIN(NULL, NULL)
