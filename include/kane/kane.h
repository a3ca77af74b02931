// SPDX-License-Identifier: MIT
// All of libkane.

#ifndef KANE_KANE_H
#define KANE_KANE_H

#include <kane/agem.h>
#include <kane/base.h>
#include <kane/calls.h>
#include <kane/contact.h>
#include <kane/deformable.h>
#include <kane/creep_formula.h>
#include <kane/critical.h>
#include <kane/equations.h>
#include <kane/evaluate.h>
#include <kane/flexible.h>
#include <kane/force.h>
#include <kane/formula.h>
#include <kane/geometry.h>
#include <kane/input.h>
#include <kane/integrator.h>
#include <kane/jacobian.h>
#include <kane/laws.h>
#include <kane/linear.h>
#include <kane/locus.h>
#include <kane/math.h>
#include <kane/measure.h>
#include <kane/mechanism.h>
#include <kane/model.h>
#include <kane/number.h>
#include <kane/outside.h>
#include <kane/pattern.h>
#include <kane/plan.h>
#include <kane/regressor.h>
#include <kane/report.h>
#include <kane/results.h>
#include <kane/rods.h>
#include <kane/rows.h>
#include <kane/run.h>
#include <kane/scalar.h>
#include <kane/sensitivity.h>
#include <kane/signal.h>
#include <kane/simulate.h>
#include <kane/state.h>
#include <kane/steady.h>
#include <kane/stepper.h>
#include <kane/study.h>
#include <kane/sweep.h>
#include <kane/track.h>
#include <kane/transition.h>
#include <kane/transport.h>
#include <kane/vehicle.h>
#include <kane/view.h>

#endif
