// The lab page.

import { startGraph } from "graph/host";
import { startFollowing } from "lab/follow";
import { startLayout } from "lab/layout";
import { startOutline } from "lab/outline";
import { startRequests } from "lab/requests";
import { startState } from "lab/state";
import { startTransport } from "lab/transport";

startRequests();
startTransport();
startLayout();
startOutline();
startFollowing();
startGraph();
startState();
