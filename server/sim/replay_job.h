/* world.replay: one log at a time is run again, in slices that let the worlds have their turn. */
#ifndef SIM_REPLAY_JOB_H
#define SIM_REPLAY_JOB_H

#include <sim/simulation.h>
#include <wire/errors.h>

/* Takes the request, a world.replay, and answers it when done. false with *error: another one
 * runs, or the log cannot be run; the request stays the caller's. */
bool replay_job_begin(struct sim *sim, struct client *client, struct wire_request *request,
                      struct wire_error *error);
/* For at most SIM_SLICE_US. */
void replay_job_slice(struct sim *sim);
/* Without an answer: its caller left, or the simulation ends. */
void replay_job_end(struct sim *sim);

#endif
