// The state of a subscriber: meshes announced by text, positions and poses by binary messages.
// Knows no sockets and no clock; what it cannot decode it asks a key for.
import { decodeCb32 } from './cb32.js';
import { ProtocolError } from './errors.js';
import { Codec, SegmentType, parseSegments } from './segments.js';

const POSE_BYTES = 32;

/** Whether epoch a came before b, modulo 2^32. */
function isBefore(a, b) {
  return ((a - b) | 0) < 0;
}

export function floatsOf(payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  return Float32Array.from({ length: payload.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

function integersOf(payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  return Uint32Array.from({ length: payload.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

/** q · 2^stepExp, interleaved xyz in mesh order. Exact in float32 while |q| < 2^24. */
export function positionsOf(q, order, stepExp) {
  const count = q[0].length;
  const positions = new Float32Array(3 * count);
  const step = 2 ** stepExp;
  const [x, y, z] = q;
  for (let i = 0; i < count; i++) {
    const vertex = 3 * (order === null ? i : order[i]);
    positions[vertex] = x[i] * step;
    positions[vertex + 1] = y[i] * step;
    positions[vertex + 2] = z[i] * step;
  }
  return positions;
}

/** The entries of a POSES segment. */
export function readPoses(segment) {
  const { payload } = segment;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const poses = [];
  for (let at = 0; at < payload.length; at += POSE_BYTES) {
    const float = (i) => view.getFloat32(at + 4 + 4 * i, true);
    poses.push({
      object: view.getUint16(at, true),
      removed: (view.getUint16(at + 2, true) & 1) !== 0,
      position: [float(0), float(1), float(2)],
      rotation: [float(3), float(4), float(5), float(6)],
    });
  }
  return poses;
}

export class FrameDecoder {
  /** worldIndex → {name, tick, posesTick, objects: index → entry} */
  #worlds = new Map();

  /** Takes the `params` of a `mesh` notification: an object appeared, changed or went. */
  mesh(params) {
    const world = this.#world(params.world_index);
    world.name = params.world;
    if (params.removed) {
      world.objects.delete(params.object);
      return;
    }
    const known = world.objects.get(params.object);
    const order = params.order ?? null;
    if (order !== null && order.length !== params.vertex_count)
      throw new ProtocolError(`order of ${params.name} has ${order.length} entries for ${params.vertex_count} vertices`);
    const entry = {
      name: params.name,
      kind: params.kind,
      epoch: params.epoch,
      vertexCount: params.vertex_count ?? 0,
      triangleCount: params.triangle_count ?? 0,
      cols: params.cols ?? 0,
      order: order === null ? null : Uint32Array.from(order),
      q: null,
      spare: null,
      tick: 0,
    };
    // News about the same topology (pins, a pose) keeps the decoded state.
    if (known && known.epoch === entry.epoch && known.vertexCount === entry.vertexCount) {
      entry.q = known.q;
      entry.spare = known.spare;
      entry.tick = known.tick;
    }
    world.objects.set(params.object, entry);
  }

  /** Forgets a world (unsubscribed), or all of them (a new connection). */
  forget(worldIndex) {
    if (worldIndex === undefined) this.#worlds.clear();
    else this.#worlds.delete(worldIndex);
  }

  /** The name of a world by its index in frames, as its `mesh` notifications said. */
  worldName(worldIndex) {
    return this.#worlds.get(worldIndex)?.name;
  }

  /**
   * Decodes one binary message.
   *
   * @returns `updates` in the message's order, and `needKey`: names of worlds for which
   * `stream.key` must be sent since a frame could not be used. Throws ProtocolError when the
   * message itself is broken; the state is then as before.
   */
  decode(message) {
    const updates = [];
    const needKey = new Set();
    const lastTicks = new Map();
    // What answers a step is no part of a stream: the reply that follows says what it is.
    const segments = parseSegments(message).filter((segment) => !segment.answer);
    for (const segment of segments) {
      const world = this.#world(segment.world);
      if (!lastTicks.has(segment.world)) lastTicks.set(segment.world, world.tick);
      try {
        const update = this.#decodeSegment(segment, world, lastTicks.get(segment.world));
        if (update !== null) updates.push(update);
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        updates.push({ kind: 'lost', ...this.#place(segment, world), reason: error.message });
        if (world.name !== undefined) needKey.add(world.name);
      }
    }
    for (const segment of segments) {
      const world = this.#world(segment.world);
      if (segment.type === SegmentType.STATE || segment.type === SegmentType.POSES) world.tick = segment.tick;
    }
    return { updates, needKey: [...needKey] };
  }

  #world(index) {
    let world = this.#worlds.get(index);
    if (world === undefined) {
      world = { name: undefined, tick: undefined, posesTick: undefined, objects: new Map() };
      this.#worlds.set(index, world);
    }
    return world;
  }

  #place(segment, world) {
    return {
      world: world.name,
      worldIndex: segment.world,
      object: segment.object,
      name: world.objects.get(segment.object)?.name,
      epoch: segment.epoch,
      tick: segment.tick,
      serverUs: segment.serverUs,
    };
  }

  /** An update, null for what is none of our business, or ProtocolError: a key is needed. */
  #decodeSegment(segment, world, lastTick) {
    if (segment.type === SegmentType.POSES) return this.#decodePoses(segment, world, lastTick);
    if (![SegmentType.STATE, SegmentType.TRIANGLES, SegmentType.REST].includes(segment.type)) return null;

    const entry = world.objects.get(segment.object);
    if (entry === undefined) throw new ProtocolError(`object ${segment.object} was not announced`);
    if (isBefore(segment.epoch, entry.epoch)) return null; // left over from before a reset
    if (segment.epoch !== entry.epoch)
      throw new ProtocolError(`epoch is ${segment.epoch}, but ${entry.epoch} was announced`);
    const place = this.#place(segment, world);
    switch (segment.type) {
      case SegmentType.TRIANGLES:
        if (segment.count !== entry.triangleCount)
          throw new ProtocolError(`${segment.count} triangles, but ${entry.triangleCount} were announced`);
        return { kind: 'triangles', ...place, triangles: integersOf(segment.payload) };
      case SegmentType.REST:
        if (segment.count !== entry.vertexCount)
          throw new ProtocolError(`${segment.count} rest positions, but ${entry.vertexCount} were announced`);
        return { kind: 'rest', ...place, positions: floatsOf(segment.payload) };
      default:
        return this.#decodeState(segment, entry, place);
    }
  }

  #decodeState(segment, entry, place) {
    if (segment.unchanged) {
      if (entry.q === null || entry.tick !== segment.baseTick)
        throw new ProtocolError(`unchanged since tick ${segment.baseTick}, which is not here`);
      entry.tick = segment.tick;
      return { kind: 'unchanged', ...place };
    }
    const frame = { kind: 'positions', ...place, key: segment.key, cut: segment.cut, stepExp: segment.stepExp };
    if (segment.codec === Codec.F32) {
      if (segment.count !== entry.vertexCount)
        throw new ProtocolError(`count is ${segment.count}, but the mesh has ${entry.vertexCount} vertices`);
      entry.q = [];
      entry.spare = null;
      entry.tick = segment.tick;
      return { ...frame, positions: floatsOf(segment.payload) };
    }
    if (segment.codec !== Codec.CB32) throw new ProtocolError(`codec ${segment.codec} is unknown`);
    const base = entry.q !== null && entry.q.length === 3 ? entry.q : null;
    if (!segment.key && (base === null || entry.tick !== segment.baseTick))
      throw new ProtocolError(`a delta builds on tick ${segment.baseTick}, which is not here`);
    const q = decodeCb32(segment, base, entry.vertexCount, entry.cols, entry.spare ?? undefined);
    entry.spare = base;
    entry.q = q;
    entry.tick = segment.tick;
    return { ...frame, positions: positionsOf(q, entry.order, segment.stepExp) };
  }

  /** Poses are absolute, but a delta names only what moved: a gap would lose the rest. */
  #decodePoses(segment, world, lastTick) {
    const follows =
      world.posesTick !== undefined && (segment.baseTick === lastTick || segment.baseTick === world.posesTick);
    if (!segment.key && !follows)
      throw new ProtocolError(`poses build on tick ${segment.baseTick}, which is not here`);
    world.posesTick = segment.tick;
    return { kind: 'poses', ...this.#place(segment, world), key: segment.key, poses: readPoses(segment) };
  }
}
