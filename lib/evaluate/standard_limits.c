// SPDX-License-Identifier: MIT
// Quantities and their limits. docs/analyses.md says where each comes from and how certain it is.

#include "evaluate/standard.h"

const char *kane_vehicle_class_name(kane_vehicle_class kind)
{
    static const char *const names[KANE_VEHICLE_CLASSES] = {"coach", "locomotive", "bogie-wagon", "two-axle-wagon"};
    return kind < KANE_VEHICLE_CLASSES ? names[kind] : NULL;
}

static const kane_quantity quantities[KANE_QUANTITIES] = {
    [KANE_Q_MAX]       = {"Q_max", "N", "vertical wheel force, 20 Hz, 99.85 %", KANE_ASSESSED_WHEEL},
    [KANE_Q_QST]       = {"Q_qst", "N", "vertical wheel force in the full curve, 20 Hz, 50 %", KANE_ASSESSED_WHEEL},
    [KANE_UNLOADING]   = {"unloading", "1", "1 - Q/Q_0, Q: 20 Hz, 0.15 %", KANE_ASSESSED_WHEEL},
    [KANE_LIFT_OFFS]   = {"lift_offs", "1", "times that the wheel leaves the rail", KANE_ASSESSED_WHEEL},
    [KANE_Y_MAX]       = {"Y_max", "N", "guiding force outward, 20 Hz, 99.85 %", KANE_ASSESSED_WHEEL},
    [KANE_Y_QST]       = {"Y_qst", "N", "guiding force outward in the full curve, 20 Hz, 50 %", KANE_ASSESSED_WHEEL},
    [KANE_Y_OVER_Q]    = {"Y/Q", "1", "outward, 20 Hz, mean over 2 m, 99.85 %", KANE_ASSESSED_WHEEL},
    [KANE_WEAR_MEAN]   = {"T_gamma", "N", "wear number, mean over the distance", KANE_ASSESSED_WHEEL},
    [KANE_WEAR_MAX]    = {"T_gamma_max", "N", "wear number, 99.85 %", KANE_ASSESSED_WHEEL},
    [KANE_WEAR_SHARE]  = {"T_gamma_15_175", "1", "share of the distance with 15 N to 175 N", KANE_ASSESSED_WHEEL},
    [KANE_SUM_Y]       = {"sum_Y", "N", "track shifting force, 20 Hz, mean over 2 m, 0.15 and 99.85 %",
                          KANE_ASSESSED_WHEELSET},
    [KANE_INSTABILITY] = {"sum_Y_rms", "N", "instability: f_0 -2..+2 Hz, rms over 100 m, largest",
                          KANE_ASSESSED_WHEELSET},
    [KANE_ACC_Y_MAX]   = {"y_max", "m/s^2", "lateral, 0.4-10 Hz, 0.15 and 99.85 %", KANE_ASSESSED_SENSOR},
    [KANE_ACC_Z_MAX]   = {"z_max", "m/s^2", "vertical, 0.4-10 Hz, 0.15 and 99.85 %", KANE_ASSESSED_SENSOR},
    [KANE_ACC_Y_RMS]   = {"y_rms", "m/s^2", "lateral, 0.4-10 Hz, rms", KANE_ASSESSED_SENSOR},
    [KANE_ACC_Z_RMS]   = {"z_rms", "m/s^2", "vertical, 0.4-10 Hz, rms", KANE_ASSESSED_SENSOR},
    [KANE_ACC_Y_QST]   = {"y_qst", "m/s^2", "lateral in the full curve, 20 Hz, 50 %", KANE_ASSESSED_SENSOR},
    [KANE_COMFORT]     = {"N_MV", "1", "mean comfort of EN 12299 at the floor", KANE_ASSESSED_SENSOR},
    [KANE_SPERLING_Y]  = {"Wz_y", "1", "Sperling's value, lateral", KANE_ASSESSED_SENSOR},
    [KANE_SPERLING_Z]  = {"Wz_z", "1", "Sperling's value, vertical", KANE_ASSESSED_SENSOR},
    [KANE_FRAME_Y_MAX] = {"frame_y_max", "m/s^2", "bogie frame, lateral, 10 Hz, 0.15 and 99.85 %",
                          KANE_ASSESSED_SENSOR},
    [KANE_FRAME_Y_RMS] = {"frame_y_rms", "m/s^2", "bogie frame, instability: f_0 -2..+2 Hz, rms over 100 m, largest",
                          KANE_ASSESSED_SENSOR},
    [KANE_BOX_Y_MAX]   = {"box_y_max", "m/s^2", "axle box, lateral, 10 Hz, 0.15 and 99.85 %", KANE_ASSESSED_SENSOR},
    [KANE_BOX_Y_RMS]   = {"box_y_rms", "m/s^2", "axle box, instability: f_0 -2..+2 Hz, rms over 100 m, largest",
                          KANE_ASSESSED_SENSOR},
};

const kane_quantity *kane_quantity_get(int index)
{
    return index >= 0 && index < KANE_QUANTITIES ? &quantities[index] : NULL;
}

// Q_max: 90 kN + Q_0, but no more than the speed allows.
double kane_limit_Q(double static_load, double speed)
{
    static const double steps[][2] = {{160.0, 200e3}, {200.0, 190e3}, {250.0, 180e3}, {300.0, 170e3}}; // [km/h], [N]
    double most                    = 160e3;
    for (int i = 3; i >= 0; i--)
        if (3.6 * speed <= steps[i][0] * (1.0 + 1e-9))
            most = steps[i][1];
    return isfinite(static_load) ? fmin(90e3 + static_load, most) : (double)NAN;
}

// Prud'homme: k (10 kN + P_0/3)
double kane_limit_sum_Y(kane_vehicle_class kind, double static_axle_load)
{
    const int is_wagon = kind == KANE_CLASS_BOGIE_WAGON || kind == KANE_CLASS_TWO_AXLE_WAGON;
    return (is_wagon ? 0.85 : 1.0) * (10e3 + static_axle_load / 3.0);
}

// 12 m/s^2 less a fifth of that for each tonne of the bogie.
double kane_limit_frame(double bogie_mass)
{
    return 12.0 - bogie_mass / 5e3;
}

double kane_limit_of(kane_quantity_id id, kane_vehicle_class kind)
{
    // coach, locomotive, bogie wagon, two-axle wagon [m/s^2]
    static const double y_max[] = {2.5, 2.5, 3.0, 4.0}, z_max[] = {2.5, 2.5, 5.0, 5.0};
    static const double y_rms[] = {0.5, 0.5, 1.3, 1.5}, z_rms[] = {0.75, 1.0, 2.0, 2.0};
    static const double y_qst[] = {1.5, 1.5, 1.3, 1.3};
    switch (id) {
    case KANE_Q_QST: return 145e3;
    case KANE_Y_QST: return 60e3;
    case KANE_Y_OVER_Q: return 0.8;
    case KANE_UNLOADING: return 0.6;
    case KANE_ACC_Y_MAX: return y_max[kind];
    case KANE_ACC_Z_MAX: return z_max[kind];
    case KANE_ACC_Y_RMS: return y_rms[kind];
    case KANE_ACC_Z_RMS: return z_rms[kind];
    case KANE_ACC_Y_QST: return y_qst[kind];
    default: return (double)NAN;
    }
}

double kane_limit_size(kane_quantity_id id, double value)
{
    return id == KANE_Y_OVER_Q || id == KANE_UNLOADING ? value : fabs(value);
}

// Safety 3, fatigue of the track and running behaviour 2.2, quasi-static values 0: their mean.
double kane_limit_factor(kane_quantity_id id)
{
    switch (id) {
    case KANE_Y_OVER_Q:
    case KANE_SUM_Y:
    case KANE_INSTABILITY:
    case KANE_FRAME_Y_MAX:
    case KANE_FRAME_Y_RMS:
    case KANE_BOX_Y_MAX:
    case KANE_BOX_Y_RMS:
    case KANE_UNLOADING: return 3.0;
    case KANE_Q_MAX:
    case KANE_Y_MAX:
    case KANE_WEAR_MAX:
    case KANE_ACC_Y_MAX:
    case KANE_ACC_Z_MAX:
    case KANE_ACC_Y_RMS:
    case KANE_ACC_Z_RMS: return 2.2;
    case KANE_Q_QST:
    case KANE_Y_QST:
    case KANE_ACC_Y_QST: return 0.0;
    default: return (double)NAN;
    }
}
