/* A live table. The page works without this file; with it nothing is ever reloaded and nothing typed is lost. */

import { watchLine } from "./socket.js";
import { watchCard } from "./table/card.js";
import { stage, watchMoments } from "./table/drama.js";
import { keepTime, setServerTime } from "./table/clock.js";
import { keepDrafts } from "./table/drafts.js";
import { watchForms } from "./table/forms.js";
import { keepNotes } from "./table/notebook.js";
import { follow, settle, showAway } from "./table/parts.js";
import { watchLesson } from "./table/first_match.js";
import { linkShares } from "./table/split.js";
import { keepTalk } from "./table/talk.js";
import { showThinking } from "./table/thinking.js";
import { watchThumbs } from "./table/thumbs.js";

const table = document.getElementById("table");

for (const button of document.querySelectorAll("[data-with-scripts]")) button.hidden = false;
keepTime();
watchForms(table);
keepDrafts();
watchCard();
watchThumbs(table);
linkShares();
watchMoments();
watchLesson();
settle();
follow();
keepNotes();
keepTalk();
watchLine(table, {
  parts: ({ html }) => stage(html),
  thinking: ({ seat }) => showThinking(seat),
  pong: ({ now, away }) => {
    setServerTime(now);
    showAway(away);
  },
});
