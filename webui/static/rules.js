// Searches the rules: only rules that have all the words are shown.
"use strict";

const find = document.getElementById("find");
const found = document.getElementById("found");
const plain = (text) => text.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLowerCase();

find.addEventListener("input", () => {
  const words = plain(find.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const section of document.querySelectorAll(".rulebook section")) {
    const title = plain(section.querySelector("h2").textContent);
    let some = false;
    for (const rule of section.querySelectorAll("li")) {
      const text = `${title} ${plain(rule.textContent)}`;
      rule.hidden = !words.every((word) => text.includes(word));
      shown += !rule.hidden;
      some ||= !rule.hidden;
    }
    section.hidden = !some;
  }
  found.textContent = shown ? "" : found.dataset.none;
});
