from django.db import migrations, models


class Migration(migrations.Migration):
    """Lessons that are there already are the course's."""

    dependencies = [
        ("lessons", "0003_authored"),
    ]

    operations = [
        migrations.AddField(
            model_name="lesson",
            name="from_catalogue",
            field=models.BooleanField(default=True, verbose_name="from the catalogue"),
        ),
        migrations.AlterField(
            model_name="lesson",
            name="from_catalogue",
            field=models.BooleanField(default=False, verbose_name="from the catalogue"),
        ),
    ]
