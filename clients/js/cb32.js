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
  if (littleEndianHost && offset % 4 === 0) return new Uint32Array(payload.buffer, offset, count);
  const view = new DataView(payload.buffer, offset, 4 * count);
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
}

/** The 32 residuals of width bits from words[at]. */
function unpackBlock(words, at, width, out) {
  if (width === 0) {
    out.fill(0);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let shift = 0;
  for (let k = 0; k < BLOCK; k++) {
    let z = words[at] >>> shift;
    shift += width;
    if (shift >= 32) {
      at++;
      shift -= 32;
      if (shift > 0) z |= words[at] << (width - shift);
    }
    z &= mask;
    out[k] = (z >>> 1) ^ -(z & 1);
  }
}

const residuals = new Int32Array(BLOCK);

/** One axis: from residuals to q. Returns where the next plane's words begin. */
function decodePlane(codes, firstCode, words, at, predictor, cols, origin, base, q) {
  const count = q.length;
  let sum = 0;
  let column = 0;
  for (let start = 0, block = firstCode; start < count; start += BLOCK, block++) {
    const width = WIDTHS[codes[block]];
    unpackBlock(words, at, width, residuals);
    at += width;
    const here = Math.min(BLOCK, count - start);
    for (let k = 0; k < here; k++) {
      const i = start + k;
      if (predictor === Predictor.NONE) {
        sum = residuals[k];
      } else {
        if (predictor === Predictor.TWO_DIMENSIONAL && column++ === cols) {
          column = 1;
          sum = 0;
        }
        sum = (sum + residuals[k]) | 0;
      }
      if (predictor !== Predictor.TWO_DIMENSIONAL || i < cols) {
        q[i] = (base === null ? 0 : base[i]) + origin + sum;
      } else {
        // The row above has base and origin in it already; the origin cancels.
        q[i] = base === null ? q[i - cols] + sum : base[i] - base[i - cols] + q[i - cols] + sum;
      }
    }
  }
  return at;
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
  for (let axis = 0; axis < 3; axis++) {
    const from = key ? null : base[axis];
    at = decodePlane(codes, axis * blocks, words, at, predictor, cols, segment.origin[axis], from, q[axis]);
  }
  if ((key || segment.stateCrc !== 0) && stateCrc(q) !== segment.stateCrc)
    throw new ProtocolError('state_crc differs from the decoded state');
  return q;
}
