// SPDX-License-Identifier: MIT
// Central differences:  df/dx = (f(x + h) - f(x - h))/(2 h) + O(h^2)

#include "math/dense.h"

int kane_central_difference(int count, const kane_varied *list, kane_varied_function *eval, const void *data, int size,
                            double *slopes)
{
    for (int k = 0; k < count; k++) {
        double f[2][KANE_VARIED_MOST], moved[2];
        for (int side = 0; side < 2; side++) {
            const double h   = side ? list[k].step : -list[k].step;
            moved[side]      = h;
            const int status = eval(data, list[k].variable, h, &moved[side], f[side]);
            if (status != 0)
                return status;
        }
        for (int i = 0; i < size; i++)
            slopes[k * size + i] = (f[1][i] - f[0][i]) / (moved[1] - moved[0]);
    }
    return 0;
}
