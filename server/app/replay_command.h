/* `clothd replay FILE`: a command log run again without a server. */
#ifndef APP_REPLAY_COMMAND_H
#define APP_REPLAY_COMMAND_H

#include <app/options.h>

/* Exit statuses. */
enum { REPLAY_SAME = 0, REPLAY_OTHER = 1, REPLAY_UNREADABLE = 2 };

/* Runs options->replay_file (the reply of world.log, or its result; "-": standard input), within
 * the limits of options. Prints to out "identical", or "differs at tick …" with the object and vertex
 * and, in the next line, what they are here; to errors what is wrong with the file, and at which byte. */
int replay_command_main(const struct options *options, FILE *out, FILE *errors);

#endif
