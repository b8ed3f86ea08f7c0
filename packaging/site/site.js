// Search without a server: the index is a script (utils/docs_site.py), loaded when it is first needed.
"use strict";
const query = document.getElementById("query");
const results = document.getElementById("results");
const article = document.querySelector("article");
const footer = document.querySelector("footer");

function load() {
  if (!document.getElementById("index")) {
    const script = document.createElement("script");
    script.id = "index";
    script.src = BASE + "/search/index.js";
    script.onload = search;
    document.head.append(script);
  }
}

// All words have to be there; in titles they count more.
function rank(entry, words) {
  const title = entry.title.toLowerCase(), text = entry.text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const count = text.split(word, 50).length - 1;
    if (title.includes(word)) score += title === word ? 200 : 100;
    else if (!count) return 0;
    score += count;
  }
  return score;
}

function excerpt(entry, word) {
  const at = Math.max(entry.text.toLowerCase().indexOf(word) - 60, 0);
  const line = document.createElement("small");
  const shown = (at ? "..." : "") + entry.text.slice(at, at + 180);
  const found = shown.toLowerCase().indexOf(word);
  if (found < 0) {
    line.append(shown);
  } else {
    const mark = document.createElement("mark");
    mark.append(shown.slice(found, found + word.length));
    line.append(shown.slice(0, found), mark, shown.slice(found + word.length));
  }
  return line;
}

function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  article.hidden = footer.hidden = words.length > 0;
  results.hidden = !words.length;
  results.replaceChildren();
  if (!words.length || typeof INDEX === "undefined") return;
  const found = INDEX.map((entry) => [rank(entry, words), entry]).filter(([score]) => score).sort((a, b) => b[0] - a[0]);
  const count = document.createElement("p");
  count.textContent = `${found.length} places with ${words.join(", ")}`;
  results.append(count);
  for (const [, entry] of found.slice(0, 50)) {
    const link = document.createElement("a"), title = document.createElement("b");
    link.href = BASE + "/" + entry.location;
    title.textContent = entry.page && entry.page !== entry.title ? `${entry.page}: ${entry.title}` : entry.title;
    link.append(title, excerpt(entry, words[0]));
    // A place in this page is a jump only.
    link.addEventListener("click", () => { query.value = ""; search(); });
    results.append(link);
  }
}

query.addEventListener("focus", load);
query.addEventListener("input", search);
query.form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  } else if (event.key === "Escape" && document.activeElement === query) {
    query.value = "";
    search();
    query.blur();
  }
});
