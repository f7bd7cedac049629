"""From Python values to JSON: shapes, exactness, and what is refused."""

import json

import numpy as np
import pytest
from clothd.address import parse_address
from clothd.values import UNSET, floats_of, integers_of, plain_of, vertices_of


def test_float32_survives_json_exactly():
    values = np.random.default_rng(1).normal(size=(50, 3)).astype(np.float32)
    back = np.array(json.loads(json.dumps(floats_of(values))), dtype=np.float32).reshape(-1, 3)
    assert np.array_equal(back, values)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_must_be_finite(bad):
    with pytest.raises(ValueError, match="finite"):
        floats_of([0.0, bad])


def test_whole_numbers_stay_whole():
    assert integers_of(np.array([[0, 1, 2], [2, 1, 3]], dtype=np.uint32)) == [0, 1, 2, 2, 1, 3]
    assert integers_of([]) == []
    with pytest.raises(TypeError):
        integers_of([0.5])


@pytest.mark.parametrize("given,sent", [
    (3, [3]),
    ([0, 20], [0, 20]),
    (np.array([4, 5]), [4, 5]),
    (np.array([False, True, True]), [1, 2]),
    (range(0, 21), [{"from": 0, "to": 20}]),
    (range(0, 6, 2), [0, 2, 4]),
    (range(7, 8), [7]),
    (slice(2, 5), [{"from": 2, "to": 4}]),
    ([range(0, 3), 9, {"from": 12, "to": 14}], [{"from": 0, "to": 2}, 9, {"from": 12, "to": 14}]),
    (UNSET, UNSET),
    (None, None),
])
def test_vertices_are_indices_and_ranges(given, sent):
    assert vertices_of(given) == sent


def test_vertices_are_not_floats_and_slices_have_an_end():
    with pytest.raises(TypeError):
        vertices_of([1.0])
    with pytest.raises(ValueError):
        vertices_of(slice(1, None))


@pytest.mark.parametrize("read,bad", [(vertices_of, [0, 0.5]), (vertices_of, 0.5), (vertices_of, "a"), (floats_of, "x"),
                                      (floats_of, [[1, 2], [3]])])
def test_a_wrong_value_is_named_in_a_sentence(read, bad):
    with pytest.raises(TypeError, match="numbers.*not .*(0.5|'a'|'x'|3)"):
        read(bad)


def test_rows_of_numbers_become_flat():
    assert plain_of({"positions": np.eye(2), "triangles": [[0, 1, 2], (2, 1, 3)]}) == {
        "positions": [1.0, 0.0, 0.0, 1.0], "triangles": [0, 1, 2, 2, 1, 3]}


def test_nested_values_lose_their_numpy():
    value = {"grid": {"nx": np.int64(3), "size": np.array([1.0, 2.0])}, "list": [np.float32(0.5), (1, range(0, 3))]}
    assert json.loads(json.dumps(plain_of(value))) == {
        "grid": {"nx": 3, "size": [1.0, 2.0]}, "list": [0.5, [1, [{"from": 0, "to": 2}]]]}


@pytest.mark.parametrize("text,url,token", [
    ("127.0.0.1:8080", "ws://127.0.0.1:8080/ws", None),
    ("localhost", "ws://localhost:8080/ws", None),
    ("http://127.0.0.1:9000", "ws://127.0.0.1:9000/ws", None),
    ("http://host:9000/#token=abc", "ws://host:9000/ws", "abc"),
    ("https://cloth.example/", "wss://cloth.example:443/ws", None),
    ("ws://[::1]:9000/ws", "ws://[::1]:9000/ws", None),
    ("wss://host/behind/ws", "wss://host:8080/behind/ws", None),
])
def test_addresses_as_people_have_them(text, url, token):
    address = parse_address(text)
    assert (address.url, address.token) == (url, token)


def test_tokens_become_a_subprotocol_and_an_explicit_one_wins():
    assert parse_address("http://h/#token=abc", "xyz").token == "xyz"
    assert parse_address("h").subprotocols == ["clothd.v1"]
    assert parse_address("h", "s\u00e9cret?>").subprotocols == ["clothd.v1", "clothd.bearer.c8OpY3JldD8-"]
    assert parse_address("127.0.0.1").is_loopback and not parse_address("10.0.0.1").is_loopback


@pytest.mark.parametrize("text", ["ftp://host", "http://", "://", "127.0.0.1:99999", "host:http"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError, match="no address"):
        parse_address(text)
