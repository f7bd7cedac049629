// What can go wrong with a peer's bytes, and what a server refuses.

/** The peer sent something that protocol.md does not allow. */
export class ProtocolError extends Error {
  constructor(message) {
    super(message);
    this.name = 'ProtocolError';
  }
}

/** The server refused a request; `message` is its sentence. */
export class RpcError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data ?? {};
    this.reason = this.data.reason ?? '';
    this.path = this.data.path ?? '';
  }
}
