"""Vectors in context, waiting lists, traits, crowded subjects, repetitions and replies."""

import django.db.models.deletion
from django.db import migrations, models

import tenants.clock
import tenants.ids
import tenants.scoped

# For subjects with so many versions that looking at each takes too long. Of one encoder only: an
# index has one number of dimensions, and other encoders look at all.
CROWDED = """
    CREATE INDEX vector_of_crowded ON recall_embedding
    USING hnsw ((vector::halfvec(384)) halfvec_cosine_ops)
    WHERE crowded AND encoder = 'bundled:multilingual-e5-small-q4' AND chunk >= 0
"""
# What is sealed does not compress: trying to costs more than it gives.
UNCOMPRESSED = "ALTER TABLE recall_trace ALTER COLUMN sealed SET STORAGE EXTERNAL"
COMPRESSED = "ALTER TABLE recall_trace ALTER COLUMN sealed SET STORAGE EXTENDED"


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0005_said_and_policies"),
        ("recall", "0001_initial"),
        ("tenants", "0002_erased_subjects"),
    ]

    operations = [
        migrations.CreateModel(
            name="Reply",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.ids.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField(default=tenants.clock.now, verbose_name="time")),
                ("actor", models.CharField(max_length=300, verbose_name="who")),
                ("sealed", models.BinaryField()),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Traits",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant",
                        "subject",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "subject",
                    tenants.scoped.TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenants.subject",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
                (
                    "version",
                    tenants.scoped.TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="ledger.memoryversion",
                    ),
                ),
                ("length", models.IntegerField()),
                ("asking", models.SmallIntegerField()),
                ("holds_time", models.BooleanField()),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Waiting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant",
                        "subject",
                        "encoder",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "subject",
                    tenants.scoped.TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenants.subject",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
                (
                    "version",
                    tenants.scoped.TenantForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="ledger.memoryversion",
                    ),
                ),
                ("encoder", models.CharField(db_collation="C", max_length=255)),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.RemoveField(
            model_name="term",
            name="length",
        ),
        migrations.AddField(
            model_name="corpus",
            name="coming",
            field=models.CharField(blank=True, db_collation="C", max_length=255),
        ),
        migrations.AddField(
            model_name="corpus",
            name="crowded",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="corpus",
            name="encoder",
            field=models.CharField(blank=True, db_collation="C", max_length=255),
        ),
        migrations.AddField(
            model_name="corpus",
            name="revision",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="embedding",
            name="after",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="embedding",
            name="crowded",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="trace",
            name="repeats",
            field=tenants.scoped.TenantForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="recall.trace",
            ),
        ),
        migrations.AlterField(
            model_name="embedding",
            name="encoder",
            field=models.CharField(db_collation="C", max_length=255),
        ),
        migrations.AddIndex(
            model_name="embedding",
            index=models.Index(fields=["tenant", "version"], name="vector_of_version"),
        ),
        migrations.AddIndex(
            model_name="trace",
            index=models.Index(
                condition=models.Q(("repeats__isnull", False)),
                fields=["tenant", "repeats"],
                name="trace_repeated",
            ),
        ),
        migrations.AddField(
            model_name="reply",
            name="subject",
            field=tenants.scoped.TenantForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="tenants.subject",
            ),
        ),
        migrations.AddField(
            model_name="reply",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="tenants.tenant",
            ),
        ),
        migrations.AddField(
            model_name="reply",
            name="trace",
            field=tenants.scoped.TenantForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="recall.trace",
            ),
        ),
        migrations.AddIndex(
            model_name="reply",
            index=models.Index(fields=["tenant", "trace", "at"], name="reply_of_trace"),
        ),
        migrations.AddIndex(
            model_name="reply",
            index=models.Index(fields=["tenant", "subject"], name="reply_of_subject"),
        ),
        migrations.AddIndex(
            model_name="traits",
            index=models.Index(fields=["tenant", "version"], name="traits_of_version"),
        ),
        migrations.RunSQL(CROWDED, "DROP INDEX vector_of_crowded"),
        migrations.RunSQL(UNCOMPRESSED, COMPRESSED),
    ]
