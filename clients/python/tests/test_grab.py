"""Hands: held in the block, released at its end, in the world that was meant."""

import asyncio

import pytest
from clothd.errors import RpcError
from clothd.grab import AsyncGrab, Grab
from clothd.values import UNSET

PARAMS = {"cloth": "sheet", "vertex": 3, "position": [0, 1, 0], "compliance": UNSET, "world": UNSET}


class Recorder:
    """A blocking client that keeps what it is told; grab numbers rise from 1."""

    def __init__(self, world=None, gone=False):
        self.world = world
        self.gone = gone
        self.said = []

    def cloth_grab(self, **params):
        self.said.append(("grab", {name: value for name, value in params.items() if value is not UNSET}))
        return {"grab": len(self.said), "tick": 0}

    def cloth_drag(self, grab, position, **more):
        self.said.append(("drag", grab, position, more))
        return {"tick": 1}

    def cloth_release(self, grab, **more):
        self.said.append(("release", grab, more))
        if self.gone:
            raise RpcError(-32001, "grab 1 does not exist.", {"reason": "not_found"})
        return {"tick": 2}


class AsyncRecorder(Recorder):
    async def cloth_grab(self, **params):
        return Recorder.cloth_grab(self, **params)

    async def cloth_drag(self, grab, position, **more):
        return Recorder.cloth_drag(self, grab, position, **more)

    async def cloth_release(self, grab, **more):
        return Recorder.cloth_release(self, grab, **more)


SAID = [("grab", {"cloth": "sheet", "vertex": 3, "position": [0, 1, 0], "world": "lab"}),
        ("drag", 1, [0, 2, 0], {"world": "lab"}), ("release", 1, {"world": "lab"})]


def test_the_end_of_the_block_releases():
    client = Recorder("lab")
    with Grab(client, PARAMS) as grab:
        assert grab.number == 1
        client.world = "other"  # the grab stays where it was made
        grab.drag([0, 2, 0])
    assert client.said == SAID
    grab.release()  # again: nothing
    assert client.said == SAID
    with pytest.raises(ValueError):
        grab.drag([0, 0, 0])


def test_an_error_in_the_block_releases_too():
    client = Recorder()
    with pytest.raises(ZeroDivisionError), Grab(client, PARAMS):
        raise ZeroDivisionError
    assert client.said[-1] == ("release", 1, {})


def test_a_grab_that_ended_by_itself_is_no_error():
    with Grab(Recorder(gone=True), PARAMS):
        pass


def test_the_asynchronous_one_does_the_same():
    async def run():
        client = AsyncRecorder("lab")
        async with AsyncGrab(client, PARAMS) as grab:
            await grab.drag([0, 2, 0])
        assert client.said == SAID
        held = await AsyncGrab(client, PARAMS)
        assert held.number == 4
        await held.release()
        assert client.said[-1] == ("release", 4, {"world": "lab"})

    asyncio.run(run())
