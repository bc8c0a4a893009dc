/* The line to the table. A line that closes, or stays silent, is opened again; the server then sends all there is. */

import { setServerTime } from "./clock.js";

const PING_EVERY = 10_000;
const SILENCE = 8_000;
const LONGEST_WAIT = 10_000;
const LEAVE_CODES = [4403, 4404];
const TOO_MANY = 4429;

export function watchLine(table, on) {
  const line = document.getElementById("line");
  const address = new URL(table.dataset.socket, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("lang", table.dataset.lang);
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
      if (frame.kind === "parts") on.parts(frame);
      if (frame.kind === "pong") {
        setServerTime(frame.now);
        on.away(frame.away);
      }
      if (frame.kind === "leave") location.reload();
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
    clearTimeout(beat);
    beat = setTimeout(ping, PING_EVERY);
  }

  function retry(atLeast) {
    clearTimeout(silence);
    clearTimeout(beat);
    clearTimeout(again);
    const dead = socket;
    socket = null;
    dead?.close();
    line.textContent = table.dataset.sayLost;
    line.hidden = false;
    const wait = Math.max(atLeast, Math.min(LONGEST_WAIT, 300 * 2 ** failures) * (0.7 + 0.6 * Math.random()));
    failures += 1;
    again = setTimeout(open, wait);
  }

  function atOnce() {
    if (!socket || socket.readyState > WebSocket.OPEN) open();
    else ping();
  }

  addEventListener("online", atOnce);
  addEventListener("offline", () => retry(0));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && atOnce());
  addEventListener("pageshow", (event) => event.persisted && atOnce());
  open();
}
