"""The generated methods: current, complete, and sending what the table says."""

import inspect
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from clothd.aio import AsyncClient
from clothd.client import Client
from clothd.commands import Commands
from clothd.values import UNSET

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
TABLE = json.loads((PACKAGE.parents[1] / "protocol" / "commands.json").read_text(encoding="utf-8"))["commands"]


class Recorder(Commands):
    def _command(self, method, params):
        return method, {name: value for name, value in params.items() if value is not UNSET}


def test_commands_follow_the_table():
    done = subprocess.run([sys.executable, str(PACKAGE / "generate_commands.py"), "--check"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("command", TABLE, ids=lambda command: command["name"])
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_every_command_is_a_method_with_its_parameters(kind, command):
    method = getattr(kind, command["name"].replace(".", "_"))
    parameters = dict(inspect.signature(method).parameters)
    del parameters["self"]
    assert set(parameters) == {param["name"] for param in command["params"]}
    for param in command["params"]:
        required = parameters[param["name"]].default is inspect.Parameter.empty
        assert required == param["required"], param["name"]


def test_methods_send_what_was_given_and_nothing_else():
    client = Recorder()
    assert client.pin("flag", [0, 20]) == ("cloth.pin", {"cloth": "flag", "vertices": [0, 20]})
    assert client.step(60) == ("world.step", {"ticks": 60})
    assert client.reset() == ("world.reset", {})
    assert client.collider_move("ball", position=np.array([0, 1, 2]), over=5) == (
        "collider.move", {"collider": "ball", "position": [0.0, 1.0, 2.0], "over": 5})
    assert client.move("flag", range(0, 2), positions=np.zeros((2, 3))) == (
        "cloth.move", {"cloth": "flag", "vertices": [{"from": 0, "to": 1}], "positions": [0.0] * 6})
    assert client.cloth_set("flag", bend_compliance=None) == (
        "cloth.set", {"cloth": "flag", "bend_compliance": None})
    assert client.world_set(solver={"substeps": np.int64(4)}) == ("world.set", {"solver": {"substeps": 4}})
