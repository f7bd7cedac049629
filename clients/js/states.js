// What a step answers with: a binary message of segments with the flag ANSWER, and the reply that says
// what they are. Knows no sockets.
import { decodeCb32 } from './cb32.js';
import { ProtocolError } from './errors.js';
import { floatsOf, positionsOf, readPoses } from './frame_decoder.js';
import { Codec, HEADER_BYTES, SegmentType, parseSegments } from './segments.js';

const ANSWER = 8;

/** Whether a binary message is the state of a reply, and no part of a stream. */
export function isAnswer(message) {
  if (message.byteLength < HEADER_BYTES) return false;
  const bytes = ArrayBuffer.isView(message)
    ? new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
    : new Uint8Array(message);
  return (bytes[2] & ANSWER) !== 0;
}

function readCloth(segment, cloth) {
  if (segment.codec === Codec.F32) {
    if (segment.count !== cloth.vertex_count)
      throw new ProtocolError(`count is ${segment.count}, but the reply says ${cloth.vertex_count} vertices`);
    return floatsOf(segment.payload);
  }
  const q = decodeCb32(segment, null, cloth.vertex_count, cloth.cols ?? 0);
  const order = cloth.order ?? null;
  return positionsOf(q, order === null ? null : Uint32Array.from(order), segment.stepExp);
}

function readState(segments, told, tick) {
  const state = { tick, positions: {}, velocities: {}, poses: {} };
  const cloths = new Map(told.cloths.map((cloth) => [cloth.object, cloth]));
  const colliders = new Map(told.colliders.map(({ object, collider }) => [object, collider]));
  for (const segment of segments) {
    if (segment.world !== told.world_index) continue;
    if (segment.type === SegmentType.POSES) {
      for (const { object, position, rotation } of readPoses(segment)) {
        if (colliders.has(object)) state.poses[colliders.get(object)] = { position, rotation };
      }
      continue;
    }
    const cloth = cloths.get(segment.object);
    if (cloth === undefined) continue;
    if (segment.type === SegmentType.STATE) state.positions[cloth.cloth] = readCloth(segment, cloth);
    if (segment.type === SegmentType.VELOCITIES) state.velocities[cloth.cloth] = readCloth(segment, cloth);
  }
  return state;
}

/**
 * The reply of world.step or server.step with every `state` read: {tick, positions, velocities, poses}, by name;
 * `message` is the binary message before it, or null. Throws ProtocolError when they do not fit.
 */
export function withStates(result, message) {
  const segments = message === null ? [] : parseSegments(message);
  const read = (part) =>
    part.state?.world_index === undefined ? part : { ...part, state: readState(segments, part.state, part.tick) };
  const out = read(result);
  return Array.isArray(result.worlds) ? { ...out, worlds: result.worlds.map(read) } : out;
}
