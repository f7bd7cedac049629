// Geometry of picking and dragging, free of three.js and the DOM.

export type Vec3 = [number, number, number];
/** Column-major 4×4, as WebGL and three.js keep it. */
export type Mat4 = ArrayLike<number>;

export interface ScreenPoint {
  x: number;
  y: number;
  /** −1…1 inside the view's depth range. */
  depth: number;
}

/** A world point in pixels of a width × height view, or null when it lies behind the eye. */
export function toScreen(viewProjection: Mat4, point: Vec3, width: number, height: number): ScreenPoint | null {
  const m = viewProjection;
  const [x, y, z] = point;
  const w = m[3]! * x + m[7]! * y + m[11]! * z + m[15]!;
  if (w <= 0) return null;
  const cx = (m[0]! * x + m[4]! * y + m[8]! * z + m[12]!) / w;
  const cy = (m[1]! * x + m[5]! * y + m[9]! * z + m[13]!) / w;
  const cz = (m[2]! * x + m[6]! * y + m[10]! * z + m[14]!) / w;
  return { x: ((cx + 1) / 2) * width, y: ((1 - cy) / 2) * height, depth: cz };
}

/** The vertex among candidates (all when null) nearest to (x, y) on the screen within
 * radius pixels; of two at much the same distance the one nearer to the eye. -1: none. */
export function nearestVertex(
  positions: Float32Array,
  candidates: Iterable<number> | null,
  viewProjection: Mat4,
  view: { width: number; height: number },
  at: { x: number; y: number },
  radius: number,
): number {
  const count = positions.length / 3;
  let best = -1;
  let bestScore = Infinity;
  const test = (v: number): void => {
    if (v < 0 || v >= count) return;
    const point: Vec3 = [positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!];
    const screen = toScreen(viewProjection, point, view.width, view.height);
    if (!screen || screen.depth > 1) return;
    const distance = Math.hypot(screen.x - at.x, screen.y - at.y);
    if (distance > radius) return;
    const score = distance + (screen.depth + 1) * radius * 0.5;
    if (score < bestScore) {
      bestScore = score;
      best = v;
    }
  };
  if (candidates) for (const v of candidates) test(v);
  else for (let v = 0; v < count; v++) test(v);
  return best;
}

/** Where the ray meets the plane through point with this normal; null when parallel or behind. */
export function rayPlane(origin: Vec3, direction: Vec3, point: Vec3, normal: Vec3): Vec3 | null {
  const slope = dot(direction, normal);
  if (Math.abs(slope) < 1e-9) return null;
  const t = dot(subtract(point, origin), normal) / slope;
  if (!(t > 0)) return null;
  return [origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]];
}

/** The corner of triangle (a, b, c) nearest to point: which vertex a click on a face means. */
export function nearestCorner(positions: Float32Array, face: readonly [number, number, number], point: Vec3): number {
  let best = face[0];
  let bestDistance = Infinity;
  for (const v of face) {
    const d = Math.hypot(positions[3 * v]! - point[0], positions[3 * v + 1]! - point[1], positions[3 * v + 2]! - point[2]);
    if (d < bestDistance) {
      bestDistance = d;
      best = v;
    }
  }
  return best;
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
