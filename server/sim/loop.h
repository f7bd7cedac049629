/* The thread of a simulation. */
#ifndef SIM_LOOP_H
#define SIM_LOOP_H

#include <sim/simulation.h>

/* Starts a thread that calls simulation_run whenever it is due. 0 or a negative errno. */
int loop_start(struct sim *sim);
/* Any thread: something was pushed into the inbox. */
void loop_wake(struct loop *loop);
/* Asks the thread to end after the round that runs; whether it has ended. */
bool loop_ask_stop(struct sim *sim);
/* Ends the thread after the round that runs, and joins it. */
void loop_stop(struct sim *sim);

#endif
