/* From a request to its handler and back: reply, event, error.
 *
 * Every COMMAND(tag, …) of commands.def needs a function handle_<tag>; one that is missing
 * fails to link. A handler either does everything, adds its members to call->result and
 * returns 0, or changes nothing, fills call->error and returns -1.
 *
 * Per executed request, in this order: `event` to the world's members (★ commands), the
 * reply, then call->after. */
#ifndef SIM_DISPATCH_H
#define SIM_DISPATCH_H

#include <sim/simulation.h>
#include <wire/errors.h>
#include <wire/reply.h>

struct call {
    struct sim *sim;
    struct client *client;
    struct world
        *world; /* the one addressed; NULL for server.* and the like, and for a world that is to be created */
    struct wire_request *request;
    struct json result; /* within the result object */
    struct wire_error error;
    void (*after)(struct call *call); /* once the reply is on its way; NULL = nothing */
    bool later;                       /* the handler took the request: it answers by dispatch_answer */
};

enum { HANDLED = 0, REFUSED = -1 };

/* Takes the request. */
void dispatch_execute(struct sim *sim, struct client *client, struct wire_request *request);
/* For the metrics: a command that was not executed by dispatch_execute. */
void dispatch_count(struct sim *sim, enum wire_command command, bool failed);
/* Runs the handler of call->request alone: no event, no reply; what it asks for afterwards is in
 * call->after. HANDLED or REFUSED. Not for commands that answer later. */
int dispatch_apply(struct call *call);
/* Answers `busy` and frees the request. */
void dispatch_refuse_busy(struct sim *sim, struct client *client, struct wire_request *request);

/* For a call that was answered `later`: fill begins a result, answer adds the tick, sends
 * event (where there is a world) and reply. The request stays the caller's. */
void dispatch_answer(struct sim *sim, struct client *client, struct world *world,
                     const struct wire_request *request, struct json *result);

/* Handlers' failures; each fills call->error and returns REFUSED. */
int call_out_of_memory(struct call *call);
int call_no_such(struct call *call, const char *what, const char *name);
/* The longest text that `previous` may be for the command that undoes, less an eighth for a client
 * that writes numbers with blanks between them or in more digits. */
size_t call_longest_undo(const struct call *call, enum wire_command undo);
/* NULL after filling the error. */
struct object *call_cloth(struct call *call, const char *name);
struct object *call_collider(struct call *call, const char *name);

#define COMMAND(tag, method, mutates, struct_tag, help)                                                      \
    int handle_##tag(struct call *call, const struct wire_##struct_tag *params);
#include <wire/table_empty.inc>
#include "../../protocol/commands.def"
#include <wire/table_undef.inc>

#endif
