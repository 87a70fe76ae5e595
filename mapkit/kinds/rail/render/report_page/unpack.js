// Draw the board as soon as it is there: it comes compressed, before the rest of the page.
"use strict";
globalThis.boardDrawn = (async () => {
  const packed = Uint8Array.from(atob(document.getElementById("ui-board").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  document.getElementById("ui-map").innerHTML = await new Response(stream).text();
})();
