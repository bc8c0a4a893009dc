/* A live table. The page works without this file; with it nothing is ever reloaded and nothing typed is lost. */

import { watchCard } from "./table/card.js";
import { keepTime } from "./table/clock.js";
import { watchForms } from "./table/forms.js";
import { keepNotes } from "./table/notebook.js";
import { follow, receive, settle, showAway } from "./table/parts.js";
import { watchLine } from "./table/socket.js";
import { linkShares } from "./table/split.js";

const table = document.getElementById("table");

for (const button of document.querySelectorAll("[data-with-scripts]")) button.hidden = false;
keepTime();
watchForms(table);
watchCard();
linkShares();
settle();
follow();
keepNotes(table);
watchLine(table, { parts: (frame) => receive(frame.html), away: (seats) => showAway(seats) });
