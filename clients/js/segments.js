// Binary messages: the walk over segments, and the 48-byte header. Every length is doubted here.
import { ProtocolError } from './errors.js';

export const HEADER_BYTES = 48;
export const SegmentType = Object.freeze({ STATE: 1, TRIANGLES: 2, REST: 3, POSES: 4, GRABS: 5, VELOCITIES: 6 });
export const Codec = Object.freeze({ F32: 0, CB32: 1 });
export const Predictor = Object.freeze({ NONE: 0, LEFT: 1, TWO_DIMENSIONAL: 2 });

const POSE_BYTES = 32;
const TRIPLE_BYTES = 12;

/** Bytes that type and count ask for; undefined where any length is allowed. */
function expectedBytes(segment) {
  const { type, codec, unchanged, count } = segment;
  switch (type) {
    case SegmentType.STATE:
      if (unchanged) return 0;
      return codec === Codec.F32 ? count * TRIPLE_BYTES : undefined;
    case SegmentType.TRIANGLES:
    case SegmentType.REST:
    case SegmentType.VELOCITIES:
      return count * TRIPLE_BYTES;
    case SegmentType.POSES:
      return unchanged ? 0 : count * POSE_BYTES;
    default:
      return undefined;
  }
}

function readSegment(view, offset) {
  const flags = view.getUint8(offset + 2);
  return {
    type: view.getUint8(offset),
    codec: view.getUint8(offset + 1),
    key: (flags & 1) !== 0,
    unchanged: (flags & 2) !== 0,
    cut: (flags & 4) !== 0,
    answer: (flags & 8) !== 0,
    predictor: (flags >> 4) & 3,
    stepExp: view.getInt8(offset + 3),
    world: view.getUint16(offset + 4, true),
    object: view.getUint16(offset + 6, true),
    epoch: view.getUint32(offset + 8, true),
    tick: view.getUint32(offset + 12, true),
    baseTick: view.getUint32(offset + 16, true),
    serverUs: view.getUint32(offset + 20, true),
    count: view.getUint32(offset + 24, true),
    payloadBytes: view.getUint32(offset + 28, true),
    origin: [
      view.getInt32(offset + 32, true),
      view.getInt32(offset + 36, true),
      view.getInt32(offset + 40, true),
    ],
    stateCrc: view.getUint32(offset + 44, true),
    payload: undefined,
  };
}

/**
 * The segments of a binary message (ArrayBuffer or a view of one), payloads as views into it.
 * Throws ProtocolError when a segment does not fit; then none is returned.
 */
export function parseSegments(message) {
  const bytes =
    message instanceof ArrayBuffer
      ? new Uint8Array(message)
      : new Uint8Array(message.buffer, message.byteOffset, message.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments = [];
  let offset = 0;
  while (offset < bytes.length) {
    const left = bytes.length - offset - HEADER_BYTES;
    if (left < 0) throw new ProtocolError(`header at ${offset} runs past the message of ${bytes.length} bytes`);
    const segment = readSegment(view, offset);
    const { payloadBytes } = segment;
    if (payloadBytes > left)
      throw new ProtocolError(`payload of ${payloadBytes} bytes at ${offset} runs past the message: ${left} are left`);
    const expected = expectedBytes(segment);
    if (payloadBytes % 4 !== 0 || (expected !== undefined && payloadBytes !== expected))
      throw new ProtocolError(
        `payload of ${payloadBytes} bytes at ${offset}, but ${expected ?? 'a multiple of 4'} is what its type needs`,
      );
    offset += HEADER_BYTES;
    segment.payload = bytes.subarray(offset, offset + payloadBytes);
    offset += payloadBytes;
    segments.push(segment);
  }
  return segments;
}
