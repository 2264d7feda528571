"""Chinese: ISO order where dates stand in columns; the rest is as Django has it."""

SHORT_DATE_FORMAT = "Y-m-d"
SHORT_DATETIME_FORMAT = "Y-m-d H:i"
