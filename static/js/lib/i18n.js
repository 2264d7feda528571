// Sentences in the page's language, from Django's JavaScript catalogue (loaded before the modules).
// Write gettext("…") with a literal: `make messages` finds it.

export const gettext = (text) => globalThis.gettext(text);

export const ngettext = (one, many, count) => globalThis.ngettext(one, many, count);

/** Fill %(name)s places. */
export const interpolate = (text, values) => globalThis.interpolate(text, values, true);
