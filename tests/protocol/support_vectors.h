/* Golden frames of protocol/vectors for the codec's tests. */
#ifndef CLOTHD_TESTS_SUPPORT_VECTORS_H
#define CLOTHD_TESTS_SUPPORT_VECTORS_H

#include <cjson/cJSON.h>
#include <wire/frame.h>

struct vector {
    char name[64];
    cJSON *json;
    unsigned char *bytes; /* of `segment` or `message`, allocated to the byte */
    size_t length;
    /* CB32 states only; else q.q[0] is NULL */
    uint32_t count, cols, state_crc;
    bool key;
    struct frame_planes base, q;
};

/* Calls run for every file; returns how many there were. */
int vectors_each(void (*run)(const struct vector *vector));
/* One file by name, without .json; vector_free it. name must exist. */
struct vector vector_load(const char *name);
void vector_free(struct vector *vector);

struct frame_planes planes_alloc(uint32_t count);
struct frame_planes planes_copy(const struct frame_planes *planes, uint32_t count);
void planes_free(struct frame_planes *planes);
bool planes_equal(const struct frame_planes *a, const struct frame_planes *b, uint32_t count);
/* A copy of exactly length bytes, so that the address sanitizer sees one byte too far. */
unsigned char *exact_copy(const unsigned char *bytes, size_t length);
/* The header's fields of a vector's JSON. */
struct frame_header vector_header(const cJSON *json);

#endif
