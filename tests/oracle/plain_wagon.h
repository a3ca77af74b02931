// SPDX-License-Identifier: MIT
// A two-axle wagon on a line, by Newton's and Euler's equations in axes at rest: a second opinion on everything between
// a vehicle's definition and its wheel loads. Plain code of the tests' own, which includes nothing of libkane.
//
//   m r'' = F,   J w' + w x J w = T       each body alone, absolute coordinates, attitude as a quaternion
//   explicit Runge-Kutta method of fourth order with steps of one length
//
// Wheels are cones, rail heads tubes about curves in space (plain_line.h). A wheel touches where a point of the tube's
// axis is nearest to the cone: one number is sought, in three dimensions, on the line as it is; no section, no frame,
// no rotation per metre. The car hangs on its axles by springs and dampers along its own three axes, from points of the
// car to points of the axles' centre lines; these turn no axle, so that an axle box needs no attitude. Nothing else
// holds the bodies. The whole is started in its static position on the first section, which must be straight.
//
// What it takes over from libkane are definitions, not code: Hertz' law with the curvatures of docs/contact.md, its
// dissipation N (1 + d w), creepages and their reference speed as in docs/contact.md, a creep law with given
// coefficients (linear, saturated as Shen, Hedrick and Elkins do), and that displacements of springs count from the
// static position.

#ifndef PLAIN_WAGON_H
#define PLAIN_WAGON_H

#include "plain_line.h"

enum { PLAIN_CAR, PLAIN_LEADING, PLAIN_TRAILING, PLAIN_BODIES };

// What is done over time: linear between the points, constant outside.
typedef struct plain_course {
    int count; // 0: nothing
    const double *time, *value;
} plain_course;

// Linear creep forces of a patch, saturated against mu N:
//   T_x = -f11 xi_x,   T_y = -(f22 xi_y + k f23 phi),   M = k f23 xi_y - f33 phi
typedef struct plain_creep {
    double f11, f22, f23, f33; // [N], [N], [N m], [N m^2]
    double friction;           // [1]; 0: the rails are as smooth as ice
} plain_creep;

typedef struct plain_wagon_definition {
    const plain_line *line;
    double gravity;                // [m/s^2]
    double mass[2];                // of the car, of a wheelset [kg]
    plain_vec inertia[2];          // about their own axes [kg m^2]
    double car_height;             // of the car's mass centre over the rails [m]
    double half_base;              // axles before and behind it [m]
    double spring_side;            // springs to the left and right of the middle [m]
    plain_vec stiffness, damping;  // of one of the four, along the car's axes [N/m], [N s/m]
    double radius, conicity;       // of the running circle [m]; [1]
    double wheel_side;             // running circles to the left and right of the middle [m]
    double shear_modulus, poisson; // [Pa], [1]
    double dissipation;            // [s/m]
    double slow;                   // speed that creepages refer to at rest [m/s]
    plain_creep creep;             //
    double start, speed;           // of the car at time 0 [m], [m/s]
    int is_prescribed;             // 1: the car's mass centre stays in the plane normal to the line ...
    double acceleration;           // ... at s = start + speed t + acceleration t^2/2
    plain_course force;            // on the car's mass centre, along the line [N]
    plain_course brake;            // torque against the spin of each wheelset, from the car [N m]
    double brake_spin;             // the brake's torque goes through zero over such a spin [rad/s]
} plain_wagon_definition;

// Of a body: place [m], quaternion (scalar first) to the axes at rest, velocity [m/s], angular velocity in its own
// axes.
typedef struct plain_body {
    plain_vec r;
    double q[4];
    plain_vec v, w;
} plain_body;

// Of a wheel on its rail.
typedef struct plain_contact {
    double s;        // where on the line
    int section;     //
    double approach; // [m], negative: they do not touch
    plain_vec force; // on the wheel [N]
    double N;        // normal force [N]
    double Q, Y;     // on the wheel: normal to the track plane, and along it to the left [N]
    plain_vec point; // [m]
} plain_contact;

typedef struct plain_energy {
    double kinetic, gravity, springs, contacts; // [J]
    double supplied, damped, slipped; // since the start: by drive and brakes, lost in dampers, lost in the contacts [J]
} plain_energy;

typedef struct plain_wagon {
    plain_wagon_definition d;
    double t;
    plain_body body[PLAIN_BODIES];
    double work[3];                // supplied, damped, slipped [J]
    plain_contact contact[2][2];   // of leading and trailing, left and right
    double rest[PLAIN_BODIES];     // static heights [m]
    double hertz[3], hertz_radius; // factor of approach^3/2 at three radius of the wheel [N/m^3/2]
    int plane;                     // section that the plane of a prescribed motion is on
    double pull;                   // force that keeps the car there [N]
} plain_wagon;

void plain_wagon_start(plain_wagon *w, const plain_wagon_definition *definition);

// `count` steps of length h [s]; contacts and pull are then those at the end.
void plain_wagon_go(plain_wagon *w, double h, int count);

// Coordinates of a body relative to the line's axes at s (by the formula of `section`): x, y, z [m]; yaw, roll, pitch
// [rad] with the attitude Rz(yaw) Rx(roll) Ry(pitch).
void plain_wagon_relative(const plain_wagon *w, int body, int section, double s, double q[6]);

// Where on the line a body is: the plane through its mass centre and normal to the line [m].
double plain_wagon_place(const plain_wagon *w, int body);

plain_energy plain_wagon_energy(const plain_wagon *w);

// Hertz: force over approach^3/2 for half the curvatures A (along) and B (across), contact modulus E* [N/m^3/2].
double plain_hertz(double A, double B, double E_star);

#endif
