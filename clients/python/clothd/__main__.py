"""``python -m clothd``: watch a stream, view a world, render a picture, save a command log."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import List, Optional

from .errors import ClothdError


DEFAULT_LINK = "http://127.0.0.1:8080"


def _positive(kind: type):
    def read(text: str):
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value

    return read


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return value


def _size(text: str) -> tuple:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) > 0 and int(height) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 960x720")
    return int(width), int(height)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m clothd", description="Client of a clothd server.")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("link", nargs="?", default=DEFAULT_LINK,
                        help="what the server prints, or host:port (default %(default)s)")
    common.add_argument("--url", help="the same as an option")
    common.add_argument("--token", help="where the server wants one")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    watch = commands.add_parser("watch", parents=[common], help="print the figures of a world's stream")
    watch.add_argument("--world", help="which world (default main)")
    watch.add_argument("--codec", choices=["cb32", "f32"], default="cb32")
    watch.add_argument("--max-hz", type=_positive(float), help="most frames per second")
    watch.add_argument("--seconds", type=_positive(float), help="end after that long")
    watch.add_argument("--frames", type=_positive(int), help="end after so many frames")

    view = commands.add_parser("view", parents=[common], help="show a world in a window (needs [view])")
    view.add_argument("--world", help="which world (default main)")
    view.add_argument("--seconds", type=_positive(float), help="close the window after that long")

    render = commands.add_parser("render", parents=[common], help="draw a scene into a PNG, no display needed")
    render.add_argument("--out", required=True, metavar="FILE.png")
    render.add_argument("--ticks", type=_count, default=120, help="how many ticks to run first (default %(default)s)")
    render.add_argument("--scene", help="which scene of the server (default drape)")
    render.add_argument("--size", type=_size, default=(960, 720), metavar="WxH", help="pixels (default 960x720)")

    log = commands.add_parser("log", parents=[common], help="save a world's command log, for `clothd replay FILE`")
    log.add_argument("--out", required=True, metavar="FILE.json")
    log.add_argument("--world", help="which world (default main)")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command; errors are one line on standard error and status 1."""
    options = vars(make_parser().parse_args(arguments))
    command, link = options.pop("command"), options.pop("link")
    url = options.pop("url") or link
    try:
        if command == "watch":
            from .watch import watch

            asyncio.run(watch(url, **options))
        elif command == "view":
            from .pictures import view

            view(url, **options)
        elif command == "log":
            from .client import connect

            with connect(url, token=options["token"], world=options["world"]) as client:
                log = client.save_log(options["out"])
            print(f"{options['out']}: {len(log['commands'])} commands in {log['steps']} ticks, "
                  f"{'complete' if log['complete'] else 'not complete'}")
        else:
            from .pictures import render

            reply = render(url, **options)
            print(f"{options['out']}: tick {reply['tick']}, state hash {reply.get('state_hash', '-')}")
    except (ClothdError, ValueError, OSError) as error:
        print(f"clothd: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
