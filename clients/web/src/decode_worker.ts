// The decoder's own thread: binary messages in, positions and normals out. It sees
// the mesh notifications in the same order as the frames that they announce.
import { FrameDecoder, ProtocolError } from "../../js/index.js";
import { computeNormals, planNormals, type NormalPlan } from "./normals";
import type { FromWorker, ToWorker } from "./decode_messages";
import type { ObjectState, Pose } from "./motion";

interface Topology {
  triangles: Uint32Array | null;
  rest: Float32Array | null;
  plan: NormalPlan | null;
}

const decoder = new FrameDecoder();
const topologies = new Map<number, Topology>();

function post(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

function topologyOf(object: number): Topology {
  let topology = topologies.get(object);
  if (!topology) topologies.set(object, (topology = { triangles: null, rest: null, plan: null }));
  return topology;
}

function normalsOf(object: number, positions: Float32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  const topology = topologyOf(object);
  const count = positions.length / 3;
  if (topology.triangles && topology.plan?.vertexCount !== count) topology.plan = planNormals(count, topology.triangles, topology.rest);
  if (topology.plan) computeNormals(topology.plan, positions, normals);
  return normals;
}

function decode(data: ArrayBuffer): void {
  const { updates, needKey } = decoder.decode(data);
  const states: ObjectState[] = [];
  const poses: Pose[] = [];
  const transfer: Transferable[] = [];
  let tick = -1;
  let lost = 0;
  for (const update of updates) {
    const topology = topologyOf(update.object);
    switch (update.kind) {
      case "triangles":
        // The vertices that belong to them come next; what was there is another shape's.
        topology.triangles = update.triangles;
        topology.rest = null;
        topology.plan = null;
        break;
      case "rest":
        topology.rest = update.positions;
        topology.plan = null;
        break;
      case "positions": {
        const normals = normalsOf(update.object, update.positions);
        states.push({ object: update.object, epoch: update.epoch, positions: update.positions, normals, cut: update.cut });
        transfer.push(update.positions.buffer as ArrayBuffer, normals.buffer as ArrayBuffer);
        tick = update.tick;
        break;
      }
      case "poses":
        for (const pose of update.poses) if (!pose.removed) poses.push({ object: pose.object, position: pose.position, rotation: pose.rotation });
        tick = update.tick;
        break;
      case "lost":
        lost++;
        break;
      default:
        tick = update.tick;
    }
    if (update.kind === "rest" && topology.triangles && topology.rest) {
      post({ kind: "topology", object: update.object, vertexCount: topology.rest.length / 3, triangles: topology.triangles, rest: topology.rest });
    }
  }
  post({ kind: "frame", tick, bytes: data.byteLength, states, poses, lost, needKey }, transfer);
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  try {
    if (message.kind === "forget") {
      decoder.forget();
      topologies.clear();
    } else if (message.kind === "mesh") {
      decoder.mesh(message.mesh);
      if (message.mesh.removed) topologies.delete(message.mesh.object);
    } else {
      decode(message.data);
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    post({ kind: "broken", reason: error.message });
  }
};
