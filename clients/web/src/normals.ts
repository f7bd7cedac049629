// Smooth vertex normals. Vertices that coincide in the rest pose (a garment's seam)
// share one normal, so that a welded seam is not drawn as a crease.

export interface NormalPlan {
  vertexCount: number;
  triangles: Uint32Array;
  /** For each vertex the vertex that collects its normal; itself where nothing coincides. */
  owner: Uint32Array;
  hasSeams: boolean;
}

/** rest may be null before its segment came: then nothing is shared. */
export function planNormals(vertexCount: number, triangles: Uint32Array, rest: Float32Array | null): NormalPlan {
  const owner = new Uint32Array(vertexCount);
  let hasSeams = false;
  const seen = new Map<string, number>();
  for (let v = 0; v < vertexCount; v++) {
    owner[v] = v;
    if (!rest || rest.length < 3 * vertexCount) continue;
    const key = `${rest[3 * v]},${rest[3 * v + 1]},${rest[3 * v + 2]}`;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, v);
    } else {
      owner[v] = first;
      hasSeams = true;
    }
  }
  return { vertexCount, triangles, owner, hasSeams };
}

/** Area-weighted unit normals of positions (xyz per vertex) into out (same shape). */
export function computeNormals(plan: NormalPlan, positions: Float32Array, out: Float32Array): void {
  const { triangles, owner, vertexCount } = plan;
  out.fill(0);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = triangles[t]! * 3;
    const b = triangles[t + 1]! * 3;
    const c = triangles[t + 2]! * 3;
    const ax = positions[a]!, ay = positions[a + 1]!, az = positions[a + 2]!;
    const ux = positions[b]! - ax, uy = positions[b + 1]! - ay, uz = positions[b + 2]! - az;
    const vx = positions[c]! - ax, vy = positions[c + 1]! - ay, vz = positions[c + 2]! - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const oa = owner[a / 3]! * 3, ob = owner[b / 3]! * 3, oc = owner[c / 3]! * 3;
    out[oa] = out[oa]! + nx; out[oa + 1] = out[oa + 1]! + ny; out[oa + 2] = out[oa + 2]! + nz;
    out[ob] = out[ob]! + nx; out[ob + 1] = out[ob + 1]! + ny; out[ob + 2] = out[ob + 2]! + nz;
    out[oc] = out[oc]! + nx; out[oc + 1] = out[oc + 1]! + ny; out[oc + 2] = out[oc + 2]! + nz;
  }
  for (let v = 0; v < vertexCount; v++) {
    if (owner[v] !== v) continue;
    const i = 3 * v;
    const length = Math.hypot(out[i]!, out[i + 1]!, out[i + 2]!);
    if (length > 0) {
      out[i] = out[i]! / length;
      out[i + 1] = out[i + 1]! / length;
      out[i + 2] = out[i + 2]! / length;
    } else {
      out[i + 1] = 1;
    }
  }
  if (!plan.hasSeams) return;
  for (let v = 0; v < vertexCount; v++) {
    const o = owner[v]! * 3;
    if (o === 3 * v) continue;
    out[3 * v] = out[o]!;
    out[3 * v + 1] = out[o + 1]!;
    out[3 * v + 2] = out[o + 2]!;
  }
}
