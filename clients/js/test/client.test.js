import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, ConnectionError, RpcError } from '../index.js';
import { bytesOf, meshOf, named } from './vectors.js';

/** A WebSocket whose other end is the test. */
function fakeNetwork() {
  const sockets = [];
  class FakeWebSocket {
    constructor(url, protocols) {
      Object.assign(this, { url, protocols, sent: [], closed: undefined });
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close(code) {
      this.closed = code;
    }
    text(method, params) {
      this.onmessage({ data: JSON.stringify({ jsonrpc: '2.0', method, params }) });
    }
    reply(result) {
      this.onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: this.sent.at(-1).id, result }) });
    }
    hello() {
      this.text('hello', { session: 's', protocol: 1 });
    }
    end(code, reason = '') {
      this.onclose({ code, reason });
    }
  }
  return { sockets, FakeWebSocket };
}

/** Timers that pass when the test says so (Node 18's own mocks differ from later ones). */
function fakeTimers(t) {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const waiting = new Map();
  let now = 0;
  let nextId = 1;
  globalThis.setTimeout = (run, ms) => (waiting.set(nextId, { run, at: now + ms }), nextId++);
  globalThis.clearTimeout = (id) => waiting.delete(id);
  t.after(() => Object.assign(globalThis, real));
  return {
    tick(ms) {
      now += ms;
      for (const [id, { run, at }] of [...waiting]) if (at <= now && waiting.delete(id)) run();
    },
  };
}

function makeClient(options = {}) {
  const { sockets, FakeWebSocket } = fakeNetwork();
  const client = new Client('ws://test/ws', { WebSocket: FakeWebSocket, ...options });
  const states = [];
  client.on('state', (detail) => states.push(detail));
  return { client, sockets, states };
}

test('connect offers the subprotocols and resolves with hello', async () => {
  const { client, sockets } = makeClient({ token: 'sécret?>' });
  const opened = client.connect();
  assert.deepEqual(sockets[0].protocols, ['clothd.v1', 'clothd.bearer.c8OpY3JldD8-']);
  assert.equal(client.state, 'connecting');
  sockets[0].hello();
  assert.equal((await opened).protocol, 1);
  assert.equal(client.state, 'open');
  client.close();
});

test('without a WebSocket the constructor says what to do', () => {
  assert.throws(() => new Client('ws://test/ws', { WebSocket: undefined }), /option WebSocket/);
});

test('requests resolve, are refused with the sentence, or time out', async () => {
  const { client, sockets } = makeClient();
  await assert.rejects(client.request('server.ping'), ConnectionError);
  client.connect();
  sockets[0].hello();
  const ping = client.request('server.ping');
  sockets[0].reply({ server_us: 5 });
  assert.deepEqual(await ping, { server_us: 5 });
  const bad = client.request('world.set', { drag: -1 });
  const error = { code: -32602, message: 'drag is -1, allowed is 0 to 100 1/s.', data: { path: 'drag' } };
  sockets[0].onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: sockets[0].sent.at(-1).id, error }) });
  await assert.rejects(bad, (e) => e instanceof RpcError && e.message === error.message && e.path === 'drag');
  await assert.rejects(client.request('server.ping', {}, { timeoutMs: 5 }), /no reply to server.ping within 5 ms/);
  client.close();
});

test('frames are decoded and lost ones ask for a key, not too often', () => {
  const { client, sockets } = makeClient();
  const frames = [];
  client.on('frame', (frame) => frames.push(frame));
  client.connect();
  sockets[0].hello();
  const key = named('grid21-key-2d');
  sockets[0].text('mesh', meshOf(key));
  const delta = bytesOf(named('grid21-delta-2d').segment).buffer;
  sockets[0].onmessage({ data: delta });
  sockets[0].onmessage({ data: delta });
  assert.deepEqual(
    sockets[0].sent.map(({ method, params, id }) => [method, params.world, id]),
    [['stream.key', 'main', undefined]],
  );
  sockets[0].onmessage({ data: bytesOf(key.segment).buffer });
  assert.deepEqual(frames.map((f) => f.updates[0].kind), ['lost', 'lost', 'positions']);
  assert.equal(frames[2].bytes, key.segment.length / 2);
  client.close();
});

test('what later servers add is ignored', () => {
  const { client, sockets } = makeClient();
  const frames = [];
  const errors = [];
  client.on('frame', (frame) => frames.push(frame));
  client.on('error', (error) => errors.push(error));
  client.connect();
  sockets[0].text('hello', { session: 's', protocol: 1, weather: { wind: 3 } });
  sockets[0].text('weather', { wind: 3 });
  sockets[0].text('event', { world: 'main', seq: 1, tick: 1, event: 'sneezed' });
  const key = named('grid21-key-2d');
  sockets[0].text('mesh', meshOf(key, { mood: 'calm' }));
  sockets[0].text('mesh', meshOf(key, { object: 77, name: 'r', kind: 'rope', shape: { type: 'torus' } }));
  const frame = bytesOf(key.segment);
  const message = new Uint8Array(2 * frame.length);
  message.set(frame);
  message[0] = 99; // an unknown type, skipped by its length
  message.set(frame, frame.length);
  sockets[0].onmessage({ data: message.buffer });
  assert.deepEqual(frames.map((f) => f.updates.map((u) => u.kind)), [['positions']]);
  assert.deepEqual([errors, sockets[0].sent], [[], []]);
  client.close();
});

test('decode: false hands binary messages on untouched', () => {
  const { client, sockets } = makeClient({ decode: false });
  const seen = [];
  client.on('binary', (message) => seen.push(message));
  client.on('frame', () => seen.push('frame'));
  client.connect();
  sockets[0].hello();
  const message = new ArrayBuffer(3);
  sockets[0].onmessage({ data: message });
  assert.deepEqual(seen, [message]);
  client.close();
});

test('broken messages become error events and the connection stays', () => {
  const { client, sockets } = makeClient();
  const errors = [];
  client.on('error', (error) => errors.push(error.name));
  client.connect();
  sockets[0].hello();
  sockets[0].onmessage({ data: new ArrayBuffer(3) });
  sockets[0].onmessage({ data: '{' });
  sockets[0].onmessage({ data: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}' });
  assert.deepEqual(errors, ['ProtocolError', 'ProtocolError', 'RpcError']);
  assert.equal(client.state, 'open');
  client.close();
});

test('after a loss it waits 0.25 s doubled to 8 s with jitter, and starts anew after hello', (t) => {
  const timers = fakeTimers(t);
  const { client, sockets, states } = makeClient({ random: () => 1 });
  client.connect();
  const waits = [];
  for (let i = 0; i < 8; i++) {
    sockets.at(-1).end(1006);
    waits.push(states.at(-1).retryMs);
    timers.tick(waits.at(-1) - 1);
    assert.equal(client.state, 'waiting');
    timers.tick(1);
    assert.equal(client.state, 'connecting');
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  sockets.at(-1).hello();
  sockets.at(-1).end(1001, 'going away');
  assert.equal(states.at(-1).retryMs, 250);
  assert.equal(states.at(-1).reason, 'going away');
  client.close();
  timers.tick(9000);
  assert.equal(sockets.length, 9);

  const early = makeClient({ random: () => 0 });
  early.client.connect();
  early.sockets[0].end(1006);
  assert.equal(early.states.at(-1).retryMs, 125);
  early.client.close();
});

test('a loss rejects what waits; the subscription is restored with its parameters', async (t) => {
  const timers = fakeTimers(t);
  const { client, sockets } = makeClient();
  client.connect();
  sockets[0].hello();
  const subscribed = client.subscribe({ world: 'a', codec: 'f32' });
  sockets[0].reply({ tick: 1 });
  await subscribed;
  const waiting = client.request('world.step', { world: 'a' });
  sockets[0].end(1006);
  await assert.rejects(waiting, ConnectionError);
  timers.tick(250);
  sockets[1].hello();
  assert.deepEqual(
    sockets[1].sent.map(({ method, params }) => [method, params]),
    [['stream.subscribe', { world: 'a', codec: 'f32' }]],
  );
  const left = client.unsubscribe('a');
  sockets[1].reply({ tick: 2 });
  await left;
  sockets[1].end(1006);
  timers.tick(250);
  sockets[2].hello();
  assert.deepEqual(sockets[2].sent, []);
  client.close();
});

test('a refused version or a revoked token is final', async () => {
  for (const code of [4406, 4401]) {
    const { client, sockets, states } = makeClient();
    const opened = client.connect();
    sockets[0].text('hello', { error: 'version' });
    sockets[0].end(code, 'no');
    await assert.rejects(opened, (error) => error instanceof ConnectionError && error.code === code);
    assert.deepEqual(states.at(-1), { state: 'closed', code, reason: 'no' });
    assert.equal(sockets.length, 1);
  }
});

test('close ends it for good', async () => {
  const { client, sockets, states } = makeClient();
  const opened = client.connect();
  client.close();
  await assert.rejects(opened, ConnectionError);
  assert.equal(sockets[0].closed, 1000);
  assert.equal(states.at(-1).state, 'closed');
});

test('a grab drags and releases what it holds', async () => {
  const { client, sockets } = makeClient();
  client.connect();
  sockets[0].hello();
  const grabbed = client.grab({ world: 'lab', cloth: 'sheet', vertex: 3 });
  assert.deepEqual(sockets[0].sent.at(-1).params, { world: 'lab', cloth: 'sheet', vertex: 3 });
  sockets[0].reply({ grab: 7, tick: 1 });
  const grab = await grabbed;
  assert.equal(grab.number, 7);
  const dragged = grab.drag([0, 1, 0]);
  assert.equal(sockets[0].sent.at(-1).method, 'cloth.drag');
  assert.deepEqual(sockets[0].sent.at(-1).params, { world: 'lab', grab: 7, position: [0, 1, 0] });
  sockets[0].reply({ tick: 2 });
  await dragged;
  const released = grab.release();
  assert.deepEqual(sockets[0].sent.at(-1).params, { world: 'lab', grab: 7 });
  const error = { code: -32001, message: 'grab 7 does not exist.', data: { reason: 'not_found' } };
  sockets[0].onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: sockets[0].sent.at(-1).id, error }) });
  await released; // it had ended already
  const again = grab.release();
  const other = { code: -32006, message: 'no.', data: { reason: 'forbidden' } };
  sockets[0].onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: sockets[0].sent.at(-1).id, error: other }) });
  await assert.rejects(again, RpcError);
  client.close();
  await grab.release(); // the server has let go by itself
});

test('the state of a step belongs to the reply behind it, and is no frame', async () => {
  const { client, sockets } = makeClient();
  const frames = [];
  client.on('frame', (frame) => frames.push(frame));
  client.on('binary', (message) => frames.push(message));
  client.connect();
  sockets[0].onopen?.();
  sockets[0].hello();
  const { message, reply, positions } = named('own-answer');
  const first = client.step({ ticks: 30, state: {} });
  sockets[0].onmessage({ data: bytesOf(message).buffer });
  sockets[0].reply(reply);
  const second = client.request('world.list', {});
  sockets[0].reply({ tick: 30, worlds: [] });
  assert.deepEqual([...(await first).state.positions.flag], positions);
  assert.deepEqual(await second, { tick: 30, worlds: [] });
  assert.deepEqual(frames, []);
  const third = client.step({ state: {} });
  sockets[0].onmessage({ data: bytesOf(message).slice(0, 100).buffer });
  sockets[0].reply(reply);
  await assert.rejects(third, /runs past/);
});
