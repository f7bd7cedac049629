// The protocol without input or output: what a worker, a test or another transport needs.
export { ProtocolError, RpcError } from './errors.js';
export { crc32c, stateCrc } from './crc32c.js';
export { HEADER_BYTES, SegmentType, Codec, Predictor, parseSegments } from './segments.js';
export { decodeCb32 } from './cb32.js';
export { FrameDecoder } from './frame_decoder.js';
export { isAnswer, withStates } from './states.js';
export { RpcSession } from './rpc_session.js';
