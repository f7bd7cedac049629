import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameDecoder, ProtocolError } from '../index.js';
import { altered, bytesOf, meshOf, named, states } from './vectors.js';

/** What the decoder must show of q planes. */
function positions(vector, order) {
  const out = new Float32Array(3 * vector.count);
  for (let i = 0; i < vector.count; i++)
    for (let axis = 0; axis < 3; axis++)
      out[3 * (order?.[i] ?? i) + axis] = vector.q[axis][i] * 2 ** vector.step_exp;
  return out;
}

/** A decoder that knows the mesh and has just seen the key of vector. */
function started(vector, more) {
  const decoder = new FrameDecoder();
  decoder.mesh(meshOf(vector, more));
  assert.equal(decoder.decode(bytesOf(vector.segment)).updates[0].kind, 'positions');
  return decoder;
}

test('keys become positions in metres', () => {
  for (const vector of states.filter((v) => v.key)) {
    const decoder = new FrameDecoder();
    decoder.mesh(meshOf(vector));
    const { updates, needKey } = decoder.decode(bytesOf(vector.segment));
    assert.deepEqual(needKey, []);
    assert.equal(updates[0].kind, 'positions');
    assert.equal(updates[0].key, true);
    assert.equal(updates[0].world, 'main');
    assert.equal(updates[0].name, 'sheet');
    assert.deepEqual(updates[0].positions, positions(vector), vector.name);
  }
});

test('order maps payload vertices to mesh vertices', () => {
  const vector = named('key-left-33');
  const order = Array.from({ length: 33 }, (_, i) => (i * 5) % 33);
  const decoder = new FrameDecoder();
  decoder.mesh(meshOf(vector, { order }));
  assert.deepEqual(decoder.decode(bytesOf(vector.segment)).updates[0].positions, positions(vector, order));
  assert.throws(() => decoder.mesh(meshOf(vector, { order: [0] })), ProtocolError);
});

test('a delta without its base asks for a key and changes nothing', () => {
  const key = named('grid21-key-2d');
  const delta = named('grid21-delta-2d');
  const decoder = new FrameDecoder();
  decoder.mesh(meshOf(key));
  const lost = decoder.decode(bytesOf(delta.segment));
  assert.deepEqual(lost.needKey, ['main']);
  assert.equal(lost.updates[0].kind, 'lost');
});

test('deltas chain by tick; a gap asks for a key, which heals it', () => {
  const key = named('key-left-33');
  const still = named('own-delta-still');
  const decoder = started(key);
  const tick = new DataView(bytesOf(key.segment).buffer).getUint32(12, true);
  const { epoch, object } = meshOf(key);
  const next = (now, base) => altered(still.segment, { epoch, object, tick: now, baseTick: base });

  // Its state is not what still's base says, but a table of zeros keeps any state.
  const first = decoder.decode(next(tick + 1, tick)).updates[0];
  assert.equal(first.kind, 'positions');
  assert.deepEqual(first.positions, positions(key));
  assert.deepEqual(decoder.decode(next(tick + 3, tick + 2)).needKey, ['main']);
  assert.equal(decoder.decode(next(tick + 2, tick + 1)).updates[0].kind, 'positions');
  assert.deepEqual(decoder.decode(next(tick + 9, tick + 8)).needKey, ['main']);
  assert.equal(decoder.decode(bytesOf(key.segment)).updates[0].kind, 'positions');
  assert.equal(decoder.decode(next(tick + 1, tick)).updates[0].kind, 'positions');
});

test('two deltas in a row do not disturb each other (planes are swapped)', () => {
  const key = named('own-key-none-33');
  const delta = named('own-delta-falling');
  const decoder = started(key);
  const tick = new DataView(bytesOf(key.segment).buffer).getUint32(12, true);
  const once = decoder.decode(altered(delta.segment, { tick: tick + 1, baseTick: tick })).updates[0];
  assert.deepEqual(once.positions, positions(delta));
  // The same movement again, from there; its crc then no longer holds, so without one.
  const again = altered(delta.segment, { tick: tick + 2, baseTick: tick + 1, stateCrc: 0 });
  const twice = decoder.decode(again).updates[0];
  const q = delta.q.map((plane, axis) => plane.map((value, i) => 2 * value - delta.base[axis][i]));
  assert.deepEqual(twice.positions, positions({ ...delta, q }));
});

test('a wrong state_crc asks for a key and keeps the state', () => {
  const key = named('own-key-none-33');
  const delta = named('own-delta-falling');
  const decoder = started(key);
  const { tick } = key.header;
  const bad = altered(delta.segment, { tick: tick + 1, baseTick: tick, stateCrc: 1 });
  assert.deepEqual(decoder.decode(bad).needKey, ['main']);
  const good = altered(delta.segment, { tick: tick + 1, baseTick: tick });
  assert.deepEqual(decoder.decode(good).updates[0].positions, positions(delta));
});

test('unchanged advances the tick', () => {
  const key = named('grid21-key-2d');
  const decoder = started(key);
  const { epoch, object } = meshOf(key);
  const tick = new DataView(bytesOf(key.segment).buffer).getUint32(12, true);
  const unchanged = (now, base) =>
    altered(named('own-unchanged').segment, { epoch, object, tick: now, baseTick: base });
  assert.equal(decoder.decode(unchanged(tick + 60, tick)).updates[0].kind, 'unchanged');
  assert.equal(decoder.decode(unchanged(tick + 120, tick + 60)).updates[0].kind, 'unchanged');
  assert.deepEqual(decoder.decode(unchanged(tick + 300, tick)).needKey, ['main']);
});

test('an older epoch is ignored, a newer one asks for a key', () => {
  const key = named('grid21-key-2d');
  const { epoch } = meshOf(key);
  const decoder = started(key, { epoch });
  decoder.mesh(meshOf(key, { epoch: epoch + 1 }));
  assert.deepEqual(decoder.decode(bytesOf(key.segment)), { updates: [], needKey: [] });
  assert.deepEqual(decoder.decode(altered(key.segment, { epoch: epoch + 2 })).needKey, ['main']);
  assert.equal(decoder.decode(altered(key.segment, { epoch: epoch + 1 })).updates[0].kind, 'positions');
});

test('a new epoch drops the decoded state, the same epoch keeps it', () => {
  const key = named('own-key-none-33');
  const delta = named('own-delta-falling');
  const { epoch } = meshOf(key);
  const { tick } = key.header;
  const next = (e) => altered(delta.segment, { epoch: e, tick: tick + 1, baseTick: tick });
  const decoder = started(key);
  decoder.mesh(meshOf(key, { pins: [1] }));
  assert.equal(decoder.decode(next(epoch)).updates[0].kind, 'positions');
  decoder.mesh(meshOf(key, { epoch: epoch + 1 }));
  assert.equal(decoder.decode(next(epoch + 1)).updates[0].kind, 'lost');
});

test('objects that were removed or never announced are lost frames', () => {
  const key = named('grid21-key-2d');
  const decoder = started(key);
  decoder.mesh(meshOf(key, { removed: true }));
  const { updates, needKey } = decoder.decode(bytesOf(key.segment));
  assert.equal(updates[0].kind, 'lost');
  assert.deepEqual(needKey, ['main']);
  decoder.forget();
  assert.deepEqual(decoder.decode(bytesOf(key.segment)).needKey, []); // no name to ask for
});

test('rest, triangles, f32 and poses are read to the bit', () => {
  for (const [name, kind, field] of [
    ['own-rest', 'rest', 'positions'],
    ['own-triangles', 'triangles', 'triangles'],
    ['own-state-f32', 'positions', 'positions'],
  ]) {
    const vector = named(name);
    const decoder = new FrameDecoder();
    decoder.mesh(meshOf(vector));
    const [update] = decoder.decode(bytesOf(vector.segment)).updates;
    assert.equal(update.kind, kind);
    assert.deepEqual([...update[field]], vector.values);
    decoder.mesh(meshOf(vector, { epoch: meshOf(vector).epoch + 1, vertex_count: 4, triangle_count: 4 }));
    const other = altered(vector.segment, { epoch: meshOf(vector).epoch + 1 });
    assert.equal(decoder.decode(other).updates[0].kind, 'lost');
  }
  const [update] = new FrameDecoder().decode(bytesOf(named('own-poses').segment)).updates;
  assert.equal(update.kind, 'poses');
  assert.equal(update.key, true);
  assert.deepEqual(
    update.poses.map(({ removed, ...pose }) => ({ ...pose, flags: removed ? 1 : 0 })),
    named('own-poses').poses.map(({ object, flags, position, rotation }) => ({ object, position, rotation, flags })),
  );
});

test('poses chain by tick too', () => {
  const key = named('own-poses');
  const none = named('own-poses-none');
  const decoder = new FrameDecoder();
  decoder.mesh(meshOf(key, { kind: 'collider' }));
  assert.deepEqual(decoder.decode(bytesOf(none.segment)).needKey, ['main']);
  decoder.decode(bytesOf(key.segment));
  assert.deepEqual(decoder.decode(bytesOf(none.segment)).updates[0].poses, []);
  assert.deepEqual(decoder.decode(altered(none.segment, { tick: 9, baseTick: 8 })).needKey, ['main']);
});

test('a message of several segments is one tick; a broken one changes nothing', () => {
  const { message, headers } = named('own-message');
  const make = () => {
    const decoder = new FrameDecoder();
    const ragged = named('own-key-2d-ragged');
    decoder.mesh(meshOf(ragged));
    return decoder;
  };
  const whole = bytesOf(message);
  // Key, then a delta of the same object that does not fit it, an unknown type, poses.
  const { updates, needKey } = make().decode(whole);
  assert.deepEqual(updates.map((u) => u.kind), ['positions', 'lost', 'poses']);
  assert.deepEqual(needKey, ['main']);
  assert.equal(updates[0].tick, headers[0].tick);
  const decoder = make();
  assert.throws(() => decoder.decode(whole.slice(0, whole.length - 1)), ProtocolError);
  assert.equal(decoder.decode(bytesOf(named('own-unchanged').segment)).updates[0].kind, 'lost');
});

test('a collider becomes another mesh within an epoch', () => {
  const rest = named('own-rest');
  const decoder = new FrameDecoder();
  const collider = { kind: 'collider', name: 'tetra', shape: { type: 'sphere', radius: 1 } };
  decoder.mesh(meshOf(rest, { ...collider, vertex_count: 0, triangle_count: 0 }));
  assert.equal(decoder.decode(bytesOf(rest.segment)).updates[0].kind, 'lost');
  decoder.mesh(meshOf(rest, { ...collider, shape: { type: 'mesh' } }));
  const [update] = decoder.decode(bytesOf(rest.segment)).updates;
  assert.equal(update.kind, 'rest');
  assert.equal(update.name, 'tetra');
  assert.deepEqual([...update.positions], rest.values);
});
