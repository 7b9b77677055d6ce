
"use strict";
for (const chart of document.querySelectorAll(".chart")) {
  const data = JSON.parse(chart.querySelector("script").textContent);
  const plot = chart.querySelector(".plot");
  const drawing = plot.querySelector("svg");
  const cursor = plot.querySelector(".cursor");
  const tip = plot.querySelector(".tip");
  const told = plot.querySelector(".told");
  const lines = [...plot.querySelectorAll(".line")];
  const buttons = [...chart.querySelectorAll(".legend button")];
  let at = -1;

  // Where points are meant, each belongs to one series, and the others have nothing to say about it.
  const speaks = (number) => !data.y || data.lines[number].texts[at] !== null;
  const shown = () => [...lines.keys()].filter((number) => !lines[number].classList.contains("off") && speaks(number));
  const textOf = (line) => line.texts[at] ?? data.words.none;

  function row(number) {
    const name = document.createElement("span");
    const value = document.createElement("b");
    name.textContent = data.lines[number].name;
    value.textContent = textOf(data.lines[number]);
    const made = document.createElement("p");
    made.append(buttons[number].querySelector("svg").cloneNode(true), name, value);
    return made;
  }

  function show(position) {
    at = Math.min(Math.max(position, 0), data.x.length - 1);
    const head = document.createElement("p");
    head.textContent = data.heads[at];
    tip.replaceChildren(head, ...shown().map(row));
    tip.hidden = false;
    cursor.setAttribute("transform", `translate(${data.x[at]} 0)`);
    cursor.classList.add("on");
    const box = drawing.getBoundingClientRect();
    const whole = plot.getBoundingClientRect();
    const x = box.left - whole.left + (data.x[at] * box.width) / drawing.viewBox.baseVal.width;
    const isRight = x > whole.width / 2;
    tip.style.left = isRight ? "auto" : `${x + 12}px`;
    tip.style.right = isRight ? `${whole.width - x + 12}px` : "auto";
  }

  // Aloud only what was asked for by key: a mouse passes too many values.
  function showAndTell(position) {
    show(position);
    const values = shown().map((number) => `${data.lines[number].name} ${textOf(data.lines[number])}`);
    told.textContent = [data.heads[at], ...values].join("; ");
  }

  function hide() {
    tip.hidden = true;
    cursor.classList.remove("on");
  }

  function point(event) {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) * drawing.viewBox.baseVal.width) / box.width;
    const y = ((event.clientY - box.top) * drawing.viewBox.baseVal.height) / box.height;
    const away = data.x.map((other, number) => Math.hypot(other - x, data.y ? data.y[number] - y : 0));
    show(away.indexOf(Math.min(...away)));
  }

  buttons.forEach((button, number) => {
    button.addEventListener("click", () => {
      const isOff = lines[number].classList.toggle("off");
      button.setAttribute("aria-pressed", String(!isOff));
      button.title = isOff ? data.words.show : data.words.hide;
    });
  });

  if (data.x.length) {
    const moves = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => data.x.length - 1 };
    plot.addEventListener("pointermove", point);
    plot.addEventListener("pointerdown", point);
    plot.addEventListener("pointerleave", hide);
    plot.addEventListener("focus", () => showAndTell(at));
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      showAndTell(moves[event.key]());
    });
  }
}
