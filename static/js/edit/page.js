// The lab's editor: everything by which the cluster is changed.

import { find } from "lib/dom";
import { onState } from "lab/state";
import { startChoosing } from "graph/choosing";
import { startNetwork } from "graph/network";
import { startArranging } from "edit/arrange";
import { startClipboard } from "edit/clipboard";
import { startDialogs } from "edit/dialogs";
import { startExport } from "edit/export";
import { rememberNodes, startKeys } from "edit/keys";
import { startMenus } from "edit/menu";
import { startOutlineSelection } from "edit/outline";
import { startPalette } from "edit/palette";
import { startPanel } from "edit/panel";
import { startSelection } from "edit/selection";
import { openText, startTexts } from "edit/texts";

export function startEditing() {
  onState(rememberNodes);
  startSelection();
  startPanel();
  startOutlineSelection();
  startMenus();
  startChoosing();
  startNetwork();
  if (!find("#edit-dialog")) return; // somebody else's lab
  startDialogs();
  startPalette();
  startTexts();
  startClipboard(openText);
  startArranging();
  startExport();
  startKeys();
}
