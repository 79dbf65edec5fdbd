// The picture of a match as PNG: the server draws SVG, and this device's own fonts paint it.
"use strict";

document.getElementById("picture")?.addEventListener("click", async (click) => {
  const link = click.currentTarget;
  click.preventDefault();
  try {
    const svg = await (await fetch(link.href)).blob();
    const picture = new Image();
    picture.src = URL.createObjectURL(svg);
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1200, 630];
    canvas.getContext("2d").drawImage(picture, 0, 0, 1200, 630);
    const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const name = link.download.replace(/svg$/, "png");
    const file = new File([png], name, { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) return await navigator.share({ files: [file] });
    const save = document.createElement("a");
    save.href = URL.createObjectURL(png);
    save.download = name;
    save.click();
  } catch (error) {
    if (error.name !== "AbortError") location.href = link.href;
  }
});
