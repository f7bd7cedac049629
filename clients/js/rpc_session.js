// JSON-RPC 2.0 without a transport: texts to send, texts received, and who waits for what.
import { ProtocolError, RpcError } from './errors.js';

export class RpcSession {
  #nextId = 1;
  #pending = new Map();

  /** A request: `text` is to be sent, `promise` settles with its reply. */
  request(method, params = {}) {
    const id = this.#nextId++;
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const promise = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    return { id, text, promise };
  }

  /** The text of a request that is not answered. */
  notification(method, params = {}) {
    return JSON.stringify({ jsonrpc: '2.0', method, params });
  }

  /**
   * Takes a text from the server. A reply settles its promise and gives null; a notification
   * gives {method, params}. Throws ProtocolError for what is neither.
   */
  receive(text, read = (result) => result) {
    let message;
    try {
      message = JSON.parse(text);
    } catch (error) {
      throw new ProtocolError(`a text message is no JSON: ${error.message}`);
    }
    if (message === null || typeof message !== 'object') throw new ProtocolError('a text message is no object');
    if (typeof message.method === 'string') return { method: message.method, params: message.params ?? {} };
    if (message.error !== undefined) {
      const error = new RpcError(message.error);
      // Without an id nobody can be told by promise (the server could not read it).
      if (message.id === null || message.id === undefined) throw error;
      this.#settle(message.id)?.reject(error);
      return null;
    }
    if (!('result' in message)) throw new ProtocolError('a text message is neither reply nor notification');
    const waiting = this.#settle(message.id);
    try {
      waiting?.resolve(read(message.result));
    } catch (error) {
      waiting?.reject(error);
    }
    return null;
  }

  /** Gives a request up: its promise is rejected with error. */
  abandon(id, error) {
    this.#settle(id)?.reject(error);
  }

  /** Rejects whatever waits, e.g. since the connection ended. */
  fail(error) {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(error);
  }

  get pendingCount() {
    return this.#pending.size;
  }

  #settle(id) {
    const entry = this.#pending.get(id);
    this.#pending.delete(id);
    return entry;
  }
}
