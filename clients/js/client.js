// A client over WebSocket, for browsers and Node: connects again by itself, restores subscriptions,
// asks for keys, and says through events what it does.
import { ProtocolError, RpcError } from './errors.js';
import { FrameDecoder } from './frame_decoder.js';
import { RpcSession } from './rpc_session.js';
import { isAnswer, withStates } from './states.js';

/** The connection ended or could not be made; `code` is the WebSocket's close code. */
export class ConnectionError extends Error {
  constructor(message, code = 1006) {
    super(message);
    this.name = 'ConnectionError';
    this.code = code;
  }
}

const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 8000;
const KEY_AGAIN_MS = 500;
/** Close codes after which another attempt would end the same way. */
const FINAL_CODES = new Set([4401, 4406]);

function base64url(text) {
  const binary = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export class Client {
  #url;
  #options;
  #socket = null;
  #state = 'closed';
  #attempt = 0;
  #retryTimer = null;
  #rpc = new RpcSession();
  #listeners = new Map();
  #subscriptions = new Map(); // world → params
  #keyAskedAt = new Map(); // world → ms
  #answer = null; // the state that the next reply is about
  #opening = null; // {promise, resolve, reject} of connect()

  hello = null;
  /** The decoder's meshes are fed by this client unless `decode` is false. */
  decoder = new FrameDecoder();

  constructor(url, options = {}) {
    this.#url = url;
    this.#options = {
      token: null,
      WebSocket: globalThis.WebSocket,
      reconnect: true,
      decode: true,
      random: Math.random,
      ...options,
    };
    if (typeof this.#options.WebSocket !== 'function')
      throw new TypeError('no WebSocket here: pass one as the option WebSocket (Node before 22: that of package ws)');
  }

  /** 'connecting', 'open', 'waiting' (before the next attempt) or 'closed'. */
  get state() {
    return this.#state;
  }

  /** Adds a listener; returns the function that takes it away again. */
  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
    this.#listeners.get(event).add(listener);
    return () => this.#listeners.get(event).delete(listener);
  }

  /** Connects; resolves with `hello`. Later ends are repaired without another call. */
  connect() {
    if (this.#state === 'open') return Promise.resolve(this.hello);
    if (this.#opening === null) {
      this.#opening = {};
      this.#opening.promise = new Promise((resolve, reject) => Object.assign(this.#opening, { resolve, reject }));
      this.#opening.promise.catch(() => {}); // 'state' tells it as well
      this.#open();
    }
    return this.#opening.promise;
  }

  /** Ends for good: no further attempt, whatever waits is rejected. */
  close() {
    clearTimeout(this.#retryTimer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) socket.close(1000);
    this.#setState({ state: 'closed', code: 1000, reason: 'closed here' });
    this.#drop(new ConnectionError('closed here', 1000), true);
  }

  /**
   * A command or read. Rejects with RpcError (the server's sentence) or ConnectionError.
   * `timeoutMs`: give up after that long (default: never).
   */
  request(method, params = {}, { timeoutMs } = {}) {
    if (this.#state !== 'open') return Promise.reject(new ConnectionError('not connected'));
    const { id, text, promise } = this.#rpc.request(method, params);
    this.#socket.send(text);
    if (timeoutMs === undefined) return promise;
    const timer = setTimeout(
      () => this.#rpc.abandon(id, new ConnectionError(`no reply to ${method} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    return promise.finally(() => clearTimeout(timer));
  }

  /** A command without a reply. Dropped when not connected. */
  notify(method, params = {}) {
    if (this.#state === 'open') this.#socket.send(this.#rpc.notification(method, params));
  }

  /** Subscribes to a world's frames and remembers it for later connections. */
  async subscribe(params = {}) {
    const world = params.world ?? 'main';
    this.#subscriptions.set(world, params);
    try {
      return await this.request('stream.subscribe', params);
    } catch (error) {
      if (error instanceof RpcError) this.#subscriptions.delete(world);
      throw error;
    }
  }

  async unsubscribe(world = 'main') {
    this.#subscriptions.delete(world);
    return this.request('stream.unsubscribe', { world });
  }

  /**
   * Takes hold of a vertex: params of `cloth.grab`. Resolves with {number, drag(position), release()}; the
   * server releases it by itself when this connection ends.
   */
  async grab(params) {
    const { grab: number } = await this.request('cloth.grab', params);
    const place = params.world === undefined ? { grab: number } : { world: params.world, grab: number };
    return {
      number,
      drag: (position) => this.request('cloth.drag', { ...place, position }),
      release: async () => {
        try {
          await this.request('cloth.release', place);
        } catch (error) {
          // It has ended already: with its cloth, by a reset, or with the connection that made it.
          if (!(error instanceof ConnectionError || error.reason === 'not_found')) throw error;
        }
      },
    };
  }

  /**
   * Runs a paused world: params of `world.step`. Where `state` was asked for, the result's `state` is
   * {tick, positions, velocities, poses} with a Float32Array per cloth, read from the message before the reply.
   */
  step(params = {}) {
    return this.request('world.step', params);
  }

  /** Asks for a key frame, at most twice a second and world. */
  requestKey(world = 'main') {
    const now = Date.now();
    if (now - (this.#keyAskedAt.get(world) ?? -Infinity) < KEY_AGAIN_MS) return;
    this.#keyAskedAt.set(world, now);
    this.notify('stream.key', { world });
  }

  #emit(event, detail) {
    for (const listener of this.#listeners.get(event) ?? []) listener(detail);
  }

  #setState(detail) {
    this.#state = detail.state;
    this.#emit('state', detail);
  }

  #open() {
    const { WebSocket, token } = this.#options;
    const protocols = ['clothd.v1'];
    if (token) protocols.push(`clothd.bearer.${base64url(token)}`);
    this.#setState({ state: 'connecting', attempt: this.#attempt });
    let socket;
    try {
      socket = new WebSocket(this.#url, protocols);
    } catch (error) {
      this.#ended(null, 1006, error.message);
      return;
    }
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#receive(data);
    };
    socket.onerror = () => {}; // a close event follows
    socket.onclose = ({ code, reason }) => {
      if (this.#socket === socket) this.#ended(socket, code, reason);
    };
  }

  #ended(socket, code, reason) {
    this.#socket = null;
    const error = new ConnectionError(reason || `the connection ended with code ${code}`, code);
    const final = !this.#options.reconnect || FINAL_CODES.has(code);
    this.#drop(error, final);
    if (final) {
      this.#setState({ state: 'closed', code, reason });
      return;
    }
    const most = Math.min(RETRY_FIRST_MS * 2 ** this.#attempt, RETRY_MOST_MS);
    const retryMs = Math.round(most * (0.5 + 0.5 * this.#options.random()));
    this.#attempt++;
    this.#retryTimer = setTimeout(() => this.#open(), retryMs);
    this.#setState({ state: 'waiting', code, reason, retryMs, attempt: this.#attempt });
  }

  /** What a connection's end means for those who wait. */
  #drop(error, final) {
    this.#rpc.fail(error);
    if (final) {
      this.#opening?.reject(error);
      this.#opening = null;
    }
  }

  #receive(data) {
    try {
      if (typeof data === 'string') this.#receiveText(data);
      else this.#receiveBinary(data);
    } catch (error) {
      if (!(error instanceof ProtocolError || error instanceof RpcError)) throw error;
      this.#emit('error', error);
    }
  }

  #receiveText(text) {
    const message = this.#rpc.receive(text, (result) => this.#readStates(result));
    if (message === null) return;
    const { method, params } = message;
    if (method === 'hello') this.#receiveHello(params);
    if (method === 'mesh' && this.#options.decode) this.decoder.mesh(params);
    this.#emit(method, params);
    this.#emit('notification', message);
  }

  #readStates(result) {
    const parts = [result, ...(Array.isArray(result?.worlds) ? result.worlds : [])];
    if (!parts.some((part) => part?.state?.world_index !== undefined)) return result;
    const message = this.#answer;
    this.#answer = null;
    return withStates(result, message);
  }

  #receiveHello(hello) {
    if (hello.error !== undefined) return; // the server closes with 4406 and its reason
    this.hello = hello;
    this.#attempt = 0;
    this.#keyAskedAt.clear();
    this.decoder.forget();
    this.#setState({ state: 'open' });
    this.#opening?.resolve(hello);
    this.#opening = null;
    for (const [world, params] of this.#subscriptions) {
      this.request('stream.subscribe', params).catch((error) => {
        if (error instanceof RpcError) this.#subscriptions.delete(world);
        this.#emit('error', error);
      });
    }
  }

  #receiveBinary(message) {
    if (isAnswer(message)) {
      this.#answer = message;
      return;
    }
    this.#emit('binary', message);
    if (!this.#options.decode) return;
    const { updates, needKey } = this.decoder.decode(message);
    for (const world of needKey) this.requestKey(world);
    this.#emit('frame', { updates, bytes: message.byteLength });
  }
}
