"""Cryptographic primitives at the speed the machine allows, for one message or for many at once.

Hashes have the manners of hashlib, AEADs the shapes of the package cryptography; stream ciphers and KEMs have shapes of
their own. `hash_many` hashes lists, NumPy arrays and Arrow columns. docs/python.md in the repository is a tour.

Nobody outside the project has audited the code.
"""

from ._fairlane import *
from ._fairlane import __all__ as __all__
