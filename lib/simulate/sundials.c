// SPDX-License-Identifier: MIT
// The context of SUNDIALS 6 and 7.
//
// Version 6: a context takes a pointer to an MPI communicator, which may be NULL; errors and warnings go to the handler
// of the integrator. Version 7: a context takes the communicator itself, where NULL is none of MPI's values; errors go
// to all handlers of the context, the first of which writes to the terminal; warnings go to the logger of the context,
// which writes as well, unless there is none. All other names that this library uses (sunrealtype, sunbooleantype,
// CVODE's functions) are the same in both.

#include "simulate/sundials.h"

#include <cvode/cvode.h>
#include <stdio.h>

#if SUNDIALS_VERSION_MAJOR >= 7

static void copy_message(int line, const char *function, const char *file, const char *text, SUNErrCode code,
                         void *data, SUNContext context)
{
    kane_sundials_message *message = data;
    (void)line;
    (void)function;
    (void)file;
    (void)context;
    (void)snprintf(message->text, sizeof message->text, "%s", text ? text : SUNGetErrMsg(code));
}

SUNContext kane_sundials_context(void)
{
    SUNContext context = NULL;
    if (SUNContext_Create(SUN_COMM_NULL, &context) != SUN_SUCCESS)
        return NULL;
    (void)SUNContext_ClearErrHandlers(context);
    (void)SUNContext_SetLogger(context, NULL);
    return context;
}

int kane_sundials_report(SUNContext context, void *cvode, kane_sundials_message *message)
{
    (void)cvode;
    return SUNContext_PushErrHandler(context, copy_message, message) == SUN_SUCCESS;
}

#else

static void copy_message(int code, const char *module, const char *function, char *text, void *data)
{
    kane_sundials_message *message = data;
    (void)code;
    (void)module;
    (void)function;
    (void)snprintf(message->text, sizeof message->text, "%s", text);
}

SUNContext kane_sundials_context(void)
{
    SUNContext context = NULL;
    return SUNContext_Create(NULL, &context) == 0 ? context : NULL;
}

int kane_sundials_report(SUNContext context, void *cvode, kane_sundials_message *message)
{
    (void)context;
    return CVodeSetErrHandlerFn(cvode, copy_message, message) == CV_SUCCESS;
}

#endif
