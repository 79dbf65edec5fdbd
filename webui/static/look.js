// Sets the colours that were chosen on this device; runs before the page is drawn.
document.documentElement.dataset.look = localStorage.getItem("trucam.look") || "";
