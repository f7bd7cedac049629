/* The optimal string alignment distance on names of at most 64 bytes: two rows back
 * are kept, because a swap looks at them. */
#include "nearest_name.h"

#include <string.h>

enum { LONGEST = 64 };

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

uint32_t name_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return UINT32_MAX;
    uint32_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; ++j)
        rows[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= n; ++i) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= m; ++j) {
            uint32_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], above2[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

int name_is_near(const char *name, const char *candidate, uint32_t distance) {
    size_t n = strlen(name), m = strlen(candidate), longer = n > m ? n : m;
    size_t allowed = longer / 3 > 2 ? longer / 3 : 2;
    return distance <= allowed && distance < longer;
}
