"""python -m fairlane."""

import hashlib
import subprocess
import sys

import fairlane


def run(*arguments, path="", stdin=b""):
    command = [sys.executable, "-m", "fairlane", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, env={"PATH": path})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_cpu():
    code, out, err = run("cpu")
    assert code == 0 and not err
    assert "keccak" in out and fairlane.cpu()["primitives"]["keccak"]["backend"] in out


def test_hash(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * 3_000_000)
    expected = hashlib.sha3_256(file.read_bytes()).hexdigest()
    assert run("hash", "sha3_256", str(file)) == (0, f"{expected}  {file}\n", "")
    assert run("hash", "sha3-256", stdin=b"abc") == (0, hashlib.sha3_256(b"abc").hexdigest() + "  -\n", "")
    assert run("hash", "--length", "5", "shake_128", stdin=b"abc")[1][:10] == hashlib.shake_128(b"abc").hexdigest(5)
    assert len(run("hash", "kt128", stdin=b"abc")[1].split()[0]) == 64
    code, out, err = run("hash", "sm3", str(file), str(tmp_path / "nothing"), str(tmp_path))
    assert code == 1 and out.count("\n") == 1 and err.count("\n") == 2 and "No such file" in err
    code, out, err = run("hash", "md5", str(file))
    assert code == 2 and not out and err.startswith("fairlane: no hash is called 'md5'; there are")
    code, out, err = run("hash", "--length", "5", "sm3", str(file))
    assert code == 1 and "the length of sm3 is 32 bytes" in err


def test_names_and_options(tmp_path):
    names = ["a\nb", "c\\d", "plain"]
    for name in names:
        (tmp_path / name).write_bytes(b"abc")
    digest = hashlib.sha3_256(b"abc").hexdigest()
    lines = [f"\\{digest}  {tmp_path}/a\\nb", f"\\{digest}  {tmp_path}/c\\\\d", f"{digest}  {tmp_path}/plain"]
    assert run("hash", "sha3_256", *(str(tmp_path / name) for name in names)) == (0, "\n".join(lines) + "\n", "")
    code, out, err = run("hash", "shake_128", "--length", "5", str(tmp_path / "plain"))
    assert (code, err) == (0, "") and out.split()[0] == hashlib.shake_128(b"abc").hexdigest(5)
    code, out, err = run("hash", "--length", "9" * 20, "shake_128", str(tmp_path / "plain"))
    assert code == 1 and not out and err.count("\n") == 1


def test_race(tmp_path):
    code, out, err = run("race", "--quick", path=str(tmp_path))
    assert code == 2 and not out and err.count("\n") == 1 and "cargo install" in err
    command = tmp_path / "fairlane"
    command.write_text('#!/bin/sh\necho "raced: $*"\nexit 3\n')
    command.chmod(0o755)
    assert run("race", "--quick", "x y", path=f"{tmp_path}:/bin:/usr/bin") == (3, "raced: race --quick x y\n", "")


def test_misuse():
    for arguments in ([], ["other"], ["cpu", "x"], ["hash"]):
        code, out, err = run(*arguments)
        assert code == 2 and not out and "usage" in err
    assert run("--version") == (0, f"fairlane {fairlane.__version__}\n", "")
