// A lesson's page: where one is, what terms mean, commands to copy.

import { startContents } from "lesson/contents";
import { startCopying } from "lesson/copying";
import { startTerms } from "lesson/terms";
import { delegate } from "lib/dom";

startContents();
startTerms();
startCopying();

delegate("click", "[data-marks]", (_event, button) => button.setAttribute("aria-pressed", "true"));
