"""KEMs: known answers, the shapes of keys, and bad input."""

import copy
import hashlib
import pickle

import pytest
import vectors

import fairlane

NAMES = ["MLKEM512", "MLKEM768", "MLKEM1024", "XWing", "CLWE512", "CLWE768", "CLWE1024"]
LIBRARY = {name: name.lower().replace("mlkem", "ml-kem-").replace("clwe", "clwe-") for name in NAMES}
LIBRARY["XWing"] = "x-wing"


def classes(name):
    return getattr(fairlane, name + "DecapsulationKey"), getattr(fairlane, name + "EncapsulationKey")


@pytest.mark.parametrize("name", NAMES)
def test_known_answers(name):
    decapsulation, encapsulation = classes(name)
    seen = set()
    for case in vectors.cases({"M": "ml_kem", "X": "x_wing", "C": "clwe"}[name[0]]):
        if case["function"] != LIBRARY[name]:
            continue
        case = {field: bytes.fromhex(value) for field, value in case.items() if field != "function"}
        keys = []
        if "d" in case or "seed" in case:
            keys.append(decapsulation.from_seed(case["seed"] if "seed" in case else case["d"] + case["z"]))
            keys.append(decapsulation.from_expanded(keys[0].expanded()))
        if "dk" in case:
            keys.append(decapsulation.from_expanded(case["dk"]))
        for key in keys:
            if "ek_sha3_256" in case:
                assert hashlib.sha3_256(bytes(key.encapsulation_key)).digest() == case["ek_sha3_256"]
                assert hashlib.sha3_256(key.expanded()).digest() == case["dk_sha3_256"]
            if "ciphertext" in case:
                assert key.decapsulate(case["ciphertext"]) == case["secret"]
                assert key.prepare().decapsulate(case["ciphertext"]) == case["secret"]
        if "m" in case:
            key = encapsulation.from_bytes(case["ek"]) if "ek" in case else keys[0].encapsulation_key
            for same in (key, key.prepare()):
                assert same.encapsulate(randomness=case["m"]) == (case["secret"], case["ciphertext"])
        seen |= set(case)
    assert {"seed" if name == "XWing" else "d", "m", "ciphertext"} <= seen


@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name):
    decapsulation, encapsulation = classes(name)
    key = decapsulation.generate()
    assert isinstance(key, fairlane.DecapsulationKey) and key.name == LIBRARY[name]
    public = key.encapsulation_key
    assert type(public) is encapsulation and public.name == key.name and isinstance(public, fairlane.EncapsulationKey)
    assert public == encapsulation.from_bytes(bytes(public)) and hash(public) == hash(key.encapsulation_key)
    assert public != decapsulation.generate().encapsulation_key and public != 3
    secret, ciphertext = public.encapsulate()
    assert len(secret) == 32 and len(ciphertext) == key.ciphertext_size == public.ciphertext_size
    assert public.encapsulate()[0] != secret
    assert key.decapsulate(ciphertext) == secret == key.prepare().decapsulate(bytearray(ciphertext))
    assert len(key.seed) == (32 if name == "XWing" else 64)
    assert decapsulation.from_seed(key.seed).encapsulation_key == public
    assert key.prepare().seed == key.seed
    again = decapsulation.from_expanded(key.expanded())
    assert again.seed == (key.seed if name == "XWing" else None) and again.decapsulate(ciphertext) == secret
    changed = bytearray(ciphertext)
    changed[5] ^= 1
    assert key.decapsulate(changed) not in (secret, bytes(32))
    assert repr(key) == f"<fairlane.{name}DecapsulationKey>" and repr(public) == f"<fairlane.{name}EncapsulationKey>"
    for backend in fairlane.cpu()["primitives"]["ml-kem"]["available"]:
        same = decapsulation.from_seed(key.seed, backend=backend)
        assert same.encapsulation_key == public and same.decapsulate(ciphertext) == secret
        assert encapsulation.from_bytes(bytes(public), backend=backend) == public


@pytest.mark.parametrize("name", NAMES)
def test_bad_input(name):
    decapsulation, encapsulation = classes(name)
    key = decapsulation.generate()
    public = key.encapsulation_key
    for length in (0, 31, 33, 63, 65):
        with pytest.raises(ValueError, match=f"^the length of the seeds is {length} bytes instead of {len(key.seed)}$"):
            decapsulation.from_seed(bytes(length))
    for make, size, what in (
        (encapsulation.from_bytes, len(bytes(public)), "encapsulation key"),
        (decapsulation.from_expanded, len(key.expanded()), "decapsulation key"),
        (key.decapsulate, key.ciphertext_size, "ciphertext"),
    ):
        for length in (0, size - 1, size + 1):
            with pytest.raises(ValueError, match=f"^the length of the {what} is {length} bytes instead of {size}$"):
                make(bytes(length))
        for wrong in (None, "text", 3):
            with pytest.raises(TypeError):
                make(wrong)
    with pytest.raises(ValueError, match="^the bytes are no key of this algorithm$"):
        encapsulation.from_bytes(b"\xff" * len(bytes(public)))
    if name != "XWing":
        with pytest.raises(ValueError, match="^the bytes are no key of this algorithm$"):
            decapsulation.from_expanded(b"\xff" * len(key.expanded()))
    with pytest.raises(ValueError, match="^the length of the randomness is 31 bytes instead of "):
        public.encapsulate(randomness=bytes(31))
    with pytest.raises(ValueError, match="unknown backend"):
        decapsulation.generate(backend="sse9")
    for make in (decapsulation, encapsulation, fairlane.DecapsulationKey, fairlane.EncapsulationKey):
        with pytest.raises(TypeError):
            make()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="it holds a secret"):
            pickle.dumps(key, protocol)
    with pytest.raises(TypeError, match="it holds a secret"):
        copy.deepcopy(key)
    with pytest.raises(AttributeError):
        key.seed = bytes(64)


def test_as_the_package_cryptography():
    mlkem = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mlkem")
    key = fairlane.MLKEM768DecapsulationKey.generate()
    try:
        theirs = mlkem.MLKEM768PrivateKey.from_seed_bytes(key.seed)
    except Exception as error:
        pytest.skip(f"not here: {error}")
    assert theirs.public_key().public_bytes_raw() == bytes(key.encapsulation_key)
    secret, ciphertext = theirs.public_key().encapsulate()
    assert key.decapsulate(ciphertext) == secret
