// Pages with a rule workbench.

import { startBenches } from "rules/bench";

startBenches();
