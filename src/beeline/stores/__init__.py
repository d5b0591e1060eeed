"""How states are kept. Each file declares a `STORE`; dropping one into this folder is all it takes."""

from beeline.stores.declaration import Store, Use
from beeline.stores.registry import PLAIN, all_stores, with_store

__all__ = ["PLAIN", "Store", "Use", "all_stores", "with_store"]
