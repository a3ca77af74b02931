// SPDX-License-Identifier: MIT
// Sums of second order, J1, J2 and g: against a closed form with either way of masses, against the masses themselves,
// and against integrals over quadratic tetrahedra, whose mass by rows is negative at corners.

#include "flexible_models.h"

#include "folder.h"

static const double PI = 3.14159265358979323846;

// --- a bar that stretches ---

// J1_yy of the first mode along a bar from its end, phi = sqrt(2 / (rho A L)) cos(pi x / L): 2 rho A int (x - L/2) phi
// dx
static double change_of_inertia(int elements, const char *mass)
{
    char rest[128];
    (void)snprintf(rest, sizeof rest, "\"mass\":\"%s\",\"modes\":{\"count\":%d}", mass, 6 * elements);
    CHECK_OWNED(kane_flexible) *m = read_slender_beam(elements, "\"near\":{\"at\":[0,0,0]}", rest);
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    int at                        = 0; // the mode that goes along x
    while (fabs(d->shape.figure.shapes[at].x) <
               10.0 * kv3_norm(kv3(0.0, d->shape.figure.shapes[at].y, d->shape.figure.shapes[at].z)) ||
           fabs(d->shape.figure.shapes[at].x) < 1e-3)
        at++;
    check_near(d->frequency[at], sqrt(2.1e11 / 7850.0) / 10.0,
               0.02 * d->frequency[at]); // elements are too stiff by (pi / count)^2 / 24
    const double *J1 = d->shape.inertia[at];
    check_near(J1[0], 0.0, 1e-9);
    check_near(J1[1], J1[2], 1e-9);
    const double found = d->shape.figure.shapes[at].x < 0.0 ? J1[1] : -J1[1]; // of the bar as it grows longer
    return found;
}

CHECK_TEST(both_ways_have_one_limit)
{
    const double L = 5.0, line = 7850.0 * SLENDER_A;
    const double wanted = 4.0 * L * L / (PI * PI) * line * sqrt(2.0 / (line * L));
    for (int i = 0; i < 2; i++) {
        const char *mass = i ? "lumped" : "consistent";
        const double few = fabs(change_of_inertia(6, mass) - wanted), many = fabs(change_of_inertia(12, mass) - wanted);
        check_near(few, 0.0, 0.05 * wanted);                   // (pi / 6)^2 / 6 of it, lumped
        check_near(few / many, i ? 4.0 : 16.0, i ? 0.2 : 1.6); // order 2; of the mass matrix even 4, on a bar
    }
}

// --- masses on arms ---

typedef struct lump {
    kane_vec3 at, half; // six masses at +- half
    double mass;
} lump;

static const lump lumps[3] = {{{0.3, 0.9, 0.2}, {0.3, 0.4, 0.1}, 40.0},
                              {{2.1, -0.7, 0.9}, {0.2, 0.1, 0.5}, 60.0},
                              {{4.0, 0.4, -0.8}, {0.6, 0.3, 0.2}, 25.0}};

// The masses are heavy and the beam is light, so that sums over 18 points are all that there is.
static kane_flexible *read_lumps(void)
{
    char masses[1024] = "", points[512] = "", text[4096];
    for (int i = 0; i < 3; i++) {
        const lump *l   = &lumps[i];
        const double m3 = l->mass / 3.0;
        (void)snprintf(masses + strlen(masses), sizeof masses - strlen(masses),
                       "%s\"%d\":{\"at\":[%g,%g,%g],\"mass\":%g,\"inertia\":[%.17g,%.17g,%.17g]}", i ? "," : "", i,
                       l->at.x, l->at.y, l->at.z, l->mass, m3 * (l->half.y * l->half.y + l->half.z * l->half.z),
                       m3 * (l->half.x * l->half.x + l->half.z * l->half.z),
                       m3 * (l->half.x * l->half.x + l->half.y * l->half.y));
        (void)snprintf(points + strlen(points), sizeof points - strlen(points), "%s\"%d\":{\"at\":[%g,%g,%g]}",
                       i ? "," : "", i, l->at.x, l->at.y, l->at.z);
    }
    (void)snprintf(text, sizeof text,
                   "{\"kane\":\"flexible 1\",\"inertia\":\"full\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[4,1,-1],"
                   "\"count\":4,\"A\":1e-4,\"Iy\":1e-6,\"Iz\":2e-6,\"J\":1e-6,\"density\":1e-8,\"polar\":1e-14}},"
                   "\"masses\":{%s},\"interfaces\":{%s},\"modes\":{\"count\":6}}",
                   masses, points);
    return read_good_text(text);
}

typedef struct sums {
    double J1[6][6], J2[6][6][6];
    kane_vec3 g[6][6];
} sums;

// Adds a mass at x, from the mass centre of all, that goes by S[i] in mode i.
static void add_mass(double m, kane_vec3 x, const kane_vec3 S[6], sums *s)
{
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            const int p = pair[c][0], q = pair[c][1];
            const double one = p == q ? 2.0 * kv3_dot(x, S[i]) : 0.0;
            s->J1[i][c] += m * (one - kv3_get(x, p) * kv3_get(S[i], q) - kv3_get(x, q) * kv3_get(S[i], p));
            for (int j = 0; j < 6; j++)
                s->J2[i][j][c] +=
                    m * ((p == q ? kv3_dot(S[i], S[j]) : 0.0) -
                         0.5 * (kv3_get(S[i], p) * kv3_get(S[j], q) + kv3_get(S[i], q) * kv3_get(S[j], p)));
        }
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            s->g[j][i] = kv3_add_scaled(s->g[j][i], m, kv3_cross(S[j], S[i]));
}

static void check_sums(const kane_flexible_data *d, const sums *s, double part)
{
    const double size = cbrt(d->inertia[0] * d->inertia[1] * d->inertia[2]);
    assert_int_equal(d->mode_count, 6);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            check_near(d->shape.inertia[i][c], s->J1[i][c], part * sqrt(size));
            for (int j = 0; j < 6; j++)
                check_near(d->shape.second[6 * i + j][c], s->J2[i][j][c], part);
        }
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            check_vec3(d->shape.gyration[6 * j + i], s->g[j][i], part);
}

CHECK_TEST(masses_on_arms_count_where_they_are_and_as_they_turn)
{
    CHECK_OWNED(kane_flexible) *m = read_lumps();
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    static sums s;
    memset(&s, 0, sizeof s);
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 6; side++) {
            const kane_deformable_point *p = &d->shape.points[k];
            const kane_vec3 arm =
                kv3_scale((side % 2 ? 1.0 : -1.0) * kv3_get(lumps[k].half, side / 2), kv3_unit(side / 2));
            kane_vec3 S[6];
            for (int i = 0; i < 6; i++)
                S[i] = kv3_add(kv3(p->S[i], p->S[6 + i], p->S[12 + i]),
                               kv3_cross(kv3(p->Psi[i], p->Psi[6 + i], p->Psi[12 + i]), arm));
            add_mass(lumps[k].mass / 6.0, kv3_sub(kv3_add(lumps[k].at, arm), d->centre), S, &s);
        }
    check_sums(d, &s, 1e-8);
}

// tr J2_ii is twice the modal mass; lumped masses do not know how sections turn.
CHECK_TEST(the_trace_of_second_sums_is_the_modal_mass)
{
    CHECK_OWNED(kane_flexible) *m =
        read_slender_beam(5, "\"near\":{\"at\":[0,0,0]}", "\"inertia\":\"full\",\"modes\":{\"count\":12}");
    const kane_flexible_data *d = kane_flexible_get_data(m);
    for (int i = 0; i < 12; i++) {
        const double *J2 = d->shape.second[13 * i];
        check_near(J2[0] + J2[1] + J2[2], 2.0, 1e-10);
    }
}

static kane_flexible *read_turned(const char *to, const char *up)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "{\"kane\":\"flexible 1\",\"inertia\":\"full\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":%s,\"up\":%s,"
        "\"count\":3,\"A\":0.01,\"Iy\":2e-3,\"Iz\":9e-4,\"J\":3e-4,\"shear\":0.5}},"
        "\"interfaces\":{\"near\":{\"at\":[0,0,0]}},\"modes\":{\"count\":18}}",
        to, up);
    return read_good_text(text);
}

// v' J v
static double along(const double J[6], kane_vec3 v)
{
    return J[0] * v.x * v.x + J[1] * v.y * v.y + J[2] * v.z * v.z +
           2.0 * (J[3] * v.x * v.y + J[4] * v.x * v.z + J[5] * v.y * v.z);
}

// The same beam along x and askew, in its own axes; modes may have other signs.
CHECK_TEST(a_beam_is_the_same_in_any_attitude)
{
    const double r    = sqrt(0.5);
    const kane_vec3 x = kv3(2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0), z = kv3(r, -r, 0.0);
    const kane_vec3 to[3]                = {x, kv3_cross(z, x), z};
    CHECK_OWNED(kane_flexible) *straight = read_turned("[3,0,0]", "[0,0,1]"),
                               *askew    = read_turned("[2,2,1]", "[1,-1,0]");
    const kane_deformable *a = &kane_flexible_get_data(straight)->shape, *b = &kane_flexible_get_data(askew)->shape;
    for (int i = 0; i < 18; i++)
        for (int axis = 0; axis < 3; axis++) {
            check_near(fabs(along(a->inertia[i], kv3_unit(axis))), fabs(along(b->inertia[i], to[axis])), 1e-7);
            for (int j = 0; j < 18; j++) {
                check_near(fabs(along(a->second[18 * i + j], kv3_unit(axis))),
                           fabs(along(b->second[18 * i + j], to[axis])), 1e-7);
                check_near(fabs(kv3_get(a->gyration[18 * i + j], axis)),
                           fabs(kv3_dot(b->gyration[18 * i + j], to[axis])), 1e-7);
            }
        }
}

// --- quadratic tetrahedra ---

enum { NX = 4, NODES = (2 * NX + 1) * 9, ROWS = 3 * NODES, TETS = 6 * NX, POINTS = 64 };

typedef struct block {
    kane_vec3 x[NODES];
    int tets[TETS][10]; // corners, then edges 01 12 02 03 13 23
    double M[NODES][NODES];
    double K[ROWS][ROWS];
} block;

static const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
static const double SIZE[3] = {0.8, 0.1, 0.06}, DENSITY = 7850.0;

static int node_of(int i, int j, int k)
{
    return (i * 3 + j) * 3 + k;
}

// Six tetrahedra a brick, along its diagonal; edges have their middles on a grid twice as fine.
static void make_tets(block *b)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i <= 2 * NX; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                b->x[node_of(i, j, k)] = kv3(SIZE[0] * i / (2 * NX), SIZE[1] * j / 2, SIZE[2] * k / 2);
    for (int brick = 0; brick < NX; brick++)
        for (int t = 0; t < 6; t++) {
            int corner[4][3] = {{2 * brick, 0, 0}}, *tet = b->tets[6 * brick + t];
            for (int c = 1; c < 4; c++) {
                memcpy(corner[c], corner[c - 1], sizeof corner[c]);
                corner[c][orders[t][c - 1]] += 2;
            }
            for (int c = 0; c < 4; c++)
                tet[c] = node_of(corner[c][0], corner[c][1], corner[c][2]);
            for (int e = 0; e < 6; e++) {
                const int *p = corner[edges[e][0]], *q = corner[edges[e][1]];
                tet[4 + e] = node_of((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
            }
        }
}

// Shape functions and their gradients at point g of a tetrahedron, and the volume that it stands for. The points are
// those of Gauss in a cube of which one side is drawn to a point and another one to a line: exact to degree 5.
static double at_point(const block *b, const int *tet, int g, double N[10], kane_vec3 dN[10])
{
    static const double gauss[4]  = {0.069431844202973712, 0.330009478207571868, 0.669990521792428132,
                                     0.930568155797026288};
    static const double weight[4] = {0.173927422568726929, 0.326072577431273071, 0.326072577431273071,
                                     0.173927422568726929};
    const double r = gauss[g % 4], s = gauss[g / 4 % 4], t = gauss[g / 16];
    const double L[4]  = {1.0 - r, r * (1.0 - s), r * s * (1.0 - t), r * s * t};
    const kane_vec3 *x = b->x;
    const kane_vec3 e1 = kv3_sub(x[tet[1]], x[tet[0]]), e2 = kv3_sub(x[tet[2]], x[tet[0]]),
                    e3 = kv3_sub(x[tet[3]], x[tet[0]]);
    const double six   = kv3_dot(e1, kv3_cross(e2, e3)); // its sign is that of the order of corners
    kane_vec3 dL[4]    = {{0},
                          kv3_scale(1.0 / six, kv3_cross(e2, e3)),
                          kv3_scale(1.0 / six, kv3_cross(e3, e1)),
                          kv3_scale(1.0 / six, kv3_cross(e1, e2))};
    dL[0]              = kv3_neg(kv3_add(dL[1], kv3_add(dL[2], dL[3])));
    for (int c = 0; c < 4; c++) {
        N[c]  = L[c] * (2.0 * L[c] - 1.0);
        dN[c] = kv3_scale(4.0 * L[c] - 1.0, dL[c]);
    }
    for (int e = 0; e < 6; e++) {
        const int p = edges[e][0], q = edges[e][1];
        N[4 + e]  = 4.0 * L[p] * L[q];
        dN[4 + e] = kv3_add(kv3_scale(4.0 * L[q], dL[p]), kv3_scale(4.0 * L[p], dL[q]));
    }
    return fabs(six) * r * r * s * weight[g % 4] * weight[g / 4 % 4] * weight[g / 16];
}

// Isotropic: lambda (div u)^2 + 2 mu e:e
static void assemble(block *b)
{
    const double E = 2.1e11, nu = 0.3, lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = E / (2.0 * (1.0 + nu));
    for (int t = 0; t < TETS; t++)
        for (int g = 0; g < POINTS; g++) {
            const int *tet = b->tets[t];
            double N[10];
            kane_vec3 dN[10];
            const double volume = at_point(b, tet, g, N, dN);
            for (int p = 0; p < 10; p++)
                for (int q = 0; q < 10; q++) {
                    b->M[tet[p]][tet[q]] += volume * DENSITY * N[p] * N[q];
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            b->K[3 * tet[p] + i][3 * tet[q] + j] +=
                                volume *
                                (lambda * kv3_get(dN[p], i) * kv3_get(dN[q], j) +
                                 mu * (kv3_get(dN[p], j) * kv3_get(dN[q], i) + (i == j ? kv3_dot(dN[p], dN[q]) : 0.0)));
                }
        }
}

static void write_matrix(const char *name, const block *b, int is_mass)
{
    FILE *f   = fopen(name, "w");
    int count = 0;
    assert_non_null(f);
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            (void)fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", ROWS, ROWS, count);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j <= i; j++) {
                const double value = is_mass ? (i % 3 == j % 3 ? b->M[i / 3][j / 3] : 0.0) : b->K[i][j];
                count += !pass && value != 0.0;
                if (pass && value != 0.0)
                    (void)fprintf(f, "%d %d %.17g\n", i + 1, j + 1, value);
            }
    }
    (void)fclose(f);
}

static kane_flexible *read_tets(const block *b, const char *mass)
{
    FILE *nodes = fopen("tets.inp", "w"), *unknowns = fopen("tets.dof", "w");
    char text[1024];
    assert_true(nodes && unknowns);
    (void)fprintf(nodes, "*NODE\n");
    for (int k = 0; k < NODES; k++) {
        (void)fprintf(nodes, "%d, %.17g, %.17g, %.17g\n", k + 1, b->x[k].x, b->x[k].y, b->x[k].z);
        (void)fprintf(unknowns, "%d.1\n%d.2\n%d.3\n", k + 1, k + 1, k + 1);
    }
    (void)fclose(nodes);
    (void)fclose(unknowns);
    write_matrix("tets.k", b, 0);
    write_matrix("tets.m", b, 1);
    (void)snprintf(
        text, sizeof text,
        "{\"kane\":\"flexible 1\",\"inertia\":\"full\",\"mass\":\"%s\",\"matrices\":{\"format\":\"matrixmarket\","
        "\"nodes\":\"tets.inp\",\"unknowns\":\"tets.dof\",\"stiffness\":\"tets.k\",\"mass\":\"tets.m\"},"
        "\"interfaces\":{\"end\":{\"at\":[0,0.05,0.03],\"radius\":0.07}},\"modes\":{\"count\":6}}",
        mass);
    return read_good_text(text);
}

// Integrals over all tetrahedra with the shapes that nodes have.
static void integrate(const block *b, const kane_flexible_data *d, sums *s)
{
    memset(s, 0, sizeof *s);
    for (int t = 0; t < TETS; t++)
        for (int g = 0; g < POINTS; g++) {
            double N[10];
            kane_vec3 dN[10], x = kv3_neg(d->centre), S[6] = {{0}};
            const double m = DENSITY * at_point(b, b->tets[t], g, N, dN);
            for (int p = 0; p < 10; p++) {
                x = kv3_add_scaled(x, N[p], b->x[b->tets[t][p]]);
                for (int i = 0; i < 6; i++)
                    S[i] = kv3_add_scaled(S[i], N[p], d->shape.figure.shapes[6 * b->tets[t][p] + i]);
            }
            add_mass(m, x, S, s);
        }
}

CHECK_TEST(quadratic_tetrahedra_are_summed_as_they_move)
{
    static block b;
    static sums s;
    double row = 0.0;
    make_tets(&b);
    assemble(&b);
    for (int k = 0; k < NODES; k++)
        row += b.M[node_of(0, 2, 0)][k];
    assert_true(row < 0.0); // a corner
    CHECK_OWNED(kane_flexible) *m = read_tets(&b, "consistent");
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    check_near(d->mass, DENSITY * SIZE[0] * SIZE[1] * SIZE[2], 1e-10 * d->mass);
    check_near(d->frequency[0], 498.4, 10.0); // 22.373 / (2 pi L^2) sqrt(E I / (rho A))
    integrate(&b, d, &s);
    check_sums(d, &s, 1e-10);
    CHECK_OWNED(kane_flexible) *lumped = read_tets(&b, "lumped");
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            check_near(kane_flexible_get_data(lumped)->shape.second[7 * i][c], s.J2[i][i][c], 0.25);
}

CHECK_MAIN(enter_folder, leave_folder)
