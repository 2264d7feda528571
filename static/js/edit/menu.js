// Context menus: on right click, Shift+F10 or the menu key, a long press, and the panel's “More”. What a menu offers
// stands in the page; here it is shown, moved in by arrows, and closed again.

import { delegate, find, findAll } from "lib/dom";

const MARGIN = 8; // pixels between a menu and the window's edge

let open = null;
let opener = null;

export function startMenus() {
  delegate("click", "#selection-more", (_event, button) => {
    const box = button.getBoundingClientRect();
    openMenu(find("#selection-menu"), { x: box.left, y: box.bottom, trigger: button, without: "data-first" });
  });
  document.addEventListener("pointerdown", (event) => {
    if (open && !open.contains(event.target) && !opener?.contains(event.target)) closeMenu({ giveBack: false });
  });
  document.addEventListener("keydown", (event) => open && key(event), { capture: true });
  document.addEventListener("click", (event) => {
    if (open && event.target.closest?.('[role="menuitem"]')) setTimeout(() => closeMenu({ giveBack: true }), 0);
  });
  document.addEventListener("selection-shown", () => open && !open.isConnected && forget());
  addEventListener("blur", () => open && closeMenu({ giveBack: false }));
}

/** Show a menu at a point of the window. `trigger` gets the focus back; items with the attribute `without` are left out. */
export function openMenu(menu, { x, y, trigger = null, without = "" }) {
  if (!menu) return;
  if (open === menu && trigger && opener === trigger) {
    closeMenu();
    return;
  }
  if (open) closeMenu({ giveBack: false });
  open = menu;
  opener = trigger ?? document.activeElement;
  menu.hidden = false;
  for (const item of menu.children) item.hidden = Boolean(without) && (item.hasAttribute(without) || item.tagName === "HR");
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN));
  const below = y + height + MARGIN <= innerHeight;
  menu.style.left = `${left}px`;
  menu.style.top = `${below ? y : Math.max(MARGIN, y - height - (trigger ? trigger.offsetHeight : 0))}px`;
  trigger?.setAttribute("aria-expanded", "true");
  items()[0]?.focus();
}

export function closeMenu({ giveBack = true } = {}) {
  if (!open) return;
  open.hidden = true;
  opener?.setAttribute?.("aria-expanded", "false");
  if (giveBack && opener?.isConnected && !find("dialog[open]")) opener.focus();
  forget();
}

function forget() {
  open = null;
  opener = null;
  document.dispatchEvent(new CustomEvent("menu-closed"));
}

const items = () => findAll('[role="menuitem"]', open).filter((item) => !item.hidden);

function key(event) {
  const all = items();
  const at = all.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to !== undefined) {
    all.at(to % all.length).focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    closeMenu();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
