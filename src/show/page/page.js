"use strict";
document.querySelectorAll("th").forEach(function (head) {
  function key(row) {
    var cell = row.cells[head.cellIndex];
    return cell.dataset.v ? Number(cell.dataset.v) : cell.textContent;
  }
  function order(a, b) {
    var x = key(a), y = key(b), number = typeof x === "number";
    if (typeof x !== typeof y) return number ? -1 : 1;
    return number ? x - y : x.localeCompare(y);
  }
  function sort() {
    var table = head.closest("table"), body = table.tBodies[0];
    var rows = Array.from(body.rows).sort(order);
    var down = head.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("th").forEach(function (h) {
      h.removeAttribute("aria-sort");
    });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    (down ? rows.reverse() : rows).forEach(function (row) { body.appendChild(row); });
  }
  head.tabIndex = 0;
  head.title = "sort";
  head.addEventListener("click", sort);
  head.addEventListener("keydown", function (event) {
    if (event.key === "Enter") sort();
  });
});
