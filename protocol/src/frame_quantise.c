/* From metres to whole steps. The one place of the codec where floats are read:
 * a multiplication by a power of two is exact, so rounding happens once. */
#include <wire/frame.h>

#include <math.h>

enum { STEP_BELOW_DIAGONAL = 14 };
static const float QUANTISE_LIMIT = 16777216.0f; /* 2^24: below it every whole number is a float32 */

int8_t frame_auto_step_exp(float diagonal) {
    if (!(diagonal > 0.0f) || isinf(diagonal)) return -STEP_BELOW_DIAGONAL; /* a point: as if 1 m wide */
    int exponent = ilogbf(diagonal) - STEP_BELOW_DIAGONAL;
    if (exponent < INT8_MIN) return INT8_MIN;
    if (exponent > INT8_MAX) return INT8_MAX;
    return (int8_t)exponent;
}

bool frame_quantise(const float *value, const uint32_t *index, uint32_t count, int8_t step_exp, int32_t *q) {
    float scale = ldexpf(1.0f, -step_exp);
    for (uint32_t i = 0; i < count; ++i) {
        float scaled = value[index ? index[i] : i] * scale;
        if (!(fabsf(scaled) < QUANTISE_LIMIT)) return false; /* a NaN as well */
        q[i] = (int32_t)lrintf(scaled);
    }
    return true;
}
