"""What tenant models are made of: managers that raise without a tenant, keys that lead with it."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar
from uuid import UUID

from django.db import models

from tenants import ids
from tenants.context import current_tenant
from tenants.errors import CrossTenant

M = TypeVar("M", bound=models.Model)


@dataclass(frozen=True)
class Wall:
    """What the application role may do with a table; everything else is refused by PostgreSQL.

    `update` lists the only columns that may change. An append-only table also carries triggers
    that refuse UPDATE, DELETE and TRUNCATE to every role.
    """

    update: tuple[str, ...] = ()
    delete: bool = False
    append_only: bool = False


class TenantQuerySet(models.QuerySet[M]):
    """A queryset that belongs to the tenant in whose context it was made."""

    def _fetch_all(self) -> None:
        current_tenant()
        super()._fetch_all()

    def bulk_create(self, objs: Any, *args: Any, **options: Any) -> list[M]:
        objs = list(objs)
        for obj in objs:
            obj.tenant_id = own_tenant(obj.tenant_id)
        return super().bulk_create(objs, *args, **options)


class TenantManager(models.Manager[M]):
    """Rows of the tenant in context. Raises NoTenant when there is none."""

    def get_queryset(self) -> TenantQuerySet[M]:
        return TenantQuerySet(self.model, using=self._db).filter(tenant_id=current_tenant())


class TenantForeignKey(models.ForeignKey):
    """A reference inside one tenant.

    The database constraint is (tenant_id, this) → (tenant_id, id), made by tenants.wall: foreign
    key checks ignore row-level security, so the tenant has to be part of the key.
    """

    def __init__(self, to: Any, *, on_delete: Any = models.DO_NOTHING, **options: Any) -> None:
        options["db_constraint"] = False
        options.setdefault("db_index", False)
        options.setdefault("related_name", "+")
        super().__init__(to, on_delete=on_delete, **options)

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        options.pop("db_constraint", None)
        return name, path, args, options


class TenantRow(models.Model):
    """Data of one tenant whose primary key begins with the tenant (a CompositePrimaryKey)."""

    wall: ClassVar[Wall] = Wall()

    tenant = models.ForeignKey(
        "tenants.Tenant",
        on_delete=models.DO_NOTHING,
        db_index=False,
        related_name="+",
        editable=False,
    )

    objects: ClassVar[TenantManager[Self]] = TenantManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **options: Any) -> None:
        self.tenant_id = own_tenant(self.tenant_id)
        super().save(*args, **options)


class TenantModel(TenantRow):
    """Data of one tenant with an id of its own.

    Django knows `id` as the key; in the database it is (tenant_id, id), made by tenants.wall.
    """

    id = models.UUIDField(primary_key=True, default=ids.new_id, editable=False)

    class Meta(TenantRow.Meta):
        abstract = True


def own_tenant(claimed: UUID | None) -> UUID:
    """The tenant in context, which `claimed` must be when it is given. Raises CrossTenant."""
    tenant_id = current_tenant()
    if claimed is not None and claimed != tenant_id:
        raise CrossTenant("A row of another tenant cannot be saved here.")
    return tenant_id
