/* Numbers of long arrays are read here: most have few digits and a small exponent,
 * and then one exact multiplication or division rounds correctly (Clinger 1990,
 * "How to read floating point numbers accurately", the fast path). The others go to
 * strtod, which never sees a decimal comma: the process stays in the C locale.
 * The way back is the same: nine digits of a float32 come from one multiplication by an
 * exact power of ten, and where that leaves a doubt about the last of them printf decides. */
#include "json_number.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

size_t json_number_format_digits(uint64_t value, char out[32]) {
    char reversed[32];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; ++i)
        out[i] = reversed[count - 1 - i];
    return count;
}

/* The nine digits of magnitude (> 0, a float32) and the exponent of the first; 0 where one
 * product cannot tell them. */
static uint32_t nine_digits(double magnitude, int *exponent) {
    /* 10^8 to 10^9 is reached by 10^0 to 10^22, which are exact. */
    if (!(magnitude >= 1e-13 && magnitude < 1e8)) return 0;
    int first = 7;
    while (first >= 0 && magnitude < exact_power[first])
        --first;
    if (first < 0) {
        while (magnitude * exact_power[-first] < 1.0)
            --first;
    }
    /* 24 bits times at most 52: off by half an ulp of a double, 2^-24 of the last digit. */
    double product = magnitude * exact_power[8 - first];
    uint32_t digits = (uint32_t)(product + 0.5);
    double tie = product - (double)digits; /* −0.5 … 0.5 */
    if (tie > 0.4999 || tie < -0.4999 || digits < 100000000 || digits > 999999999) return 0;
    *exponent = first;
    return digits;
}

/* As %.9g: trailing zeros go, exponents below −4 are written (those above 8 are printf's). */
size_t json_number_format_float(float value, char out[32]) {
    double magnitude = value < 0 ? -(double)value : (double)value;
    int exponent = 0;
    uint32_t digits = nine_digits(magnitude, &exponent);
    if (digits == 0) {
        if (value == 0 && !__builtin_signbit(value)) {
            memcpy(out, "0", 2);
            return 1;
        }
        return (size_t)snprintf(out, 32, "%.9g", (double)value);
    }
    char text[32], *p = out;
    int count = 9;
    json_number_format_digits(digits, text);
    while (text[count - 1] == '0')
        --count;
    if (value < 0) *p++ = '-';
    int whole = exponent < -4 ? 1 : exponent + 1; /* digits before the point */
    if (whole <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = whole; i < 0; ++i)
            *p++ = '0';
        whole = 0;
    }
    for (int i = 0; i < whole || i < count; ++i) {
        if (i == whole && whole > 0) *p++ = '.';
        *p++ = i < count ? text[i] : '0';
    }
    if (exponent < -4) {
        *p++ = 'e';
        *p++ = '-';
        *p++ = (char)('0' + -exponent / 10);
        *p++ = (char)('0' + -exponent % 10);
    }
    *p = '\0';
    return (size_t)(p - out);
}
