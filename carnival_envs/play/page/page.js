// The page of a game. It keeps nothing: all it shows is what the server said last.
"use strict";

const byId = (id) => document.getElementById(id);
let state = null;      // the last answer of the server
let shown = 0;         // the moment that is on the picture
let busy = false;

// Talking to the server -----------------------------------------------------------------------------------------------

async function ask(path, body) {
  const request = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, request);
  const content = await response.json();
  if (response.ok) return content;
  if (!content.state) throw new Error(content.error);
  show(content.state);
  throw new Error("The game has gone on in another tab. Nothing was done here; this is how it stands now.");
}

async function attempt(task) {
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    await task();
    say("");
  } catch (error) {
    say(error instanceof TypeError ? "The server does not answer. Start it again with --resume." : error.message);
  } finally {
    busy = false;
    document.body.setAttribute("aria-busy", "false");
  }
}

const refresh = () => attempt(async () => show(await ask("state")));
const play = (action) => attempt(async () => show(await ask("move", { action, moment: state.moment })));
const undo = () => attempt(async () => show(await ask("undo", { moment: state.moment })));

// Showing -------------------------------------------------------------------------------------------------------------

function say(message) {
  byId("message").textContent = message;
  byId("message").hidden = !message;
}

function show(next) {
  const before = state;
  state = next;
  document.title = state.title;
  byId("title").textContent = state.title;
  byId("slider").max = state.moment;
  byId("play").hidden = !state.can_play || state.result.length > 0;
  byId("undo").disabled = !state.can_undo;
  byId("hints").hidden = true;
  showStatus();
  showMoves();
  showLog();
  showResult();
  if (before === null) showMoment(state.can_play ? state.moment : 0);
  else showMoment(before.moment === state.moment ? shown : state.moment);
}

function showStatus() {
  const over = state.result.length > 0;
  const mine = state.can_play && !over;
  const seat = state.seat === null ? "all hands open" : `${mine ? "you are" : "seen by"} player_${state.seat}`;
  byId("status").textContent = mine ? `Your turn: ${seat}` : over ? `Game over, ${seat}` : seat;
  byId("status").classList.toggle("mine", mine);
}

function make(tag, text, name) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

function moveButton(move, words) {
  const button = make("button", words);
  button.type = "button";
  button.dataset.action = move.action;
  button.addEventListener("click", () => play(move.action));
  return button;
}

function showMoves() {
  byId("moves").replaceChildren(...state.groups.map((group) => {
    const box = document.createElement("div");
    const choices = make("div", "", "choices");
    const named = group.moves.some((move) => move.choice);
    if (named) box.append(make("h2", group.heading));
    choices.append(...group.moves.map((move) => moveButton(move, move.choice || group.heading)));
    if (!named) choices.style.marginTop = "0.5rem";
    box.append(choices);
    return box;
  }));
}

function showLog() {
  byId("log").replaceChildren(...state.log.map((entry) => {
    const own = entry.seat === state.seat && state.can_play;
    return make("li", `${own ? "you" : `player_${entry.seat}`}: ${entry.words}`, own ? "own" : "");
  }));
}

function showResult() {
  const box = byId("result");
  box.hidden = state.result.length === 0;
  const table = document.createElement("table");
  const row = (tag, cells) => {
    const line = document.createElement("tr");
    line.append(...cells.map((cell) => make(tag, cell)));
    return line;
  };
  table.append(row("th", ["", "played by", "score", "rank"]));
  state.result.forEach((standing, seat) => {
    table.append(row("td", [`player_${seat}`, state.players[seat], standing.score, standing.rank]));
  });
  const reason = state.result.length ? state.result[0].end_reason.replaceAll("_", " ") : "";
  box.replaceChildren(make("h2", `Result: ${reason}`), table);
}

function showMoment(moment) {
  shown = Math.max(0, Math.min(moment, state.moment));
  byId("slider").value = shown;
  byId("moment").textContent = `${shown} of ${state.moment}`;
  byId("back").disabled = shown === 0;
  byId("forward").disabled = byId("now").disabled = shown === state.moment;
  byId("picture").src = `picture?moment=${shown}&of=${state.moment}&theme=${document.documentElement.dataset.theme}`;
  byId("picture").alt = `The table after ${shown} moves`;
  [...byId("log").children].forEach((line, index) => line.classList.toggle("current", index === shown - 1));
  const current = byId("log").children[shown - 1];
  if (current) byId("log").scrollTop = current.offsetTop - byId("log").offsetTop - byId("log").clientHeight / 2;
}

function showHints(answer) {
  byId("hints").replaceChildren(...answer.hints.map((hint) => {
    const line = make("li", `${hint.words}, ${Math.round(100 * hint.share)} %`);
    const meter = document.createElement("meter");
    meter.value = hint.share;
    line.append(meter);
    return line;
  }));
  byId("hints").title = answer.policy;
  byId("hints").hidden = false;
}

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
  localStorage.setItem("theme", theme);
  if (state) showMoment(shown);
}

// Listening -----------------------------------------------------------------------------------------------------------

byId("slider").addEventListener("input", () => showMoment(Number(byId("slider").value)));
byId("back").addEventListener("click", () => showMoment(shown - 1));
byId("forward").addEventListener("click", () => showMoment(shown + 1));
byId("now").addEventListener("click", () => showMoment(state.moment));
byId("replay").addEventListener("submit", (event) => event.preventDefault());
byId("undo").addEventListener("click", undo);
byId("ask").addEventListener("click", () => attempt(async () => showHints(await ask("hint"))));
byId("theme").addEventListener("click", () => {
  showTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });

const wanted = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
showTheme(localStorage.getItem("theme") || wanted);
refresh();
