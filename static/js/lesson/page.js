// A lesson's page: where one is, what terms mean, commands to copy, scenes opened in place.

import { startContents } from "lesson/contents";
import { startCopying } from "lesson/copying";
import { startScenes } from "lesson/scenes";
import { startTerms } from "lesson/terms";
import { delegate } from "lib/dom";

startContents();
startTerms();
startCopying();
startScenes();

delegate("click", "[data-marks]", (_event, button) => button.setAttribute("aria-pressed", "true"));
