"""`python -m fairlane`: what this machine offers, hashes of files, and the race."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from . import __version__, algorithms_available, cpu, new

CHUNK = 1 << 20

RACE = (
    "fairlane: the race is a command of its own: "
    "`cargo install --git https://github.com/fairlane/fairlane fairlane-cli` installs it"
)


def show_cpu() -> int:
    """Print what this machine offers, and which backend each primitive takes."""
    found = cpu()
    print(f"architecture  {found['architecture']}")
    print(f"features      {' '.join(found['features'])}")
    print(f"backends      {' '.join(found['backends'])}")
    print()
    for name, about in found["primitives"].items():
        time = "" if about["constant_time"] else "  (some backend is not constant-time)"
        print(f"{name:12}  {about['backend']:14}  of {' '.join(about['available'])}{time}")
    return 0


def hash_files(name: str, length: int | None, files: Sequence[str]) -> int:
    """Print the hashes of files as sha256sum does."""
    failed = 0
    try:
        size = new(name).digest_size
    except ValueError as error:
        print(f"fairlane: {error}", file=sys.stderr)
        return 2
    if not size and length is None:
        length = 32
    for file in files:
        try:
            hasher = new(name)
            with sys.stdin.buffer if file == "-" else open(file, "rb", buffering=0) as source:
                while piece := source.read(CHUNK):
                    hasher.update(piece)
            digest = hasher.hexdigest(length)
        except (OSError, OverflowError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            print(f"fairlane: {file!r}: {reason}", file=sys.stderr)
            failed = 1
        else:
            sys.stdout.buffer.write(line(digest, os.fsencode(file)))
    return failed


def line(digest: str, file: bytes) -> bytes:
    """A line of sha256sum: one that begins with a backslash has backslashes and ends of lines of the name escaped."""
    escaped = file.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    return b"\\" * (escaped != file) + digest.encode() + b"  " + escaped + b"\n"


def race(arguments: Sequence[str]) -> int:
    """Run the race of the command `fairlane`, if it is installed."""
    # pip makes no command of this name, so that one that is found is the other.
    command = shutil.which("fairlane")
    if command is None:
        print(RACE, file=sys.stderr)
        return 2
    return subprocess.run([command, "race", *arguments]).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if arguments[:1] == ["race"]:
        return race(arguments[1:])
    parser = argparse.ArgumentParser("python -m fairlane", description="Cryptographic primitives, and their race.")
    parser.add_argument("--version", action="version", version=f"fairlane {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("cpu", help="what this machine offers, and which backend each primitive takes")
    command = commands.add_parser("hash", help="hashes of files", epilog=" ".join(sorted(algorithms_available)))
    command.add_argument("--length", type=int, metavar="BYTES", help="of an extendable-output function; 32 by default")
    command.add_argument("name", metavar="NAME", help="the hash, such as sha3_256")
    command.add_argument("files", metavar="FILE", nargs="*", default=["-"], help="a file; - is the standard input")
    commands.add_parser("race", help="every implementation side by side, by the command `fairlane`", add_help=False)
    if arguments[:1] == ["hash"]:
        # Options may stand between the hash and the files, which subparsers do not allow.
        chosen = command.parse_intermixed_args(arguments[1:])
        return hash_files(chosen.name, chosen.length, chosen.files)
    parser.parse_args(arguments)
    return show_cpu()


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        code = 1
    except OSError as error:
        print(f"fairlane: standard output: {error.strerror}", file=sys.stderr)
        code = 1
    if code == 1:
        # What could not be written is not tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
