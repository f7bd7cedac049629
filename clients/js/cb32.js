// The CB32 codec, decoding side: integers modulo 2^32 only, so that every client gets the same bits.
import { littleEndianHost, stateCrc } from './crc32c.js';
import { ProtocolError } from './errors.js';
import { Predictor } from './segments.js';

const WIDTHS = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 18, 32);
const BLOCK = 32;

/** The payload's words behind the width table; copied only where it is not aligned. */
function wordsOf(payload, start) {
  const count = (payload.length - start) / 4;
  const offset = payload.byteOffset + start;
  if (littleEndianHost && offset % 4 === 0) return new Int32Array(payload.buffer, offset, count);
  const view = new DataView(payload.buffer, offset, 4 * count);
  return Int32Array.from({ length: count }, (_, i) => view.getInt32(4 * i, true));
}

/** The residuals of one block, of width bits each from words[at], to q[start … end). */
function unpackBlock(words, at, width, q, start, end) {
  if (width === 0) {
    q.fill(0, start, end);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let word = words[at] | 0;
  let shift = 0;
  for (let i = start; i < end; i++) {
    let z = word >>> shift;
    shift += width;
    if (shift >= 32) {
      // At the very end of the payload this reads undefined, which is 0 here and not used.
      word = words[++at] | 0;
      shift -= 32;
      if (shift > 0) z |= word << (width - shift);
    }
    z &= mask;
    q[i] = (z >>> 1) ^ -(z & 1);
  }
}

/** One axis: the residuals in q become q. Without a base, as if it were all zero. */
function addUp(q, base, origin, predictor, cols) {
  const count = q.length;
  if (predictor === Predictor.NONE) {
    if (base === null) for (let i = 0; i < count; i++) q[i] += origin;
    else for (let i = 0; i < count; i++) q[i] += base[i] + origin;
    return;
  }
  let sum = origin;
  const firstRow = predictor === Predictor.LEFT ? count : Math.min(cols, count);
  for (let i = 0; i < firstRow; i++) {
    sum = (sum + q[i]) | 0;
    q[i] = base === null ? sum : base[i] + sum;
  }
  // The row above has base and origin in it already: the origin cancels.
  for (let row = firstRow; row < count; row += cols) {
    const end = Math.min(row + cols, count);
    sum = 0;
    if (base === null) {
      for (let i = row; i < end; i++) {
        sum = (sum + q[i]) | 0;
        q[i] = q[i - cols] + sum;
      }
    } else {
      for (let i = row; i < end; i++) {
        sum = (sum + q[i]) | 0;
        q[i] = base[i] - base[i - cols] + q[i - cols] + sum;
      }
    }
  }
}

/**
 * Decodes a CB32 STATE segment of `parseSegments`.
 *
 * @param segment the segment
 * @param base q planes [x, y, z] (Int32Array) that a delta builds on; not read for a key
 * @param count vertices that `mesh` announced
 * @param cols columns that `mesh` announced, 0 = none
 * @param out planes to write to, not those of `base`; made when absent
 * @returns the planes. Throws ProtocolError; `out` is then undefined in content.
 */
export function decodeCb32(segment, base, count, cols, out) {
  const { payload, predictor, key } = segment;
  if (segment.count !== count) throw new ProtocolError(`count is ${segment.count}, but the mesh has ${count} vertices`);
  if (predictor > Predictor.TWO_DIMENSIONAL || (predictor === Predictor.TWO_DIMENSIONAL && !(cols > 0)))
    throw new ProtocolError(`predictor ${predictor} with ${cols} columns`);
  if (!key && base === null) throw new ProtocolError('a delta without the state it builds on');

  const blocks = Math.ceil(count / BLOCK);
  const tableBytes = Math.ceil((3 * blocks) / 8) * 4;
  if (payload.length % 4 !== 0 || tableBytes > payload.length)
    throw new ProtocolError(`a width table of ${tableBytes} bytes does not fit ${payload.length}`);
  const codes = new Uint8Array(3 * blocks);
  let total = 0;
  for (let i = 0; i < codes.length; i++) {
    codes[i] = (payload[i >> 1] >> (4 * (i & 1))) & 15;
    total += WIDTHS[codes[i]];
  }
  const words = wordsOf(payload, tableBytes);
  if (total !== words.length)
    throw new ProtocolError(`the width table asks for ${total} words, but ${words.length} are there`);

  const q = out ?? [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  let at = 0;
  let block = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (let start = 0; start < count; start += BLOCK) {
      const width = WIDTHS[codes[block++]];
      unpackBlock(words, at, width, q[axis], start, Math.min(start + BLOCK, count));
      at += width;
    }
    addUp(q[axis], key ? null : base[axis], segment.origin[axis], predictor, cols);
  }
  if ((key || segment.stateCrc !== 0) && stateCrc(q) !== segment.stateCrc)
    throw new ProtocolError('state_crc differs from the decoded state');
  return q;
}
