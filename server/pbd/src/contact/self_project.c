/* The projections of pairs: C = n̂·Σ c_i p_i − h ≥ 0 with the weights and the normal fixed
 * within one projection, then Coulomb's friction along it (physics.md §5, §6).
 *
 * The side. While two features face each other (the foot inside, both closest points
 * within their edges) they cannot change sides but by passing through, so the side is
 * remembered. When they begin to face each other, it is the one they come from, unless
 * the way there led around: a change of sign whose moment, found along straight ways, has
 * them not facing. A pass through that has already left the face at the end of the
 * substep is undone at the place where it happened. */
#include "contact/self_internal.h"

#include <stdlib.h>
#include <string.h>

/* Beyond touching, in units of h: what the projections of one pass may themselves bring
 * closer. */
#define AHEAD 0.25
/* What the projections of one pass move features by at most, in units of h. */
#define PUSHES 2.0
/* Overlaps that are undone at once, in units of what gravity does in a substep. */
#define SETTLED 8.0
/* Looks for the moment of passing through. */
#define MOMENT_STEPS 4

/* One pass over one kind of a meeting's pairs. */
struct pass {
    struct self_contacts *self;
    struct self_couple *couple;
    enum self_kind kind;
    struct self_pool *pool;
    struct surface_node *nodes[2];                /* of the first and the second feature's cloth */
    const struct surface_node *seen[2], *left[2]; /* at the last look, and after its projections */
    struct pbd_cloth *cloths[2];
    int firsts; /* corners of the first feature */
    double travel, step, recovery;
};

static struct vec3 node_position(const struct surface_node *node) {
    return vec3_make(node->x, node->y, node->z);
}

/* Writes a node's position back as its displacement. */
static void scatter(struct pbd_cloth *cloth, uint32_t i, const struct surface_node *node) {
    const struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    t->ux[i] = (float)(node->x - (double)s->x[i]);
    t->uy[i] = (float)(node->y - (double)s->y[i]);
    t->uz[i] = (float)(node->z - (double)s->z[i]);
}

static struct vec3 start_position(const struct pbd_cloth *cloth, uint32_t i) {
    const struct cloth_state *s = &cloth->state;
    return vec3_make((double)s->x[i] + (double)s->ex[i], (double)s->y[i] + (double)s->ey[i],
                     (double)s->z[i] + (double)s->ez[i]);
}

static struct look look_at(enum self_kind kind, const struct vec3 p[4]) {
    return kind == SELF_EDGE_EDGE ? look_edge_edge(p) : look_vertex_triangle(p);
}

static int sign_of(double volume) {
    return volume < 0.0 ? -1 : 1;
}

/* Whether the features passed through each other on straight ways between two moments at
 * which they were on different sides; *weights are then those of that moment. */
static bool passed_through(enum self_kind kind, const struct vec3 from[4], double from_volume,
                           const struct vec3 to[4], double to_volume, double weights[4]) {
    double low = 0.0, high = 1.0;
    struct look moment = {.sound = false};
    for (int step = 0; step < MOMENT_STEPS; ++step) { /* regula falsi: the volume is a cubic */
        double time = low + (high - low) * (from_volume / (from_volume - to_volume));
        struct vec3 then[4];
        for (int k = 0; k < 4; ++k)
            then[k] = vec3_add_scaled(from[k], vec3_sub(to[k], from[k]), time);
        moment = look_at(kind, then);
        if (!moment.sound) return false;
        if ((moment.volume < 0.0) == (from_volume < 0.0)) {
            low = time;
            from_volume = moment.volume;
        } else {
            high = time;
            to_volume = moment.volume;
        }
        if (from_volume == to_volume) break;
    }
    for (int k = 0; moment.inside && k < 4; ++k)
        weights[k] = moment.c[k];
    return moment.inside;
}

/* Whether the pair passed through itself since the last projections, on straight ways;
 * *weights are then those of that moment. */
static bool passed_since(const struct pass *pass, const struct self_pair *pair, const struct vec3 p[4],
                         const struct look *look, double weights[4]) {
    struct vec3 at[4];
    for (int k = 0; k < 4; ++k)
        at[k] = node_position(&pass->left[k < pass->firsts ? 0 : 1][pair->p[k]]);
    struct look then = look_at(pass->kind, at);
    return then.sound && sign_of(then.volume) != sign_of(look->volume) &&
           passed_through(pass->kind, at, then.volume, p, look->volume, weights);
}

/* Whether the pair was on its side at the last look, with n pointing about where it does
 * now. Where edges become parallel n turns round, and with it the sign, though nothing
 * passed through; so it may have done while the pair was too far to be looked at. */
static bool was_on_its_side(const struct pass *pass, const struct self_pair *pair, const struct look *look) {
    struct vec3 at[4];
    for (int k = 0; k < 4; ++k)
        at[k] = node_position(&pass->seen[k < pass->firsts ? 0 : 1][pair->p[k]]);
    struct look then = look_at(pass->kind, at);
    if (!then.sound || !(vec3_dot(then.normal, look->normal) > 0.0)) return false;
    return pair->look + 1 == pass->self->look || sign_of(then.volume) == pair->side;
}

/* Brings the pair's side up to date. true: it has just passed through; if it does not face
 * itself any more, *weights are those of the moment when it did. */
static bool update_side(const struct pass *pass, struct self_pair *pair, const struct vec3 p[4],
                        const struct look *look, double weights[4]) {
    int sign = sign_of(look->volume);
    bool known = pair->side != 0;
    bool open = !known && (look->inside || pair->seen != sign);
    bool flipped = known && sign != pair->side && pair->seen == pair->side;
    bool through = false;
    if (look->clear > pass->step + PUSHES * pass->couple->h)
        through = false; /* further apart than it can have moved */
    else if (flipped && look->inside)
        through = was_on_its_side(pass, pair, look);
    else if (flipped || open)
        through = passed_since(pass, pair, p, look, weights);
    if (open || flipped) pair->side = (int8_t)(through ? -sign : sign);
    if (!look->inside && !through) pair->side = 0;
    pair->seen = (int8_t)sign;
    pair->look = pass->self->look;
    return through;
}

static struct self_touch *find_touch(const struct self_couple *couple, enum self_kind kind,
                                     const struct self_pair *pair) {
    if (pair->touch == 0 || pair->touch > couple->touch_count) return NULL;
    struct self_touch *touch = &couple->touches[pair->touch - 1];
    return touch->kind == kind && memcmp(touch->p, pair->p, sizeof touch->p) == 0 ? touch : NULL;
}

/* NULL when out of memory: then the pair is held, but slides freely. */
static struct self_touch *new_touch(struct self_couple *couple, enum self_kind kind, struct self_pair *pair) {
    if (couple->touch_count == couple->touch_capacity) {
        uint32_t room = 2 * couple->touch_capacity + 256;
        struct self_touch *touches = realloc(couple->touches, room * sizeof *touches);
        if (touches == NULL) return NULL;
        couple->touches = touches;
        couple->touch_capacity = room;
    }
    struct self_touch *touch = &couple->touches[couple->touch_count++];
    *touch = (struct self_touch){.kind = kind};
    memcpy(touch->p, pair->p, sizeof touch->p);
    if (pair->touch > 0 && pair->touch <= couple->past_count) {
        const struct self_touch *past = &couple->past[pair->touch - 1];
        if (past->kind == kind && memcmp(past->p, pair->p, sizeof past->p) == 0)
            memcpy(touch->carried, past->carried, sizeof touch->carried);
    }
    pair->touch = couple->touch_count;
    return touch;
}

/* Moves the four particles by their share of `change` of Σ c_i p_i. */
static void share_out(struct vec3 p[4], const double w[4], const double c[4], double total,
                      struct vec3 change) {
    for (int k = 0; k < 4; ++k)
        p[k] = vec3_add_scaled(p[k], change, w[k] * c[k] / total);
}

/* Keeps what the push was, and brings the touch's friction up to date. */
static void rub(const struct self_couple *couple, struct self_touch *touch, struct vec3 p[4],
                const double w[4], const double c[4], double total, struct vec3 before, struct vec3 normal) {
    for (int k = 0; k < 4; ++k)
        touch->c[k] = c[k];
    touch->normal[0] = normal.x;
    touch->normal[1] = normal.y;
    touch->normal[2] = normal.z;
    if (!(touch->pushed > 0.0)) return;
    struct vec3 slip = vec3_sub(look_apart(c, p), before);
    slip = vec3_add(slip, vec3_make(touch->carried[0], touch->carried[1], touch->carried[2]));
    slip = vec3_add_scaled(slip, normal, -vec3_dot(slip, normal));
    struct vec3 applied = vec3_make(touch->friction[0], touch->friction[1], touch->friction[2]);
    struct vec3 friction = friction_correction(&couple->friction, touch->pushed, slip, applied);
    share_out(p, w, c, total, vec3_sub(friction, applied));
    touch->sticks = vec3_length(vec3_sub(applied, slip)) <= couple->friction.still * touch->pushed;
    touch->friction[0] = friction.x;
    touch->friction[1] = friction.y;
    touch->friction[2] = friction.z;
}

/* What the pair is to be moved by: the normal n̂ (turned to its side) and weights are fixed. */
static void push(struct pass *pass, struct self_pair *pair, struct self_touch *touch, struct vec3 p[4],
                 const double c[4], struct vec3 normal) {
    struct self_couple *couple = pass->couple;
    struct surface_node *nodes[4];
    struct vec3 start[4];
    double w[4], total = 0.0;
    for (int k = 0; k < 4; ++k) {
        int which = k < pass->firsts ? 0 : 1;
        nodes[k] = &pass->nodes[which][pair->p[k]];
        start[k] = start_position(pass->cloths[which], pair->p[k]);
        w[k] = nodes[k]->w;
        total += c[k] * c[k] * w[k];
    }
    if (!(total > 0.0)) return;
    struct vec3 before = look_apart(c, start);
    double started = vec3_dot(before, normal), target = couple->h, recovered = 0.0;
    if (started < couple->h) { /* an overlap leaves by no more than max_depenetration in a tick */
        target = started + pass->recovery < couple->h ? started + pass->recovery : couple->h;
        recovered = target - started;
    }
    double inwards = target - vec3_dot(look_apart(c, p), normal);
    if (inwards > 0.0) {
        share_out(p, w, c, total, vec3_scale(normal, inwards));
        if (touch == NULL) touch = new_touch(couple, pass->kind, pair);
        if (touch != NULL) {
            touch->pushed += inwards;
            touch->recovered = recovered;
        }
    }
    if (touch != NULL) {
        touch->side = pair->side;
        rub(couple, touch, p, w, c, total, before, normal);
    }
    for (int k = 0; k < 4; ++k) {
        if (!(w[k] > 0.0)) continue;
        nodes[k]->x = p[k].x;
        nodes[k]->y = p[k].y;
        nodes[k]->z = p[k].z;
        scatter(pass->cloths[k < pass->firsts ? 0 : 1], pair->p[k], nodes[k]);
    }
}

/* A vertex beyond a border of its triangle, nearer than h: then it is held off the border
 * itself. There is no side to it, since nothing is passed through there. */
static bool meets_border(const struct pass *pass, const struct self_pair *pair, const struct vec3 p[4],
                         const struct look *look, double c[4], struct vec3 *normal) {
    double least = pass->couple->h * pass->couple->h;
    bool found = false;
    for (int k = 1; k < 4; ++k) {
        if (!(look->c[k] > 0.0) || (pair->borders >> (k - 1) & 1) == 0) continue;
        int a = k % 3 + 1, b = a % 3 + 1;
        struct vec3 side = vec3_sub(p[b], p[a]), off = vec3_sub(p[0], p[a]);
        double t = vec3_dot(off, side) / vec3_dot(side, side);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        off = vec3_add_scaled(off, side, -t);
        double square = vec3_dot(off, off);
        if (!(square < least) || !(square > 0.0)) continue;
        least = square;
        found = true;
        c[0] = 1.0;
        c[k] = 0.0;
        c[a] = t - 1.0;
        c[b] = -t;
        *normal = vec3_scale(off, 1.0 / __builtin_sqrt(square));
    }
    return found;
}

static void visit(struct pass *pass, uint32_t index) {
    struct self_pair *pair = &pass->pool->pairs[index];
    float *reach = &pass->pool->reach[index];
    struct vec3 p[4];
    for (int k = 0; k < 4; ++k)
        p[k] = node_position(&pass->nodes[k < pass->firsts ? 0 : 1][pair->p[k]]);
    ++pass->self->visits;
    struct look look = look_at(pass->kind, p);
    if (!look.sound) return;
    double weights[4];
    bool through = update_side(pass, pair, p, &look, weights);
    double h = pass->couple->h;
    struct self_touch *touch = find_touch(pass->couple, pass->kind, pair);
    if (!look.inside && !through && pair->borders != 0 && look.clear < h) {
        struct vec3 away;
        if (meets_border(pass, pair, p, &look, weights, &away)) {
            push(pass, pair, touch, p, weights, away);
            *reach = -INFINITY;
            return;
        }
    }
    if (!look.inside && !through) {
        *reach = (float)(pass->travel + look.clear - (1.0 + AHEAD) * h);
        return;
    }
    if (pair->side == pair->seen && look.clear >= h && touch == NULL) {
        *reach = (float)(pass->travel + look.clear - (1.0 + AHEAD) * h);
        return;
    }
    struct vec3 normal = vec3_scale(look.normal, (double)pair->side / __builtin_sqrt(look.square));
    push(pass, pair, touch, p, look.inside ? look.c : weights, normal);
    *reach = -INFINITY; /* until it is seen to be far */
}

void self_project_meeting(const pbd_world *world, struct self_couple *couple,
                          const struct self_meeting *meeting) {
    float due = (float)meeting->travel;
    for (int kind = 0; kind < SELF_KINDS; ++kind) {
        const struct self_stretch *stretch = &meeting->stretches[kind];
        if (stretch->count == 0) continue;
        struct pass pass = {.self = world->self,
                            .couple = couple,
                            .kind = (enum self_kind)kind,
                            .pool = &couple->pools[kind],
                            .firsts = self_firsts((enum self_kind)kind),
                            .travel = meeting->travel,
                            .step = meeting->step,
                            .recovery = (double)world->settings.max_depenetration *
                                        (double)world->settings.solver.dt};
        const int owner[2] = {self_first(pass.kind), self_second(pass.kind)};
        for (int k = 0; k < 2; ++k) {
            pass.cloths[k] = couple->cloths[owner[k]];
            pass.nodes[k] = pass.cloths[k]->surface->nodes;
            pass.seen[k] = pass.cloths[k]->surface->self->seen;
            pass.left[k] = pass.cloths[k]->surface->self->left;
        }
        const float *reach = pass.pool->reach;
        for (uint32_t i = stretch->first; i < stretch->first + stretch->count; ++i)
            if (reach[i] <= due) visit(&pass, i);
    }
}

void self_end_touches(struct self_couple *couple, double h) {
    for (uint32_t i = 0; i < couple->touch_count; ++i) {
        struct self_touch *touch = &couple->touches[i];
        struct vec3 normal = vec3_make(touch->normal[0], touch->normal[1], touch->normal[2]);
        struct vec3 slip = vec3_make(touch->carried[0], touch->carried[1], touch->carried[2]);
        for (int k = 0; k < 4; ++k) {
            const struct pbd_cloth *cloth = self_owner(couple, touch->kind, k);
            const struct cloth_state *s = &cloth->state;
            uint32_t p = touch->p[k];
            if (!cloth_is_active(cloth)) continue;
            struct vec3 v = vec3_make((double)s->vx[p], (double)s->vy[p], (double)s->vz[p]);
            slip = vec3_add_scaled(slip, v, touch->c[k] * h);
        }
        slip = vec3_add_scaled(slip, normal, -vec3_dot(slip, normal));
        touch->carried[0] = touch->sticks ? slip.x : 0.0;
        touch->carried[1] = touch->sticks ? slip.y : 0.0;
        touch->carried[2] = touch->sticks ? slip.z : 0.0;
    }
    struct self_touch *swap = couple->past;
    uint32_t swap_capacity = couple->past_capacity;
    couple->past = couple->touches;
    couple->past_count = couple->touch_count;
    couple->past_capacity = couple->touch_capacity;
    couple->touches = swap;
    couple->touch_count = 0;
    couple->touch_capacity = swap_capacity;
}

/* The end of velocities that only undid an overlap: a pair that parts keeps what is more.
 * What rest leaves of a distance in every substep is none: taking its speed away along
 * normals that lean a little would drive cloth sideways, after friction had its say. */
void self_settle_couple(const pbd_world *world, struct self_couple *couple, double h) {
    double rest = SETTLED * vec3_length(vec3_from(world->settings.gravity)) * h * h;
    for (uint32_t i = 0; i < couple->past_count; ++i) {
        const struct self_touch *touch = &couple->past[i];
        double undone = touch->pushed < touch->recovered ? touch->pushed : touch->recovered;
        if (!(undone > rest)) continue;
        struct vec3 normal = vec3_make(touch->normal[0], touch->normal[1], touch->normal[2]);
        struct cloth_state *states[4];
        double w[4], total = 0.0, speed = 0.0;
        for (int k = 0; k < 4; ++k) {
            struct pbd_cloth *cloth = self_owner(couple, touch->kind, k);
            states[k] = &cloth->state;
            uint32_t p = touch->p[k];
            w[k] = cloth_is_active(cloth) ? (double)states[k]->w[p] : 0.0;
            total += touch->c[k] * touch->c[k] * w[k];
            struct vec3 v =
                vec3_make((double)states[k]->vx[p], (double)states[k]->vy[p], (double)states[k]->vz[p]);
            if (cloth_is_active(cloth)) speed += touch->c[k] * vec3_dot(v, normal);
        }
        if (!(speed > 0.0) || !(total > 0.0)) continue;
        double change = undone / h < speed ? undone / h : speed;
        for (int k = 0; k < 4; ++k) {
            if (!(w[k] > 0.0)) continue;
            uint32_t p = touch->p[k];
            double share = change * w[k] * touch->c[k] / total;
            states[k]->vx[p] = (float)((double)states[k]->vx[p] - share * normal.x);
            states[k]->vy[p] = (float)((double)states[k]->vy[p] - share * normal.y);
            states[k]->vz[p] = (float)((double)states[k]->vz[p] - share * normal.z);
        }
    }
}
