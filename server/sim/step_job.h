/* world.step: many ticks of a paused world, in slices that let others have their turn. */
#ifndef SIM_STEP_JOB_H
#define SIM_STEP_JOB_H

#include <sim/simulation.h>

/* The world is paused and has no job. Takes the request, answers it when done. results: of its
 * commands, a JSON array (moved) or NULL. */
void step_job_begin(struct sim *sim, struct world *world, struct client *client, struct wire_request *request,
                    uint32_t ticks, char *results);
/* Runs ticks for at most SIM_SLICE_US; answers after the last. */
void step_job_slice(struct sim *sim, struct world *world);
/* Its caller left: the ticks that were run are told as an event, nobody is answered. */
void step_job_end(struct sim *sim, struct world *world);

#endif
