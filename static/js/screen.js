/* The screen of a room: what everybody sees of a table, kept up by the same frames as a page of it. */

import { watchLine } from "./socket.js";
import { keepTime, setServerTime } from "./table/clock.js";
import { follow, receive, settle, showAway } from "./table/parts.js";
import { showThinking } from "./table/thinking.js";

const table = document.getElementById("table");

keepTime();
settle();
follow();
watchLine(table, {
  parts: ({ html }) => receive(html),
  thinking: ({ seat }) => showThinking(seat),
  pong: ({ now, away }) => {
    setServerTime(now);
    showAway(away);
  },
});
