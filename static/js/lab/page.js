// The lab page.

import { startEditing } from "edit/page";
import { startLevels } from "fabric/levels";
import { startPasting } from "fabric/paste";
import { startGraph } from "graph/host";
import { startExplaining } from "lab/explain";
import { startFollowing } from "lab/follow";
import { startGoals } from "lab/goals";
import { startLayout } from "lab/layout";
import { startMetrics } from "lab/metrics";
import { startOutline } from "lab/outline";
import { startPredicting } from "lab/predict";
import { startRequests, visit } from "lab/requests";
import { startSharing } from "lab/share";
import { startState, state } from "lab/state";
import { startTransport } from "lab/transport";

startRequests();
startTransport();
startLayout();
startOutline();
startFollowing();
startExplaining();
startGoals();
startMetrics();
startSharing();
startPredicting();
startEditing();
startGraph();
startLevels();
startPasting();
startState();

document.addEventListener("lab-chosen", (event) => {
  const { kind, namespace, name } = event.detail;
  const url = new URL(state().url, location.href);
  url.searchParams.set("tab", "objects");
  url.searchParams.set("object", `${kind}/${namespace}/${name}`);
  visit(url.href);
});
