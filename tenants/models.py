"""Who: tenants, members, subjects and their keys, API keys, and the audit of access."""

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from encrypted_model_fields.fields import EncryptedTextField

from tenants import clock, ids
from tenants.context import current_tenant, current_user
from tenants.scoped import TenantForeignKey, TenantManager, TenantModel, Wall

SUBJECT_ID_LENGTH = 255
NAME_LENGTH = 120


class CurrentTenantManager(models.Manager["Tenant"]):
    """The tenant in context, and no other. Raises NoTenant when there is none."""

    def get_queryset(self) -> models.QuerySet["Tenant"]:
        return super().get_queryset().filter(id=current_tenant())


class Tenant(models.Model):
    """An organisation. Nothing crosses its wall."""

    id = models.UUIDField(primary_key=True, default=ids.new_id, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, unique=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    token_key = EncryptedTextField(editable=False)

    objects: ClassVar[CurrentTenantManager] = CurrentTenantManager()

    class Meta:
        verbose_name = _("tenant")
        verbose_name_plural = _("tenants")

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a member may do; see tenants.principals.ROLE_SCOPES."""

    OWNER = "owner", _("owner")
    ADMIN = "admin", _("admin")
    AUDITOR = "auditor", _("auditor")
    MEMBER = "member", _("member")


class Subject(TenantModel):
    """The person (or thing) remembered. `external_id` is the tenant's own id for it."""

    wall = Wall(update=("external_id", "locale", "time_zone", "erased_at"))

    external_id = models.CharField(_("subject"), max_length=SUBJECT_ID_LENGTH, db_collation="C")
    locale = models.CharField(_("language"), max_length=35, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    created_at = models.DateTimeField(_("created"), default=clock.now, editable=False)
    # An erased subject keeps its row, under another name, for its ledger to refer to.
    erased_at = models.DateTimeField(null=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("subject")
        verbose_name_plural = _("subjects")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "external_id"], name="subject_external_id")
        ]

    def __str__(self) -> str:
        return self.external_id


class SubjectSecret(TenantModel):
    """One subject's data key (and the display name under it). Its `id` is the subject's id.

    Deleting this row makes everything that was sealed for the subject unreadable.
    """

    wall = Wall(update=("wrapped_key", "display_name"), delete=True)

    subject = TenantForeignKey(Subject)
    wrapped_key = EncryptedTextField()
    display_name = models.BinaryField(default=b"")

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "subject"], name="subject_secret_one")
        ]


class OwnMembershipManager(models.Manager["Member"]):
    """A signed-in person's memberships in all tenants, inside user_context only."""

    def get_queryset(self) -> models.QuerySet["Member"]:
        return super().get_queryset().filter(user_id=current_user())


class Member(TenantModel):
    """A Django user in one tenant, with a role; perhaps pinned to one subject: themself."""

    wall = Wall(update=("role", "subject_id"), delete=True)

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="+",
        verbose_name=_("person"),
    )
    role = models.CharField(_("role"), max_length=16, choices=Role.choices, default=Role.MEMBER)
    subject = TenantForeignKey(
        Subject, null=True, blank=True, verbose_name=_("sees only this subject")
    )
    created_at = models.DateTimeField(_("created"), default=clock.now, editable=False)

    objects: ClassVar[TenantManager["Member"]] = TenantManager()  # type: ignore[assignment]
    own: ClassVar[OwnMembershipManager] = OwnMembershipManager()

    class Meta(TenantModel.Meta):
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "user"], name="member_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["user"], name="member_user")]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"

    @property
    def is_last_owner(self) -> bool:
        """Whether nobody else could let people in, if this member went."""
        owners = Member.objects.filter(role=Role.OWNER)
        return owners.filter(id=self.id).exists() and owners.count() == 1

    def clean(self) -> None:
        if self.role != Role.OWNER and self.is_last_owner:
            raise ValidationError({"role": _("This is the last owner: name another one first.")})
        if self.subject_id and self.role != Role.MEMBER:
            raise ValidationError(
                {"subject": _("Only the role “member” can be limited to one subject.")}
            )


class ApiKey(TenantModel):
    """An agent's credential. The key itself is shown once; a digest of its secret is kept."""

    wall = Wall(update=("last_used_at", "revoked_at"))

    id = models.UUIDField(primary_key=True, default=ids.random_id, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    prefix = models.CharField(_("begins with"), max_length=16, editable=False)
    secret_digest = models.BinaryField(editable=False)
    scopes = models.JSONField(_("scopes"))
    subject = TenantForeignKey(
        Subject, null=True, blank=True, verbose_name=_("only for this subject")
    )
    agent = models.CharField(_("only as this agent"), max_length=SUBJECT_ID_LENGTH, blank=True)
    created_at = models.DateTimeField(_("created"), default=clock.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class AccessEvent(TenantModel):
    """One line of the audit: who did what to which object, and the outcome. No content."""

    wall = Wall(append_only=True)

    at = models.DateTimeField(_("time"), default=clock.now)
    actor = models.CharField(_("who"), max_length=300)
    action = models.CharField(_("what"), max_length=64)
    object_id = models.CharField(_("object"), max_length=SUBJECT_ID_LENGTH, blank=True)
    outcome = models.CharField(_("outcome"), max_length=32)
    request_id = models.CharField(_("request"), max_length=64, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("access event")
        verbose_name_plural = _("access events")
        indexes: ClassVar = [models.Index(fields=["tenant", "-at"], name="access_event_at")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.actor} {self.action} {self.outcome}"
