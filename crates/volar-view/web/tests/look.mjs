// What the tests look at.

import assert from "node:assert/strict";

/** The picture of the scene. */
export function canvasBytes(page) {
  return page.locator("canvas[role=application]").screenshot();
}

/** The time that is shown, s. */
export async function clock(page) {
  return Number.parseFloat(await page.locator(".clock").innerText());
}

/** Moves the slider of time to a part of its length. */
export function slider(page, part) {
  return page.locator(".transport input[type=range]").evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, part);
}

/** How many columns of a plot hold a saturated colour: its lines, not its axes. */
export function inkOf(canvas) {
  return canvas.evaluate((element) => {
    const { width, height } = element;
    const pixels = element.getContext("2d").getImageData(0, 0, width, height).data;
    let columns = 0;
    for (let x = 0; x < width; x++) {
      for (let y = 0; y < height; y++) {
        const at = 4 * (y * width + x);
        const [r, g, b, a] = pixels.slice(at, at + 4);
        if (a > 100 && Math.max(r, g, b) - Math.min(r, g, b) > 60) {
          columns++;
          break;
        }
      }
    }
    return columns;
  });
}

/** Waits for something to become true. */
export async function until(check, what, patience = 10_000) {
  const late = Date.now() + patience;
  while (Date.now() < late) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`waited in vain: ${what}`);
}
