import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameDecoder, ProtocolError, isAnswer, withStates } from '../index.js';
import { bytesOf, meshOf, named, planesOf } from './vectors.js';

const vector = named('own-answer');
const message = bytesOf(vector.message);

test('a reply gets the state that came before it, by name', () => {
  assert.ok(isAnswer(message) && isAnswer(message.buffer));
  const result = withStates(vector.reply, message);
  assert.equal(result.state_hash, vector.reply.state_hash);
  assert.equal(result.state.tick, 30);
  assert.deepEqual([...result.state.positions.flag], vector.positions);
  assert.deepEqual([...result.state.velocities.flag], vector.velocities);
  const [{ position, rotation }] = vector.poses;
  assert.deepEqual(result.state.poses, { ball: { position, rotation } });
});

test('worlds of one message are told apart by their index', () => {
  const other = { ...vector.reply.state, world_index: 7 };
  const { worlds } = withStates({ tick: 0, worlds: [{ tick: 1, state: other }, vector.reply, { tick: 2 }] }, message);
  assert.deepEqual(worlds[0].state, { tick: 1, positions: {}, velocities: {}, poses: {} });
  assert.equal(worlds[1].state.positions.flag.length, 6);
  assert.equal(worlds[2].state, undefined);
});

test('a quantised state is decoded by the columns and the order of the reply', () => {
  const key = named('grid21-key-2d');
  const bytes = bytesOf(key.segment);
  bytes[2] |= 8;
  const view = new DataView(bytes.buffer);
  const order = Array.from({ length: key.count }, (_, i) => key.count - 1 - i);
  const cloth = { object: view.getUint16(6, true), cloth: 'a', vertex_count: key.count, cols: key.cols, order };
  const state = { world_index: view.getUint16(4, true), epoch: 1, cloths: [cloth], colliders: [] };
  const { positions } = withStates({ tick: 1, state }, bytes).state;
  const [x] = planesOf(key.q);
  assert.equal(positions.a[3 * (key.count - 1)], x[0] * 2 ** key.step_exp);
});

test('a message that does not fit its reply is refused', () => {
  const cloths = [{ object: 3, cloth: 'flag', vertex_count: 9 }];
  assert.throws(() => withStates({ ...vector.reply, state: { ...vector.reply.state, cloths } }, message), ProtocolError);
  assert.throws(() => withStates(vector.reply, message.subarray(0, 60)), ProtocolError);
});

test('an answer is no frame, and frames are no answers', () => {
  const key = named('grid21-key-2d');
  assert.ok(!isAnswer(bytesOf(key.segment)) && !isAnswer(new Uint8Array(3)));
  const decoder = new FrameDecoder();
  decoder.mesh(meshOf(key));
  decoder.decode(bytesOf(key.segment));
  assert.deepEqual(decoder.decode(message), { updates: [], needKey: [] });
});
