"""A backend for the package eth-hash: `eth_hash.Keccak256(fairlane.eth_hash.Backend())`."""

from eth_hash.abc import BackendAPI, PreImageAPI

from ._fairlane import digest as _digest
from ._fairlane import keccak_256

__all__ = ["Backend", "PreImage", "backend", "keccak256", "preimage"]


class PreImage(PreImageAPI):
    """A message that is hashed in pieces."""

    def __init__(self, value: bytes | bytearray) -> None:
        self._hash = keccak_256(value)

    def update(self, value: bytes | bytearray) -> None:
        self._hash.update(value)

    def digest(self) -> bytes:
        return self._hash.digest()

    def copy(self) -> "PreImage":
        other = PreImage(b"")
        other._hash = self._hash.copy()
        return other


class Backend(BackendAPI):
    """Keccak-256 of fairlane."""

    def keccak256(self, in_data: bytes | bytearray) -> bytes:
        return _digest("keccak_256", in_data)

    def preimage(self, in_data: bytes | bytearray) -> PreImage:
        return PreImage(in_data)


backend = Backend()
keccak256 = backend.keccak256
preimage = backend.preimage
