"""A question as its page part shows it: the fields filled in, each part with its judgement where that may be shown."""
