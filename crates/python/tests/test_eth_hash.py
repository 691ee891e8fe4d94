"""The backend for eth-hash, with the package itself."""

import pytest

pytest.importorskip("eth_hash")

import vectors
from eth_hash import Keccak256
from eth_hash.abc import BackendAPI, PreImageAPI

import fairlane.eth_hash


def test_backend():
    keccak = Keccak256(fairlane.eth_hash.Backend())
    assert isinstance(fairlane.eth_hash.backend, BackendAPI)
    for case in vectors.cases("keccak"):
        if case["function"] == "keccak256":
            message, output = vectors.data(case["message"]), bytes.fromhex(case["output"])
            assert keccak(message) == keccak(bytearray(message)) == output
            preimage = keccak.new(message[:5])
            assert isinstance(preimage, PreImageAPI)
            other = preimage.copy()
            for same in (preimage, other):
                same.update(message[5:])
                assert same.digest() == output
    with pytest.raises(TypeError):
        keccak("text")
