from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

MODES = [("none", "off"), ("optional", "offered"), ("required", "asked for")]
KINDS = [
    ("feasibleNodes", "which nodes pass Filter"),
    ("winner", "which node wins"),
    ("victims", "who is evicted"),
    ("nextPod", "which Pod is next"),
]
OUTCOMES = [
    ("waiting", "not told yet"),
    ("right", "as predicted"),
    ("wrong", "otherwise"),
    ("withdrawn", "the cluster was changed first"),
]


class Migration(migrations.Migration):
    dependencies = [("simulator", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="LabPredicting",
            fields=[
                (
                    "lab",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="predicting",
                        serialize=False,
                        to="simulator.lab",
                    ),
                ),
                ("mode", models.CharField(blank=True, choices=MODES, max_length=8)),
                ("seen_action", models.PositiveIntegerField(default=0)),
                ("seen_record", models.PositiveIntegerField(default=0)),
            ],
            options={"verbose_name": "predicting in a lab", "verbose_name_plural": "predicting in labs"},
        ),
        migrations.CreateModel(
            name="Prediction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=16, verbose_name="kind")),
                ("pod", models.CharField(blank=True, max_length=512)),
                ("attempt", models.PositiveIntegerField()),
                ("answer", models.JSONField()),
                ("horizon", models.CharField(max_length=24)),
                ("key", models.JSONField(null=True)),
                ("outcome", models.CharField(choices=OUTCOMES, default="waiting", max_length=12)),
                ("taken_over", models.BooleanField(default=False)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
                ("revealed_at", models.DateTimeField(null=True)),
                (
                    "lab",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="predictions", to="simulator.lab"
                    ),
                ),
            ],
            options={"verbose_name": "prediction", "verbose_name_plural": "predictions"},
        ),
        migrations.AddConstraint(
            model_name="prediction",
            constraint=models.UniqueConstraint(
                condition=models.Q(("outcome", "withdrawn"), _negated=True),
                fields=("lab", "kind", "pod", "attempt"),
                name="prediction_once",
            ),
        ),
    ]
