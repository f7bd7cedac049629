"""A WebSocket server on a free port whose answers a test scripts."""

import asyncio
import json
import threading

import websockets


class FakeServer:
    """Runs on a thread. `answer(method, params)` gives a result, raises Refusal, or returns None (no reply)."""

    def __init__(self, answer, hello=None):
        self.answer = answer
        self.hello = {"version": "0", "protocol": 1, "session": "s"} if hello is None else hello
        self.requests = []
        self.subprotocols = None
        self._socket = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(self._listen())

    @property
    def url(self):
        return "127.0.0.1:%d" % list(self._server.sockets)[0].getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def send(self, *messages):
        """Texts as (method, params), binary as bytes; in order."""
        self._run(self._send(messages))

    def close_client(self, code, reason=""):
        self._run(self._socket.close(code, reason))

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self):
        return await websockets.serve(self._serve, "127.0.0.1", 0, subprotocols=["clothd.v1"])

    async def _end(self):
        self._server.close()
        await self._server.wait_closed()

    async def _send(self, messages):
        for message in messages:
            if isinstance(message, bytes):
                await self._socket.send(message)
            else:
                method, params = message
                await self._socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def _serve(self, socket, *_):
        self._socket = socket
        await self._send([("hello", self.hello)])
        try:
            async for text in socket:
                await self._answer(socket, json.loads(text))
        except websockets.exceptions.ConnectionClosed:
            pass

    async def _answer(self, socket, message):
        self.requests.append((message["method"], message["params"], message.get("id")))
        try:
            result = self.answer(message["method"], message["params"])
        except Refusal as refusal:
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": refusal.error}))
            return
        if result is not None and "id" in message:
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))


class Refusal(Exception):
    def __init__(self, code, message, **data):
        super().__init__(message)
        self.error = {"code": code, "message": message, "data": data}
