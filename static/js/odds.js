// The curve under a replay: a line at the moment that is looked at, and what the chance was then.

import { find, root, seqs } from "./player.js";

const points = JSON.parse(document.getElementById("odds").textContent);
const now = find("oddsline").querySelector(".now");
const told = find("odds-now");
const [first] = points[0];
const [last] = points.at(-1);
const WIDTH = 680; // of the picture (games/templatetags/charts.py)

function follow([seq]) {
  const across = (Math.min(Math.max(seq, first), last) - first) / Math.max(last - first, 1);
  now.setAttribute("transform", `translate(${(WIDTH * across).toFixed(1)})`);
  const [, share] = points.findLast(([since]) => since <= seq) ?? points[0];
  told.textContent = told.dataset.text.replace("{n}", Math.round(100 * share));
}

root.addEventListener("moment", ({ detail }) => follow(detail));
follow(seqs());
