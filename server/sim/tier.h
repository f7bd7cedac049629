/* A tier: all clients of a world that get the same bytes.
 *
 * It remembers what its members have on their screens (the last published state) and
 * turns the world's next state into one message: a delta on that, a key, or both.
 *
 *   message = STATE per cloth in object order, then POSES
 *
 * After tier_prepare, encoding allocates nothing but the buffers that it returns. */
#ifndef SIM_TIER_H
#define SIM_TIER_H

#include <sim/content.h>
#include <wire/frame.h>

/* step_exp of a tier whose cloths each use their own. */
enum { TIER_STEP_AUTO = INT8_MAX };

/* Tells tiers of one world apart. */
struct tier_kind {
    enum frame_codec codec;
    int step_exp;       /* or TIER_STEP_AUTO */
    uint32_t divisor;   /* publishes every divisor-th tick */
    const char *cloths; /* their names, ascending, '\n' behind each; NULL = all */
};

/* What the members know of one cloth. */
struct tier_cloth {
    struct object *object; /* our reference */
    bool known;            /* planes or floats hold what was published last */
    bool cut;              /* it jumped: the next frame says so */
    int8_t step_exp;       /* in use now; coarser than wanted while something is far away */
    int32_t *planes[2][3]; /* CB32: [side] is what was published, [!side] is written next */
    int side;
    float *floats[2]; /* F32: likewise, 3 per vertex in mesh order */
};

struct tier {
    uint32_t id;
    struct tier_kind kind; /* cloths is the tier's own */
    uint32_t member_count;
    uint32_t fresh_count; /* members that joined since the last key */
    bool want_key;        /* some member lost its place */
    bool force_key;       /* all did: only a key makes sense */
    bool poses_cut;
    uint32_t epoch;           /* of the world when last prepared */
    uint32_t objects_version; /* likewise */
    uint32_t last_tick;       /* of the last published frame, valid when published */
    uint32_t last_us;         /* likewise */
    bool published;
    struct tier_cloth *cloths;
    uint32_t cloth_count;
    struct frame_pose *poses[2]; /* [pose_side] is what was published */
    uint32_t pose_count[2], pose_capacity;
    int pose_side;
    size_t message_bound;  /* bytes that one message can take */
    uint32_t max_vertices; /* of the largest cloth */
};

/* Shared by all tiers of a simulation; grows in tier_prepare only. */
struct tier_scratch {
    unsigned char *bytes; /* two messages */
    size_t capacity;
    int32_t *integers;
    size_t integer_capacity;
};

/* The state to encode. */
struct tier_source {
    const struct content *content;
    uint16_t world_index;
    uint32_t epoch, tick, server_us;
    bool asleep; /* everything in it is at rest: one frame a second will do while nothing changes */
};

/* Either may be NULL. References belong to the caller. */
struct tier_frame {
    struct buffer *delta, *key;
    uint32_t base_tick;
};

/* NULL when out of memory. */
struct tier *tier_create(uint32_t id, const struct tier_kind *kind);
void tier_free(struct tier *tier);
bool tier_is(const struct tier *tier, const struct tier_kind *kind);
bool tier_kind_has_cloth(const struct tier_kind *kind, const char *name);

/* Follows the world's objects: makes room for new ones, forgets removed ones; what did
 * not change stays known, unless a new epoch began. false = out of memory, then the
 * tier must not be encoded. Cheap when nothing changed. */
bool tier_prepare(struct tier *tier, const struct tier_source *source, struct tier_scratch *scratch);

/* The next frame shows a jump: of one cloth, or of the colliders. */
void tier_cut_cloth(struct tier *tier, const struct object *object);
void tier_cut_poses(struct tier *tier);

/* Encodes source as the next frame of a prepared tier: a delta when want_delta and there
 * is something to build on, else a key; a key as well when want_key. In a "delta" a
 * cloth that members do not know yet comes as a key segment. Nothing comes of a world that
 * sleeps, but once a second. false = out of memory: nothing was returned and the next frame
 * must be a key. */
bool tier_encode(struct tier *tier, const struct tier_source *source, bool want_delta, bool want_key,
                 struct tier_scratch *scratch, struct tier_frame *frame);

/* Positions in payload order to q planes (each as long as the cloth has vertices), with a coarser
 * step where something is out of range; the step that was used. */
int8_t tier_quantise(const struct object *cloth, const struct pbd_cloth_view *view, int step,
                     int32_t *const q[3]);

void tier_scratch_free(struct tier_scratch *scratch);

#endif
