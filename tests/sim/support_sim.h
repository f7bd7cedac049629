/* A simulation without threads: a clock that the test turns, requests as JSON text
 * through the real decoder, and a record of everything that came out. */
#ifndef CLOTHD_TESTS_SUPPORT_SIM_H
#define CLOTHD_TESTS_SUPPORT_SIM_H

#include <cJSON.h>
#include <sim/simulation.h>

enum { BENCH_LOG = 4096 };

/* One output of the simulation, in order. */
struct bench_entry {
    struct sim_output *output;
    cJSON *json; /* SIM_TEXT parsed */
};

struct bench {
    struct sim *sim;
    uint64_t now_us;
    uint64_t read_us; /* the clock goes on by this with every look at it */
    int next_id;
    struct bench_entry log[BENCH_LOG];
    uint32_t count;
    uint32_t wakes;
};

/* main is loaded from spec (NULL: empty) and paused; client 1 is connected. */
void bench_open(struct bench *bench, const char *spec);
void bench_close(struct bench *bench);
void bench_clear(struct bench *bench); /* forgets the log */
void bench_connect(struct bench *bench, uint32_t client);
void bench_disconnect(struct bench *bench, uint32_t client);
void bench_want_key(struct bench *bench, uint32_t tier);

/* Runs rounds for us of the bench's clock, each when it is wanted. */
void bench_advance(struct bench *bench, uint64_t us);
/* One round at the present time; what it returned. */
uint64_t bench_run(struct bench *bench);

/* Pushes a request without running; params may be NULL. Returns its id. A text that does not
 * decode fails the test run. */
int bench_send(struct bench *bench, uint32_t client, const char *method, const char *params);
/* The reply to id, or NULL. The bench owns it. */
const cJSON *bench_reply(const struct bench *bench, int id);
/* Sends, runs until answered (≤ 10 s of the bench's clock): the result object, NULL if it was refused. */
const cJSON *bench_call(struct bench *bench, const char *method, const char *params);
const cJSON *bench_call_as(struct bench *bench, uint32_t client, const char *method, const char *params);
/* The same for a refusal: its error object, NULL if it was accepted. */
const cJSON *bench_refused(struct bench *bench, const char *method, const char *params);

/* The index-th notification `method` that client got: its params, or NULL. */
const cJSON *bench_notification(const struct bench *bench, uint32_t client, const char *method,
                                uint32_t index);
uint32_t bench_notifications(const struct bench *bench, uint32_t client, const char *method);
/* Position in the log of the first entry that matches, or UINT32_MAX. json_method NULL: any. */
uint32_t bench_position(const struct bench *bench, enum sim_output_kind kind, uint32_t client,
                        const char *json_method);
/* The index-th frame of a tier (0: any tier), or NULL. */
const struct sim_output *bench_frame(const struct bench *bench, uint32_t tier, uint32_t index);
uint32_t bench_frames(const struct bench *bench, uint32_t tier);
/* Of the last join of client. */
uint32_t bench_tier(const struct bench *bench, uint32_t client);

double bench_number(const cJSON *object, const char *name);      /* NaN when it is no number */
const char *bench_string(const cJSON *object, const char *name); /* "" when it is none */
/* state_hash of a world.describe of main. */
const char *bench_hash(struct bench *bench);

/* ---- a viewer that decodes what a tier sends ---- */

enum { VIEWER_OBJECTS = 8, VIEWER_VERTICES = 1024, VIEWER_POSES = 8 };

struct viewer_cloth {
    bool known;
    uint32_t epoch, tick, count, cols;
    int8_t step_exp;
    uint8_t flags; /* of the last segment */
    int32_t planes[3][VIEWER_VERTICES];
    float floats[3 * VIEWER_VERTICES]; /* codec F32 */
};

struct viewer {
    struct viewer_cloth cloths[VIEWER_OBJECTS];
    struct frame_pose poses[VIEWER_POSES];
    uint32_t pose_count, pose_tick;
    uint8_t pose_flags;
    uint32_t errors; /* segments that did not decode */
    uint32_t keys, deltas, unchanged;
};

/* Applies every segment of a message; cols of object i are taken from cloths[i].cols. */
void viewer_apply(struct viewer *viewer, const struct buffer *message);

#endif
