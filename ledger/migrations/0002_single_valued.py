"""Single-valued attributes: no two versions of one overlap on both time axes."""

from django.db import migrations, models

# int8range(x, x, '[]') stands for the scalar x: core PostgreSQL has GiST operators for ranges only.
NO_OVERLAP = """
    ALTER TABLE ledger_memoryversion ADD CONSTRAINT version_single_valued EXCLUDE USING gist (
        int8range(slot_high, slot_high, '[]') WITH &&,
        int8range(slot_low, slot_low, '[]') WITH &&,
        tstzrange(valid_from, valid_to) WITH &&,
        int8range(seq_from, seq_to) WITH &&
    ) WHERE (slot_high IS NOT NULL)
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.AddField("memoryversion", "single_valued", models.BooleanField(default=False)),
        migrations.AddField("memoryversion", "slot_high", models.BigIntegerField(null=True)),
        migrations.AddField("memoryversion", "slot_low", models.BigIntegerField(null=True)),
        migrations.AddField("memoryversion", "pending", models.BooleanField(default=False)),
        migrations.RunSQL(
            NO_OVERLAP, "ALTER TABLE ledger_memoryversion DROP CONSTRAINT version_single_valued"
        ),
    ]
