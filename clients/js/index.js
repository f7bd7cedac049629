// The package's public face.
export * from './protocol.js';
export { Client, ConnectionError } from './client.js';
