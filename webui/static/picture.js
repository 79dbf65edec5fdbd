// Makes a PNG to share of the server's SVG: only this device has fonts to draw the letters with.
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
    [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
    const drawn = canvas.getContext("2d");
    drawn.drawImage(picture, 0, 0);
    if (link.dataset.still) await paint(drawn, link.dataset.still);
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

// Draws the photo, which Safari leaves out of an SVG, in its place: the upper 16:9.
async function paint(drawn, url) {
  const still = new Image();
  still.src = url;
  await still.decode();
  const [width, height] = [drawn.canvas.width, (drawn.canvas.width * 9) / 16];
  const scale = Math.min(width / still.naturalWidth, height / still.naturalHeight);
  const [w, h] = [still.naturalWidth * scale, still.naturalHeight * scale];
  drawn.drawImage(still, (width - w) / 2, (height - h) / 2, w, h);
}
