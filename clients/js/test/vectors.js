// The golden frames of protocol/vectors, for the tests.
import { readFileSync, readdirSync } from 'node:fs';

const folder = new URL('../../../protocol/vectors/', import.meta.url);

export const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
export const planesOf = (lists) => (lists === null ? null : lists.map((list) => Int32Array.from(list)));

export const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
export const states = vectors.filter((vector) => vector.q !== undefined);
export const named = (name) => vectors.find((vector) => vector.name === name);

/** `mesh` params that fit a vector. */
export function meshOf(vector, more = {}) {
  const view = new DataView(bytesOf(vector.segment).buffer);
  return {
    world: 'main',
    world_index: view.getUint16(4, true),
    object: view.getUint16(6, true),
    epoch: view.getUint32(8, true),
    name: 'sheet',
    kind: 'cloth',
    vertex_count: vector.count,
    triangle_count: vector.count,
    cols: vector.cols ?? 0,
    order: null,
    ...more,
  };
}

/** A segment with header fields replaced: {tick: …} and so on. */
export function altered(hex, fields) {
  const bytes = bytesOf(hex);
  const view = new DataView(bytes.buffer);
  const offsets = { epoch: 8, tick: 12, baseTick: 16, count: 24, stateCrc: 44 };
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'flags') bytes[2] = value;
    else if (name === 'object') view.setUint16(6, value, true);
    else view.setUint32(offsets[name], value, true);
  }
  return bytes;
}
