/* Numbers of long arrays are read here: most have few digits and a small exponent,
 * and then one exact multiplication or division rounds correctly (Clinger 1990,
 * "How to read floating point numbers accurately", the fast path). The others go to
 * strtod, which never sees a decimal comma: the process stays in the C locale. */
#include "json_number.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double json_number_parse(const char *text, const char **end) {
    const char *p = text;
    int negative = *p == '-';
    if (negative) ++p;
    uint64_t mantissa = 0;
    int digits = 0, exponent = 0;
    for (; *p >= '0' && *p <= '9'; ++p) {
        if (digits < 19) mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        if (mantissa) ++digits;
    }
    if (*p == '.') {
        for (++p; *p >= '0' && *p <= '9'; ++p) {
            if (digits < 19) {
                mantissa = mantissa * 10 + (uint64_t)(*p - '0');
                --exponent;
            }
            if (mantissa) ++digits;
        }
    }
    if (*p == 'e' || *p == 'E') {
        ++p;
        int sign = 1, written = 0;
        if (*p == '+' || *p == '-') sign = *p++ == '-' ? -1 : 1;
        for (; *p >= '0' && *p <= '9'; ++p) {
            if (written < 100000) written = written * 10 + (*p - '0');
        }
        exponent += sign * written;
    }
    *end = p;
    if (digits <= 19 && mantissa <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22) {
        double value = (double)mantissa;
        value = exponent < 0 ? value / exact_power[-exponent] : value * exact_power[exponent];
        return negative ? -value : value;
    }
    return strtod(text, NULL);
}

size_t json_number_format(double value, char out[32]) {
    int n = snprintf(out, 32, "%.15g", value);
    if (strtod(out, NULL) != value) n = snprintf(out, 32, "%.17g", value);
    return (size_t)n;
}
