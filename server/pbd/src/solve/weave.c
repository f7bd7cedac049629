/* Which constraint is warp, which weft. */
#include "solve/weave.h"

#include <stdlib.h>

enum { WARP, WEFT, BOTH, KINDS };

struct weave {
    unsigned char *kind; /* per stretch constraint, execution order */
    float *alphas;       /* the same, for the values below */
    float of[KINDS];     /* compliance/h² that alphas was filled with; −1: not yet */
};

/* The compliances differ with these settings. */
static bool is_woven(const struct pbd_cloth_settings *settings) {
    float weft = settings->stretch_compliance_weft;
    return weft != PBD_SAME_AS_WARP && weft != settings->stretch_compliance;
}

static int create(struct pbd_cloth *cloth) {
    const pbd_fabric *fabric = cloth->fabric;
    const struct stretch_set *set = &fabric->stretch;
    const uint32_t *vertex = fabric->view.particle_vertex;
    uint32_t cols = fabric->view.cols;
    struct weave *weave = calloc(1, sizeof *weave);
    unsigned char *kind = malloc((size_t)set->count + 1);
    float *alphas = aligned_floats(set->count);
    if (weave == NULL || kind == NULL || alphas == NULL) {
        free(weave);
        free(kind);
        free(alphas);
        return PBD_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        uint32_t a = vertex[set->a[i]], b = vertex[set->b[i]];
        kind[i] = a / cols == b / cols ? WARP : a % cols == b % cols ? WEFT : BOTH;
    }
    weave->kind = kind;
    weave->alphas = alphas;
    for (int k = 0; k < KINDS; ++k)
        weave->of[k] = -1.0f;
    cloth->weave = weave;
    return PBD_OK;
}

int weave_prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings) {
    if (settings->stretch_compliance_weft == PBD_SAME_AS_WARP) return PBD_OK;
    if (cloth->fabric->view.cols == 0) return PBD_NO_ROWS;
    return cloth->weave != NULL || !is_woven(settings) ? PBD_OK : create(cloth);
}

void weave_destroy(struct pbd_cloth *cloth) {
    struct weave *weave = cloth->weave;
    if (weave == NULL) return;
    free(weave->kind);
    free(weave->alphas);
    free(weave);
    cloth->weave = NULL;
}

const float *weave_alphas(const pbd_world *world, struct pbd_cloth *cloth, float h) {
    const struct pbd_cloth_settings *settings = &cloth->settings;
    struct weave *weave = cloth->weave;
    if (weave == NULL || world->settings.solver.method != PBD_METHOD_XPBD || !is_woven(settings)) return NULL;
    float warp = settings->stretch_compliance / (h * h), weft = settings->stretch_compliance_weft / (h * h);
    const float of[KINDS] = {warp, weft, 0.5f * (warp + weft)};
    if (of[WARP] == weave->of[WARP] && of[WEFT] == weave->of[WEFT]) return weave->alphas;
    for (int k = 0; k < KINDS; ++k)
        weave->of[k] = of[k];
    for (uint32_t i = 0; i < cloth->fabric->stretch.count; ++i)
        weave->alphas[i] = of[weave->kind[i]];
    return weave->alphas;
}
