/* A file is sent in pieces: one of any size can be, and a lost line loses none that has come. */

const form = document.getElementById("bring");
const wrong = document.getElementById("wrong");
const sending = document.getElementById("sending");
const piece = Number(form.dataset.piece);
const PAUSE = 2000;
const token = form.elements.csrfmiddlewaretoken.value;

function refuse(sentence) {
  wrong.textContent = sentence;
  wrong.hidden = false;
  sending.hidden = true;
  form.querySelector("button").disabled = false;
}

function tell(sent, size) {
  const [bar, line] = sending.children;
  sending.hidden = false;
  bar.value = sent / size;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  line.textContent = form.dataset.sent.replace("{sent}", megabytes(sent)).replace("{size}", megabytes(size));
}

/* The answer as JSON; tried again and again where the line is lost, or the site is away for a moment. Another answer, such
   as the page to sign in, ends it. */
async function post(address, body) {
  for (;;) {
    try {
      const answer = await fetch(address, { method: "POST", body, headers: { "X-CSRFToken": token } });
      if (answer.status < 500) return await answer.json();
    } catch (error) {
      if (error instanceof SyntaxError) return { error: form.dataset.refused };
    }
    sending.lastElementChild.textContent = form.dataset.lost;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = form.elements.file.files[0];
  form.querySelector("button").disabled = true;
  wrong.hidden = true;
  const about = new FormData(form);
  about.delete("file");
  about.set("name", file.name);
  about.set("size", file.size);
  const { address, error } = await post(form.action, about);
  if (error) return refuse(error);
  for (let number = 0; number * piece < file.size; number += 1) {
    tell(number * piece, file.size);
    const said = await post(`${address}pieces/${number}/`, file.slice(number * piece, (number + 1) * piece));
    if (said.error) return refuse(said.error);
  }
  const said = await post(`${address}read/`); // no body: servers take a form without fields for a broken one
  if (said.error) return refuse(said.error);
  location.assign(address);
});
