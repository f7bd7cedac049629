/* Elementary functions in double: an argument reduction and a Taylor polynomial
 * each. Called a few times per tick or at import, never inside a kernel, so
 * accuracy and sameness count here and speed does not. */
#include "math/elementary.h"

#include <string.h>

static const double PI_2 = 0x1.921fb54442d18p+0;
static const double PI = 0x1.921fb54442d18p+1;
/* ln 2 and π/2 in parts short enough that a whole number times all but the last is exact. */
static const double LN2_HIGH = 0x1.62e42fef00000p-1;
static const double LN2_LOW = 0x1.473de6af278edp-34;
static const double PI_2_HIGH = 0x1.921fb54400000p+0;
static const double PI_2_MIDDLE = 0x1.0b4611a600000p-34;
static const double PI_2_LOW = 0x1.3198a2e037073p-69;

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double not_a_number(void) {
    return from_bits(0x7ff8000000000000u);
}

static double infinity(void) {
    return from_bits(0x7ff0000000000000u);
}

/* 2^k for −1022 ≤ k ≤ 1023. */
static double power_of_two(int k) {
    return from_bits((uint64_t)(k + 1023) << 52);
}

static int nearest(double x) {
    return (int)(x < 0.0 ? x - 0.5 : x + 0.5);
}

double math_exp(double x) {
    if (x != x) return x;
    if (x > 709.782712893384) return infinity();
    if (x < -745.2) return 0.0;
    int k = nearest(x * 1.4426950408889634);
    double r = (x - k * LN2_HIGH) - k * LN2_LOW; /* |r| ≤ ln2/2: the term r¹⁴/14! is below 1e-17 */
    double p = 1.0;
    for (int n = 13; n > 2; --n)
        p = 1.0 + r / n * p;
    double value = 1.0 + (r + r * r * 0.5 * p);
    int half = k / 2; /* two steps, so that results below 2⁻¹⁰²² round once */
    return value * power_of_two(half) * power_of_two(k - half);
}

double math_log(double x) {
    if (x != x || x < 0.0) return not_a_number();
    if (x == 0.0) return -infinity();
    if (x == infinity()) return x;
    int k = 0;
    if (x < power_of_two(-1022)) {
        x *= power_of_two(54);
        k = -54;
    }
    uint64_t bits = to_bits(x);
    k += (int)(bits >> 52) - 1023;
    double m = from_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++k;
    }
    /* With f = m−1 (exact) and s = f/(2+f): ln m = 2 atanh s = 2s + 2s³/3 + 2s⁵/5 + …, and
     * 2s = f − s·f = f − f²/2 + s·f²/2, so that the leading term carries no rounding. */
    double f = m - 1.0, s = f / (2.0 + f), z = s * s, tail = 0.0;
    for (int n = 23; n >= 3; n -= 2)
        tail = tail * z + 2.0 / n;
    double half_square = 0.5 * f * f;
    double small = s * (half_square + z * tail) + k * LN2_LOW;
    return k * LN2_HIGH + (f + (small - half_square));
}

double math_pow(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x != x || y != y || x < 0.0) return not_a_number();
    if (x == 0.0) return y > 0.0 ? 0.0 : infinity();
    return math_exp(y * math_log(x));
}

/* x = quadrant·π/2 + r, |r| ≤ π/4; the quadrant mod 4. */
static int reduce_angle(double x, double *r) {
    int n = nearest(x * 0.6366197723675814);
    *r = ((x - n * PI_2_HIGH) - n * PI_2_MIDDLE) - n * PI_2_LOW;
    return n & 3;
}

static double sine_near_zero(double r) {
    double z = r * r, p = 1.0;
    for (int n = 18; n > 2; n -= 2)
        p = 1.0 - z / (n * (n + 1)) * p;
    return r - r * (z / 6.0 * p);
}

static double cosine_near_zero(double r) {
    double z = r * r, p = 1.0;
    for (int n = 19; n > 3; n -= 2)
        p = 1.0 - z / (n * (n + 1)) * p;
    return 1.0 - z * 0.5 * (1.0 - z / 12.0 * p);
}

static double sine_of_quadrant(double x, int quarter_turns) {
    if (!(x >= -1e6 && x <= 1e6)) return not_a_number();
    double r;
    int quadrant = (reduce_angle(x, &r) + quarter_turns) & 3;
    double value = (quadrant & 1) ? cosine_near_zero(r) : sine_near_zero(r);
    return quadrant < 2 ? value : -value;
}

double math_sin(double x) {
    return sine_of_quadrant(x, 0);
}

double math_cos(double x) {
    return sine_of_quadrant(x, 1);
}

/* atan(small/large) for 0 ≤ small ≤ large > 0: measured from the nearest of atan(k/8). */
static double first_octant(double small, double large) {
    static const double arc[9] = {
        0.0,
        0x1.fd5ba9aac2f6ep-4,
        0x1.f5b75f92c80ddp-3,
        0x1.6f61941e4def1p-2,
        0x1.dac670561bb4fp-2,
        0x1.1e00babdefeb4p-1,
        0x1.4978fa3269ee1p-1,
        0x1.700a7c5784634p-1,
        0x1.921fb54442d18p-1,
    };
    int k = nearest(small / large * 8.0);
    double c = k / 8.0;
    double t = (small - c * large) / (large + c * small), z = t * t, tail = 0.0;
    for (int n = 17; n >= 3; n -= 2)
        tail = 1.0 / n - z * tail; /* |t| ≤ 1/16 */
    return arc[k] + (t - t * z * tail);
}

double math_atan2(double y, double x) {
    double ax = x < 0.0 ? -x : x, ay = y < 0.0 ? -y : y;
    if (!(ax < infinity() && ay < infinity())) return not_a_number();
    if (ax == 0.0 && ay == 0.0) return 0.0;
    double angle = ay > ax ? PI_2 - first_octant(ax, ay) : first_octant(ay, ax);
    if (x < 0.0) angle = PI - angle;
    return y < 0.0 ? -angle : angle;
}

double math_asin(double x) {
    return math_atan2(x, math_sqrt((1.0 - x) * (1.0 + x)));
}

double math_acos(double x) {
    return math_atan2(math_sqrt((1.0 - x) * (1.0 + x)), x);
}

float math_expf(float x) {
    return (float)math_exp((double)x);
}

float math_logf(float x) {
    return (float)math_log((double)x);
}

float math_powf(float x, float y) {
    return (float)math_pow((double)x, (double)y);
}

float math_sinf(float x) {
    return (float)math_sin((double)x);
}

float math_cosf(float x) {
    return (float)math_cos((double)x);
}

float math_asinf(float x) {
    return (float)math_asin((double)x);
}

float math_acosf(float x) {
    return (float)math_acos((double)x);
}
