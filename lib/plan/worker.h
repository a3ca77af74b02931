// SPDX-License-Identifier: MIT
// What a worker process does, and how a result travels.

#ifndef KANE_PLAN_WORKER_H
#define KANE_PLAN_WORKER_H

#include <kane/plan.h>

#include <sys/types.h>

// A result as bytes of fixed size: state, values, reason.
size_t kane_answer_size(int value_count);
void kane_answer_pack(const kane_case *result, int value_count, char *bytes);
void kane_answer_unpack(const char *bytes, int value_count, kane_case *result);

// In a fresh child: signals that the parent deals with, the end of the parent.
void kane_worker_settle(pid_t parent);

// Takes numbers of cases from the socket and sends results back, until the other end is gone. Does not return.
_Noreturn void kane_worker_go(int socket, kane_case_work work, void *data, int value_count);

#endif
