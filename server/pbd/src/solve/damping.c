/* P07's damping: every velocity moves towards the rigid motion of the whole. */
#include "solve/damping.h"

#include "math/elementary.h"
#include "solve/aero.h"
#include "solve/strength.h"

/* Moments of inertia below this part of the largest are those of a line or a point;
 * float32 sums of a flat body give about 1e-7. */
#define SINGULAR 1e-5
#define SWEEPS_MAX 16

/* One Jacobi rotation that makes a[p][q] zero; v gathers the eigenvectors as columns. */
static void rotate(double a[3][3], double v[3][3], int p, int q) {
    if (a[p][q] == 0.0) return;
    double ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double size = ratio < 0.0 ? -ratio : ratio;
    double t = 1.0 / (size + math_sqrt(size * size + 1.0));
    if (ratio < 0.0) t = -t;
    double c = 1.0 / math_sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; ++k) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        double kp = v[k][p], kq = v[k][q];
        v[k][p] = c * kp - s * kq;
        v[k][q] = s * kp + c * kq;
    }
    a[p][q] = a[q][p] = 0.0;
}

/* spin = I⁺·L. */
static void pseudo_solve(double inertia[3][3], const double momentum[3], double spin[3]) {
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS_MAX; ++sweep) {
        rotate(inertia, axes, 0, 1);
        rotate(inertia, axes, 1, 2);
        rotate(inertia, axes, 0, 2);
    }
    double largest = 0.0;
    for (int k = 0; k < 3; ++k)
        largest = inertia[k][k] > largest ? inertia[k][k] : largest;
    spin[0] = spin[1] = spin[2] = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (!(inertia[k][k] > SINGULAR * largest)) continue;
        double along =
            (axes[0][k] * momentum[0] + axes[1][k] * momentum[1] + axes[2][k] * momentum[2]) / inertia[k][k];
        for (int row = 0; row < 3; ++row)
            spin[row] += axes[row][k] * along;
    }
}

struct rigid_motion damping_rigid_motion(const struct moments *moments, float k) {
    const double *sum = moments->sum;
    double mass = sum[MOMENT_MASS];
    struct rigid_motion rigid = {.k = k};
    if (!(mass > 0.0)) return rigid;
    double c[3] = {sum[MOMENT_X] / mass, sum[MOMENT_Y] / mass, sum[MOMENT_Z] / mass};
    double v[3] = {sum[MOMENT_VX] / mass, sum[MOMENT_VY] / mass, sum[MOMENT_VZ] / mass};
    /* From the reference to the centre of mass: parallel axes. */
    double xx = sum[MOMENT_XX] - mass * c[0] * c[0], yy = sum[MOMENT_YY] - mass * c[1] * c[1];
    double zz = sum[MOMENT_ZZ] - mass * c[2] * c[2], xy = sum[MOMENT_XY] - mass * c[0] * c[1];
    double yz = sum[MOMENT_YZ] - mass * c[1] * c[2], zx = sum[MOMENT_ZX] - mass * c[2] * c[0];
    double momentum[3] = {sum[MOMENT_LX] - mass * (c[1] * v[2] - c[2] * v[1]),
                          sum[MOMENT_LY] - mass * (c[2] * v[0] - c[0] * v[2]),
                          sum[MOMENT_LZ] - mass * (c[0] * v[1] - c[1] * v[0])};
    double inertia[3][3] = {{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}};
    double spin[3];
    pseudo_solve(inertia, momentum, spin);
    for (int i = 0; i < 3; ++i) {
        rigid.center[i] = (float)(moments->reference[i] + c[i]);
        rigid.velocity[i] = (float)(moments->reference_velocity[i] + v[i]);
        rigid.spin[i] = (float)spin[i];
    }
    return rigid;
}

/* Position and velocity of the first free particle: near to the others', so that the
 * float32 sums keep their digits far from the origin and at high speed. */
static void set_reference(const struct pbd_cloth *cloth, struct moments *moments) {
    const struct cloth_state *s = &cloth->state;
    uint32_t p = 0;
    while (p + 1 < cloth->fabric->particle_count && !(s->w[p] > 0.0f))
        ++p;
    moments->reference[0] = s->x[p];
    moments->reference[1] = s->y[p];
    moments->reference[2] = s->z[p];
    moments->reference_velocity[0] = s->vx[p];
    moments->reference_velocity[1] = s->vy[p];
    moments->reference_velocity[2] = s->vz[p];
}

void damping_predict(const pbd_world *world, struct pbd_cloth *cloth, float h) {
    const struct pbd_world_settings *settings = &world->settings;
    uint32_t n = cloth->fabric->padded_count;
    struct kick kick = {
        .factor = math_expf(-settings->drag * h),
        .x = h * settings->gravity[0],
        .y = h * settings->gravity[1],
        .z = h * settings->gravity[2],
    };
    bool windy = aero_acts(world, cloth);
    if (windy || !(settings->damping > 0.0f))
        world->kernels->integrate_predict(&cloth->state, &cloth->scratch, n, kick, h);
    if (windy) {
        /* Velocities are kicked; what follows takes the wind's part as well. */
        aero_kick(world, cloth, h);
        kick = (struct kick){.factor = 1.0f};
        if (!(settings->damping > 0.0f))
            world->kernels->integrate_predict(&cloth->state, &cloth->scratch, n, kick, h);
    }
    if (!(settings->damping > 0.0f)) return;
    struct moments moments;
    set_reference(cloth, &moments);
    world->kernels->integrate_moments(&cloth->state, cloth->fabric->mass, n, kick, &moments);
    struct rigid_motion rigid =
        damping_rigid_motion(&moments, share_of(settings->damping, settings->solver.substeps));
    world->kernels->integrate_damp(&cloth->state, &cloth->scratch, n, &rigid, h);
}
