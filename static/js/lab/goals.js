// Goals that are reached are told, once each.

import { toast } from "lib/announce";
import { gettext, interpolate } from "lib/i18n";
import { onState } from "lab/state";

export function startGoals() {
  onState((now, before) => {
    const [done, all] = now.goals;
    if (!before || !all || done <= before.goals[0]) return;
    const text = done === all ? gettext("All goals are reached.") : gettext("%(done)s of %(all)s goals are reached.");
    toast(interpolate(text, { done, all }));
  });
}
