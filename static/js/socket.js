/* A page's line to the server. A line that closes, or stays silent, is opened again; the server then tells all there is.

   page: the element with data-socket and data-say-lost; on: what to do with a frame, by its kind. Gives back a function
   that ends the line. While the line is open, the page is marked: data-live. */

const PING_EVERY = 10_000;
const SILENCE = 8_000;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 10_000;
const LEAVE_CODES = [4403, 4404];
const TOO_MANY = 4429;

export function watchLine(page, on) {
  const line = document.getElementById("line");
  const address = new URL(page.dataset.socket, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const watched = new AbortController();
  let socket, beat, silence, again;
  let failures = 0;

  function open() {
    clearTimeout(again);
    socket = new WebSocket(address);
    const mine = socket;
    listen();
    mine.addEventListener("open", () => ping());
    mine.addEventListener("message", (event) => {
      if (mine !== socket) return;
      heard();
      const frame = JSON.parse(event.data);
      if (frame.kind === "leave") location.reload();
      else on[frame.kind]?.(frame);
    });
    mine.addEventListener("close", (event) => {
      if (mine !== socket || LEAVE_CODES.includes(event.code)) return;
      retry(event.code === TOO_MANY ? LONGEST_WAIT : 0);
    });
  }

  function ping() {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send('{"kind": "ping"}');
    listen();
  }

  /* From now on something must be heard soon; an offline browser's socket may stay open and dumb. */
  function listen() {
    clearTimeout(silence);
    silence = setTimeout(() => retry(0), SILENCE);
  }

  function heard() {
    clearTimeout(silence);
    failures = 0;
    line.hidden = true;
    page.dataset.live = "";
    clearTimeout(beat);
    beat = setTimeout(ping, PING_EVERY);
  }

  function retry(atLeast) {
    delete page.dataset.live;
    clearTimeout(silence);
    clearTimeout(beat);
    clearTimeout(again);
    const dead = socket;
    socket = null;
    dead?.close();
    line.textContent = page.dataset.sayLost;
    line.hidden = false;
    /* Any moment within the wait is as likely: after an outage, pages do not come back all at once. */
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
    failures += 1;
    again = setTimeout(open, atLeast + longest * Math.random());
  }

  function atOnce() {
    if (!socket || socket.readyState > WebSocket.OPEN) open();
    else ping();
  }

  function end() {
    watched.abort();
    for (const timeout of [silence, beat, again]) clearTimeout(timeout);
    const done = socket;
    socket = null;
    done?.close();
  }

  const { signal } = watched;
  addEventListener("online", atOnce, { signal });
  addEventListener("offline", () => retry(0), { signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && atOnce(), { signal });
  addEventListener("pageshow", (event) => event.persisted && atOnce(), { signal });
  open();
  return end;
}
