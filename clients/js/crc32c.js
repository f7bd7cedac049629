// CRC32C (Castagnoli), eight bytes a step through eight tables.

const tables = Array.from({ length: 8 }, () => new Uint32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  tables[0][byte] = crc;
}
for (let byte = 0; byte < 256; byte++) {
  for (let place = 1; place < 8; place++) {
    const before = tables[place - 1][byte];
    tables[place][byte] = tables[0][before & 255] ^ (before >>> 8);
  }
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;

export const littleEndianHost = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** CRC32C of bytes, continued from `crc` (0 at first), as an unsigned number. */
export function crc32c(bytes, crc = 0) {
  crc = ~crc;
  const whole = bytes.length & ~7;
  let i = 0;
  for (; i < whole; i += 8) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc =
      t7[crc & 255] ^
      t6[(crc >>> 8) & 255] ^
      t5[(crc >>> 16) & 255] ^
      t4[crc >>> 24] ^
      t3[bytes[i + 4]] ^
      t2[bytes[i + 5]] ^
      t1[bytes[i + 6]] ^
      t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** `state_crc` of q planes (Int32Array x, y, z): their little-endian bytes, one after the other. */
export function stateCrc(planes) {
  let crc = 0;
  for (const plane of planes) {
    let bytes = new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength);
    if (!littleEndianHost) {
      const view = new DataView(new ArrayBuffer(plane.byteLength));
      plane.forEach((value, i) => view.setInt32(4 * i, value, true));
      bytes = new Uint8Array(view.buffer);
    }
    crc = crc32c(bytes, crc);
  }
  return crc;
}
