import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError, RpcError, RpcSession } from '../index.js';

test('a reply settles the request with its id', async () => {
  const rpc = new RpcSession();
  const a = rpc.request('server.ping');
  const b = rpc.request('cloth.pin', { cloth: 'flag', vertices: [1] });
  assert.deepEqual(JSON.parse(b.text), {
    jsonrpc: '2.0',
    id: b.id,
    method: 'cloth.pin',
    params: { cloth: 'flag', vertices: [1] },
  });
  assert.equal(rpc.receive(JSON.stringify({ jsonrpc: '2.0', id: b.id, result: { tick: 2 } })), null);
  assert.equal(rpc.receive(JSON.stringify({ jsonrpc: '2.0', id: a.id, result: { tick: 3 } })), null);
  assert.deepEqual(await a.promise, { tick: 3 });
  assert.deepEqual(await b.promise, { tick: 2 });
  assert.equal(rpc.pendingCount, 0);
});

test('an error rejects with the sentence, code, reason and path', async () => {
  const rpc = new RpcSession();
  const { id, promise } = rpc.request('cloth.pin');
  const error = { code: -32602, message: 'cloth is missing.', data: { reason: 'missing', path: 'cloth' } };
  rpc.receive(JSON.stringify({ jsonrpc: '2.0', id, error }));
  await assert.rejects(promise, (e) => {
    assert.ok(e instanceof RpcError);
    assert.deepEqual([e.message, e.code, e.reason, e.path], ['cloth is missing.', -32602, 'missing', 'cloth']);
    return true;
  });
});

test('an error without an id is thrown', () => {
  const error = { code: -32700, message: 'byte 3: no JSON.' };
  assert.throws(() => new RpcSession().receive(JSON.stringify({ jsonrpc: '2.0', id: null, error })), RpcError);
});

test('notifications come back, replies to nobody are dropped', () => {
  const rpc = new RpcSession();
  assert.deepEqual(rpc.receive('{"jsonrpc":"2.0","method":"hello","params":{"protocol":1}}'), {
    method: 'hello',
    params: { protocol: 1 },
  });
  assert.equal(rpc.receive('{"jsonrpc":"2.0","id":99,"result":{}}'), null);
  assert.deepEqual(JSON.parse(rpc.notification('stream.ack', { tick: 1 })), {
    jsonrpc: '2.0',
    method: 'stream.ack',
    params: { tick: 1 },
  });
});

test('what is no JSON-RPC is a ProtocolError', () => {
  for (const text of ['', '{', '3', 'null', '{"jsonrpc":"2.0","id":1}'])
    assert.throws(() => new RpcSession().receive(text), ProtocolError, text);
});

test('fail and abandon reject what waits', async () => {
  const rpc = new RpcSession();
  const a = rpc.request('a');
  const b = rpc.request('b');
  rpc.abandon(a.id, new Error('late'));
  rpc.fail(new Error('gone'));
  await assert.rejects(a.promise, /late/);
  await assert.rejects(b.promise, /gone/);
  assert.equal(rpc.pendingCount, 0);
});
