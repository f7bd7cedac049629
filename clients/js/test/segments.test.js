import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError, parseSegments } from '../index.js';
import { altered, bytesOf, named, vectors } from './vectors.js';

/** A segment in the words of the vectors' `header`. */
const headerOf = (s) => ({
  type: s.type,
  codec: s.codec,
  flags: (s.key ? 1 : 0) | (s.unchanged ? 2 : 0) | (s.cut ? 4 : 0) | (s.answer ? 8 : 0),
  predictor: s.predictor,
  step_exp: s.stepExp,
  world: s.world,
  object: s.object,
  epoch: s.epoch,
  tick: s.tick,
  base_tick: s.baseTick,
  server_us: s.serverUs,
  count: s.count,
  payload_bytes: s.payloadBytes,
  origin: s.origin,
  state_crc: s.stateCrc,
});

test('golden headers are read field by field', () => {
  const withHeader = vectors.filter((vector) => vector.header !== undefined);
  assert.ok(withHeader.length >= 20);
  for (const vector of withHeader)
    assert.deepEqual(headerOf(parseSegments(bytesOf(vector.segment))[0]), vector.header, vector.name);
});

test('a message is walked segment by segment, unknown types included', () => {
  const vector = named('own-message');
  const segments = parseSegments(bytesOf(vector.message));
  assert.deepEqual(segments.map(headerOf), vector.headers);
  assert.deepEqual(segments.map((s) => s.payload.length + 48), vector.segments);
});

test('a message cut anywhere but between segments is refused', () => {
  const { message, segments } = named('own-message');
  const whole = bytesOf(message);
  const ends = new Set();
  segments.reduce((sum, length) => (ends.add(sum + length), sum + length), 0);
  for (let length = 1; length < whole.length; length++) {
    if (ends.has(length)) assert.ok(parseSegments(whole.slice(0, length)).length >= 1);
    else assert.throws(() => parseSegments(whole.slice(0, length)), ProtocolError);
  }
});

test('every truncation of the other vectors is refused', () => {
  for (const vector of vectors.filter((v) => v.segment !== undefined && v.q === undefined)) {
    const whole = bytesOf(vector.segment);
    for (let length = 1; length < whole.length; length++) {
      const bytes = whole.slice(0, length);
      assert.throws(() => parseSegments(bytes), ProtocolError, vector.name);
      if (length < 48) continue;
      new DataView(bytes.buffer).setUint32(28, length - 48, true);
      assert.throws(() => parseSegments(bytes), ProtocolError, vector.name);
    }
  }
});

test('a count that the payload does not have is refused', () => {
  for (const name of ['own-rest', 'own-triangles', 'own-poses', 'own-state-f32'])
    assert.throws(() => parseSegments(altered(named(name).segment, { count: 4 })), /payload of/, name);
});

test('ArrayBuffer, views and an empty message are accepted', () => {
  const bytes = bytesOf(named('own-rest').segment);
  assert.equal(parseSegments(bytes.buffer)[0].count, 3);
  assert.equal(parseSegments(new DataView(bytes.buffer))[0].count, 3);
  assert.deepEqual(parseSegments(new ArrayBuffer(0)), []);
});
