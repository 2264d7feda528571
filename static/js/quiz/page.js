// A page with questions. Everything here is a help on top of plain form fields: without it they still work, but for
// putting things in order.

import { startAutosave } from "quiz/autosave";
import { startChoices } from "quiz/choices";
import { startMatching } from "quiz/matching";
import { startOrdering } from "quiz/ordering";

startChoices();
startOrdering();
startMatching();
startAutosave();
