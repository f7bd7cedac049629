/* The uv loop of the sim thread: one timer for the next deadline, one async for what
 * the net thread pushes. A uv timer counts whole milliseconds; the clocks of the worlds
 * keep absolute deadlines, so that this costs lateness of a tick but never drift. */
#include "sim/loop.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

struct loop {
    struct sim *sim;
    uv_loop_t uv;
    uv_timer_t timer;
    uv_async_t async;
    uv_thread_t thread;
    _Atomic bool stopping, stopped;
};

static void run(struct loop *loop);

static void on_timer(uv_timer_t *timer) {
    run(timer->data);
}

static void on_async(uv_async_t *async) {
    run(async->data);
}

static void run(struct loop *loop) {
    if (atomic_load(&loop->stopping)) {
        uv_timer_stop(&loop->timer);
        uv_stop(&loop->uv);
        return;
    }
    uint64_t next = simulation_run(loop->sim);
    uv_timer_stop(&loop->timer);
    if (next == CLOCK_NEVER) return;
    uint64_t now = sim_now(loop->sim);
    uint64_t wait_ms = next <= now ? 0 : (next - now + 999) / 1000;
    uv_update_time(&loop->uv);
    uv_timer_start(&loop->timer, on_timer, wait_ms, 0);
}

static void thread_main(void *argument) {
    struct loop *loop = argument;
    run(loop);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    atomic_store(&loop->stopped, true);
}

static void close_handles(struct loop *loop) {
    uv_close((uv_handle_t *)&loop->timer, NULL);
    uv_close((uv_handle_t *)&loop->async, NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    int result = uv_loop_close(&loop->uv);
    assert(result == 0);
    (void)result;
}

int loop_start(struct sim *sim) {
    struct loop *loop = calloc(1, sizeof *loop);
    if (!loop) return UV_ENOMEM;
    int result = uv_loop_init(&loop->uv);
    if (result != 0) {
        free(loop);
        return result;
    }
    loop->sim = sim;
    loop->timer.data = loop;
    loop->async.data = loop;
    uv_timer_init(&loop->uv, &loop->timer);
    result = uv_async_init(&loop->uv, &loop->async, on_async);
    if (result != 0) {
        uv_close((uv_handle_t *)&loop->timer, NULL);
        uv_run(&loop->uv, UV_RUN_DEFAULT);
        uv_loop_close(&loop->uv);
        free(loop);
        return result;
    }
    sim->loop = loop;
    result = uv_thread_create(&loop->thread, thread_main, loop);
    if (result != 0) {
        sim->loop = NULL;
        close_handles(loop);
        free(loop);
    }
    return result;
}

void loop_wake(struct loop *loop) {
    uv_async_send(&loop->async);
}

bool loop_ask_stop(struct sim *sim) {
    struct loop *loop = sim->loop;
    atomic_store(&loop->stopping, true);
    uv_async_send(&loop->async);
    return atomic_load(&loop->stopped);
}

void loop_stop(struct sim *sim) {
    struct loop *loop = sim->loop;
    loop_ask_stop(sim);
    uv_thread_join(&loop->thread);
    sim->loop = NULL;
    close_handles(loop);
    free(loop);
}
