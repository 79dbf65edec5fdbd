// Before the page is drawn: the colours that were chosen on this device.
document.documentElement.dataset.look = localStorage.getItem("trucam.look") || "";
