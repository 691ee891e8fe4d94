"""Sealed files: known answers, round trips, and what goes wrong."""

import errno
import hashlib
import json
import pathlib

import pytest
import vectors

import fairlane

KEY = bytes(range(64))


def sealed_cases():
    cases = json.loads((vectors.ANSWERS / "sealed.json").read_text())["cases"]
    return [pytest.param(case, id=str(i)) for i, case in enumerate(cases)]


@pytest.mark.parametrize("case", sealed_cases())
def test_known_answers(case, tmp_path):
    (tmp_path / "sealed").write_bytes(vectors.data(case["sealed"]))
    if "key" in case:
        secret = {"key": bytes.fromhex(case["key"])}
    elif "passphrase" in case:
        text = case["passphrase"]
        secret = {"passphrase": text if isinstance(text, str) else vectors.data(text)}
    else:
        kem = case["kem"].replace("ml-kem-", "MLKEM").replace("clwe-", "CLWE").replace("x-wing", "XWing")
        seed = bytes.fromhex(case["identity"])
        secret = {"identity": getattr(fairlane, kem + "DecapsulationKey").from_seed(seed)}
    plain = vectors.data(case["plaintext"])
    experimental = "kusumi" in case["algorithm"] or "clwe" in case.get("kem", "")
    if experimental:
        with pytest.raises(ValueError, match="has not been analysed by anyone but its authors"):
            fairlane.open_file(tmp_path / "sealed", tmp_path / "plain", **secret)
    opened = fairlane.open_file(tmp_path / "sealed", tmp_path / "plain", experimental=experimental, **secret)
    assert opened == len(plain)
    assert (tmp_path / "plain").read_bytes() == plain


def test_round_trips(tmp_path):
    plain, sealed, again = tmp_path / "plain", tmp_path / "sealed", tmp_path / "again"
    own = fairlane.MLKEM768DecapsulationKey.generate()
    key_text = "fairlane key 1\n" + KEY.hex() + "\n"
    for length in (0, 1, 65_536, 200_000):
        plain.write_bytes(bytes(i % 251 for i in range(length)))
        for to_seal, to_open in (
            ({"key": KEY}, {"key": bytearray(KEY)}),
            ({"key": key_text}, {"key": KEY}),
            ({"recipient": own.encapsulation_key}, {"identity": own}),
            ({"key": KEY, "algorithm": "chacha20-poly1305"}, {"key": KEY}),
        ):
            assert fairlane.seal_file(plain, sealed, replace=True, **to_seal) == length
            assert fairlane.open_file(str(sealed), str(again), replace=True, **to_open) == length
            assert again.read_bytes() == plain.read_bytes()
    fairlane.seal_file(plain, sealed, passphrase="pass phrase é", replace=True)
    assert fairlane.open_file(sealed, again, passphrase="pass phrase é".encode(), replace=True) == length


@pytest.mark.parametrize("name", ["MLKEM512", "XWing"])
def test_key_files(name, tmp_path):
    plain, sealed, again = tmp_path / "plain", tmp_path / "sealed", tmp_path / "again"
    plain.write_bytes(b"text")
    own = getattr(fairlane, name + "DecapsulationKey").from_seed(bytes(32 if name == "XWing" else 64))
    kem = own.name
    lines = [own.seed[i : i + 32].hex() for i in range(0, len(own.seed), 32)]
    check = hashlib.sha3_256(kem.encode() + own.seed).hexdigest()
    assert own.identity_text().splitlines() == ["fairlane identity 1", kem, *lines, check]
    text = own.encapsulation_key.recipient_text()
    assert text.startswith(f"fairlane recipient 1\n{kem}\n{bytes(own.encapsulation_key)[:32].hex()}\n")
    fairlane.seal_file(plain, sealed, recipient=text)
    fairlane.open_file(sealed, again, identity=own.identity_text())
    assert again.read_bytes() == b"text"
    if name != "XWing":
        with pytest.raises(ValueError, match="without a seed"):
            type(own).from_expanded(own.expanded()).identity_text()


def test_recipients(tmp_path):
    plain, sealed, again = tmp_path / "plain", tmp_path / "sealed", tmp_path / "again"
    plain.write_bytes(b"text")
    one, two = fairlane.XWingDecapsulationKey.generate(), fairlane.MLKEM768DecapsulationKey.generate()
    keys = [one.encapsulation_key, two.encapsulation_key.recipient_text()]
    for recipients in (keys, iter(keys)):
        fairlane.seal_file(plain, sealed, recipients=recipients, replace=True)
        for identity in (one, two):
            fairlane.open_file(sealed, again, identity=identity, replace=True)
            assert again.read_bytes() == b"text"
    with pytest.raises(fairlane.InvalidTag, match="^wrong identity"):
        fairlane.open_file(sealed, again, identity=fairlane.XWingDecapsulationKey.generate(), replace=True)
    for wrong in ([], keys[:1] * 65, ["text"], "text"):
        with pytest.raises(ValueError):
            fairlane.seal_file(plain, again, recipients=wrong, replace=True)
    for wrong in ([one], [b"text"], keys[0], 3):
        with pytest.raises(TypeError):
            fairlane.seal_file(plain, again, recipients=wrong, replace=True)
    with pytest.raises(TypeError, match="^give one of these arguments"):
        fairlane.seal_file(plain, again, recipient=keys[0], recipients=keys)


def test_bad_input(tmp_path):
    plain, sealed, again = tmp_path / "plain", tmp_path / "sealed", tmp_path / "again"
    plain.write_bytes(b"text" * 50_000)
    own, other = fairlane.MLKEM512DecapsulationKey.generate(), fairlane.MLKEM512DecapsulationKey.generate()
    for secret in ({}, {"key": KEY, "passphrase": "x"}, {"key": KEY, "recipient": own.encapsulation_key}):
        with pytest.raises(TypeError, match="^give one of these arguments: key, passphrase, recipient, recipients$"):
            fairlane.seal_file(plain, sealed, **secret)
    for secret in ({"key": KEY[1:]}, {"key": "text"}, {"passphrase": ""}, {"recipient": "text"}):
        with pytest.raises(ValueError):
            fairlane.seal_file(plain, sealed, **secret)
    for name in ("key", "passphrase", "recipient"):
        with pytest.raises(UnicodeEncodeError):
            fairlane.seal_file(plain, sealed, **{name: "\ud800"})
    for secret in ({"key": 3}, {"passphrase": 3}, {"recipient": own}, {"recipient": b"text"}):
        with pytest.raises(TypeError):
            fairlane.seal_file(plain, sealed, **secret)
    with pytest.raises(ValueError, match="^no algorithm is called 'sm4-gcm'; there are xchacha20-poly1305"):
        fairlane.seal_file(plain, sealed, key=KEY, algorithm="sm4-gcm")
    with pytest.raises(FileNotFoundError) as missing:
        fairlane.seal_file(tmp_path / "nothing", sealed, key=KEY)
    with pytest.raises(FileNotFoundError) as expected:
        open(tmp_path / "nothing")
    assert str(missing.value) == str(expected.value) and missing.value.errno == errno.ENOENT
    with pytest.raises(FileNotFoundError) as missing:
        fairlane.seal_file(plain, tmp_path / "no folder" / "sealed", key=KEY)
    assert missing.value.errno == errno.ENOENT and missing.value.filename.endswith("no folder/sealed")
    assert not sealed.exists()

    fairlane.seal_file(plain, sealed, key=KEY)
    with pytest.raises(FileExistsError):
        fairlane.seal_file(plain, sealed, key=KEY)
    with pytest.raises(FileExistsError) as exists:
        fairlane.open_file(sealed, plain, key=KEY)
    assert exists.value.errno == errno.EEXIST and exists.value.filename == str(plain)
    with pytest.raises(fairlane.InvalidTag, match="^wrong key or passphrase"):
        fairlane.open_file(sealed, again, key=bytes(64))
    for secret, message in (({"passphrase": "x"}, "give the key"), ({"identity": own}, "give the key")):
        with pytest.raises(ValueError, match=message):
            fairlane.open_file(sealed, again, **secret)
    whole = sealed.read_bytes()
    for changed in (whole[:-1], whole[:70_000], whole + b"x", whole[:-5] + b"xxxxx"):
        sealed.write_bytes(changed)
        with pytest.raises(fairlane.InvalidTag):
            fairlane.open_file(sealed, again, key=KEY)
    sealed.write_bytes(b"something else")
    with pytest.raises(ValueError, match="^not a sealed file"):
        fairlane.open_file(sealed, again, key=KEY)
    fairlane.seal_file(plain, sealed, recipient=own.encapsulation_key, replace=True)
    with pytest.raises(fairlane.InvalidTag, match="^wrong identity"):
        fairlane.open_file(sealed, again, identity=other)
    expanded = fairlane.MLKEM512DecapsulationKey.from_expanded(own.expanded())
    with pytest.raises(ValueError, match="without a seed"):
        fairlane.open_file(sealed, again, identity=expanded)
    assert not again.exists() and [path.name for path in pathlib.Path(tmp_path).iterdir() if ".part" in path.name] == []
