/** Client of clothd, the networked cloth-simulation server. Units are SI; see PROTOCOL.md. */

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
/** Planes x, y, z of quantised positions. */
export type Planes = [Int32Array, Int32Array, Int32Array] | Int32Array[];

/** The peer sent something that the protocol does not allow. */
export class ProtocolError extends Error {}

/** The server refused a request; `message` is its sentence. */
export class RpcError extends Error {
  constructor(error: { code: number; message: string; data?: Record<string, unknown> });
  readonly code: number;
  readonly reason: string;
  /** The member it is about, e.g. `solver.substeps`; or ''. */
  readonly path: string;
  readonly data: Record<string, unknown>;
}

/** The connection ended or could not be made; `code` is the WebSocket's close code. */
export class ConnectionError extends Error {
  constructor(message: string, code?: number);
  readonly code: number;
}

export const HEADER_BYTES: 48;
export const SegmentType: Readonly<{ STATE: 1; TRIANGLES: 2; REST: 3; POSES: 4; GRABS: 5; VELOCITIES: 6 }>;
export const Codec: Readonly<{ F32: 0; CB32: 1 }>;
export const Predictor: Readonly<{ NONE: 0; LEFT: 1; TWO_DIMENSIONAL: 2 }>;

export interface Segment {
  type: number;
  codec: number;
  key: boolean;
  unchanged: boolean;
  cut: boolean;
  /** Of a reply, not of a stream. */
  answer: boolean;
  predictor: number;
  stepExp: number;
  world: number;
  object: number;
  epoch: number;
  tick: number;
  baseTick: number;
  serverUs: number;
  count: number;
  payloadBytes: number;
  origin: Vec3;
  stateCrc: number;
  payload: Uint8Array;
}

/** The segments of a binary message; throws ProtocolError when one does not fit. */
export function parseSegments(message: ArrayBuffer | ArrayBufferView): Segment[];

/** Decodes a CB32 segment to its q planes; throws ProtocolError. `out` must not be `base`. */
export function decodeCb32(segment: Segment, base: Planes | null, count: number, cols: number, out?: Planes): Planes;

/** CRC32C of bytes, continued from `crc`. */
export function crc32c(bytes: Uint8Array, crc?: number): number;
/** The header's `state_crc` of q planes. */
export function stateCrc(planes: Planes): number;

/** `params` of a `mesh` notification. */
export interface Mesh {
  world: string;
  world_index: number;
  epoch: number;
  step_exp?: number;
  object: number;
  name: string;
  kind: 'cloth' | 'collider';
  vertex_count?: number;
  triangle_count?: number;
  /** 0 = no rows */
  cols?: number;
  order?: number[] | null;
  pins?: number[];
  /** Which vertices follow which collider. */
  attachments?: { collider: string; vertices: number[] }[];
  style?: unknown;
  report?: unknown;
  /** Of a mesh collider {type: 'mesh', vertex_count, triangle_count, closed}; its arrays come as updates. */
  shape?: { type: string; [member: string]: unknown };
  motion?: string;
  position?: Vec3;
  rotation?: Quat;
  removed?: boolean;
}

export interface Pose {
  object: number;
  removed: boolean;
  position: Vec3;
  rotation: Quat;
}

export interface UpdatePlace {
  /** The world's name; undefined before its first `mesh`. */
  world: string | undefined;
  worldIndex: number;
  object: number;
  name: string | undefined;
  epoch: number;
  tick: number;
  /** Server's monotonic clock, µs modulo 2^32. */
  serverUs: number;
}

export type Update =
  | (UpdatePlace & {
      kind: 'positions';
      key: boolean;
      /** Do not interpolate towards this frame. */
      cut: boolean;
      stepExp: number;
      /** xyz interleaved, mesh order, metres; a fresh array each time. */
      positions: Float32Array;
    })
  | (UpdatePlace & { kind: 'unchanged' })
  | (UpdatePlace & { kind: 'triangles'; triangles: Uint32Array })
  | (UpdatePlace & { kind: 'rest'; positions: Float32Array })
  | (UpdatePlace & { kind: 'poses'; key: boolean; poses: Pose[] })
  | (UpdatePlace & { kind: 'lost'; reason: string });

export interface Decoded {
  updates: Update[];
  /** Worlds to send `stream.key` for. */
  needKey: string[];
}

/** A subscriber's state without sockets or clock; one per connection. */
export class FrameDecoder {
  /** Takes the `params` of every `mesh` notification, in order with the binary messages. */
  mesh(params: Mesh): void;
  /** Decodes one binary message. Throws ProtocolError when the message itself is broken. */
  decode(message: ArrayBuffer | ArrayBufferView): Decoded;
  /** Forgets a world, or without an index all of them (after a new `hello`). */
  forget(worldIndex?: number): void;
  worldName(worldIndex: number): string | undefined;
}

export interface Notification {
  method: string;
  params: any;
}

/** JSON-RPC 2.0 bookkeeping without a transport. */
export class RpcSession {
  request(method: string, params?: object): { id: number; text: string; promise: Promise<any> };
  notification(method: string, params?: object): string;
  /**
   * Settles a reply (null) or returns a notification. Throws ProtocolError, or RpcError without an id.
   * `read`: what the promise gets in place of the result.
   */
  receive(text: string, read?: (result: any) => any): Notification | null;
  abandon(id: number, error: Error): void;
  fail(error: Error): void;
  readonly pendingCount: number;
}

export type ClientState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface StateEvent {
  state: ClientState;
  /** Attempts since the last `hello`. */
  attempt?: number;
  /** Until the next attempt ('waiting'). */
  retryMs?: number;
  code?: number;
  reason?: string;
}

export interface ClientOptions {
  token?: string | null;
  /** Any class like the browser's; needed in Node before 22 (package ws). */
  WebSocket?: new (url: string, protocols: string[]) => any;
  /** true: again after 0.25 s, doubled to 8 s, with jitter */
  reconnect?: boolean;
  /** false: no decoding here, e.g. since a worker does it; listen to 'binary' and 'mesh'. */
  decode?: boolean;
  /** 0…1 for the jitter */
  random?: () => number;
}

export interface SubscribeParams {
  world?: string;
  cloths?: string[];
  codec?: 'cb32' | 'f32';
  step_exp?: number;
  max_hz?: number;
  ack?: boolean;
}

export interface GrabParams {
  world?: string;
  cloth: string;
  vertex: number;
  /** Where it is drawn to; where it is now. */
  position?: Vec3;
  /** m/N */
  compliance?: number;
}

/** A hand on a vertex. */
export interface Grab {
  readonly number: number;
  drag(position: Vec3): Promise<any>;
  /** A grab that has ended already (its cloth is gone, a reset, another connection) is no error. */
  release(): Promise<void>;
}

/** A command within a step. */
export interface StepCommand {
  method: string;
  params?: object;
}

export interface StepParams {
  world?: string;
  ticks?: number;
  /** Applied before the first tick, all or none. */
  commands?: StepCommand[];
  /** {}: all of it. */
  state?: { cloths?: string[]; codec?: 'f32' | 'cb32'; velocities?: boolean };
}

/** A world as a step left it; by name. */
export interface WorldState {
  tick: number;
  /** xyz interleaved, mesh order, metres */
  positions: Record<string, Float32Array>;
  /** m/s, where they were asked for */
  velocities: Record<string, Float32Array>;
  poses: Record<string, { position: Vec3; rotation: Quat }>;
}

export interface StepResult {
  tick: number;
  state_hash: string;
  /** What the commands answered. */
  results?: any[];
  state?: WorldState;
}

/** Whether a binary message is the state of a reply, and no part of a stream. */
export function isAnswer(message: ArrayBuffer | ArrayBufferView): boolean;
/** The reply of world.step or server.step with every `state` read from the binary message before it. */
export function withStates(result: any, message: ArrayBuffer | ArrayBufferView | null): any;

export interface ClientEvents {
  state: StateEvent;
  /** Decoded updates of one binary message. */
  frame: { updates: Update[]; bytes: number };
  /** Every binary message as it came. */
  binary: ArrayBuffer;
  /** A message that breaks the protocol, or a refused resubscription. */
  error: Error;
  /** Every notification. */
  notification: Notification;
  hello: any;
  mesh: Mesh;
  event: any;
  presence: any;
  status: any;
  stats: any;
}

export class Client {
  constructor(url: string, options?: ClientOptions);
  readonly state: ClientState;
  readonly hello: any;
  readonly decoder: FrameDecoder;
  /** Adds a listener; returns the function that takes it away again. */
  on<E extends keyof ClientEvents>(event: E, listener: (detail: ClientEvents[E]) => void): () => void;
  /** Resolves with `hello`. */
  connect(): Promise<any>;
  close(): void;
  /** Rejects with RpcError or ConnectionError. */
  request(method: string, params?: object, options?: { timeoutMs?: number }): Promise<any>;
  notify(method: string, params?: object): void;
  /** Remembered and restored after a reconnect. */
  subscribe(params?: SubscribeParams): Promise<any>;
  unsubscribe(world?: string): Promise<any>;
  /** Takes hold of a vertex (`cloth.grab`); resolves once it is held. */
  grab(params: GrabParams): Promise<Grab>;
  /** `world.step`; a `state` that was asked for is read. */
  step(params?: StepParams): Promise<StepResult>;
  /** Sends `stream.key`, at most twice a second and world. */
  requestKey(world?: string): void;
}
