import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError, crc32c, decodeCb32, parseSegments, stateCrc } from '../index.js';
import { altered, bytesOf, named, planesOf, states } from './vectors.js';

const decode = (bytes, vector) =>
  decodeCb32(parseSegments(bytes)[0], planesOf(vector.base), vector.count, vector.cols);

test('crc32c has the published values', () => {
  assert.equal(crc32c(new TextEncoder().encode('123456789')), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.equal(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
  assert.equal(crc32c(new Uint8Array(0)), 0);
});

test('crc32c of parts continues the whole', () => {
  const bytes = Uint8Array.from({ length: 61 }, (_, i) => i * 37);
  for (let cut = 0; cut <= bytes.length; cut++)
    assert.equal(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut))), crc32c(bytes));
});

test('golden frames decode to the bit', () => {
  assert.ok(states.length >= 17);
  for (const vector of states) {
    const q = decode(bytesOf(vector.segment), vector);
    assert.deepEqual(q.map((plane) => [...plane]), vector.q, vector.name);
    assert.equal(stateCrc(q), vector.state_crc, vector.name);
  }
});

test('a payload that is not aligned decodes as well', () => {
  for (const vector of states) {
    const bytes = bytesOf(vector.segment);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    assert.deepEqual(decode(shifted.subarray(1), vector).map((plane) => [...plane]), vector.q, vector.name);
  }
});

test('every truncation is refused, with the old length and with one that fits', () => {
  for (const vector of states) {
    const whole = bytesOf(vector.segment);
    for (let length = 1; length < whole.length; length++) {
      const bytes = whole.slice(0, length);
      assert.throws(() => decode(bytes, vector), ProtocolError);
      if (length < 48) continue;
      new DataView(bytes.buffer).setUint32(28, length - 48, true);
      assert.throws(() => decode(bytes, vector), ProtocolError);
    }
  }
});

test('words too many are refused', () => {
  const vector = named('worked-example');
  const bytes = new Uint8Array(vector.segment.length / 2 + 4);
  bytes.set(bytesOf(vector.segment));
  new DataView(bytes.buffer).setUint32(28, bytes.length - 48, true);
  assert.throws(() => decode(bytes, vector), /words/);
});

test('count, predictor, missing base and crc are checked', () => {
  const key = named('grid21-key-2d');
  assert.throws(() => decode(altered(key.segment, { count: 440 }), key), /count is 440/);
  assert.throws(() => decode(altered(key.segment, { flags: 1 | (3 << 4) }), key), /predictor 3/);
  assert.throws(() => decode(bytesOf(key.segment), { ...key, cols: 0 }), /predictor 2 with 0 columns/);
  assert.throws(() => decode(altered(key.segment, { stateCrc: 0 }), key), /state_crc/);
  const delta = named('worked-example');
  assert.throws(() => decode(bytesOf(delta.segment), { ...delta, base: null }), /without the state/);
});

test('mutated bytes give ProtocolError or planes, nothing else', () => {
  let seed = 1;
  const random = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  for (const vector of states) {
    for (let round = 0; round < 40; round++) {
      const bytes = bytesOf(vector.segment);
      for (let flips = 1 + random(5); flips > 0; flips--) bytes[random(bytes.length)] = random(256);
      try {
        for (const segment of parseSegments(bytes))
          if (segment.type === 1 && !segment.unchanged && segment.codec === 1)
            decodeCb32(segment, planesOf(vector.base), vector.count, vector.cols);
      } catch (error) {
        assert.ok(error instanceof ProtocolError, `${vector.name}: ${error.stack}`);
      }
    }
  }
});
