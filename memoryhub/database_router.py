"""Which database alias may change the schema: the owner's, and only that one."""

from typing import Any


class OwnerMigrates:
    """Migrations run as the owner role; the application role could not run them anyway."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"
