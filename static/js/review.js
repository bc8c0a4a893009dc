// The moments of a seat in a replay: they appear when they are worked out.

import { patch } from "./patch.js";
import { root } from "./player.js";
import { watchLine } from "./socket.js";

async function renew() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("review");
  if (!fresh) return;
  patch(document.getElementById("review"), fresh);
  if (!fresh.querySelector("[aria-busy]")) endLine();
}

const endLine = watchLine(root, { reviewed: renew });
