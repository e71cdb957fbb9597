// The report, opened from disk.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { record, view } from "./volar.mjs";
import { canvasBytes, clock, inkOf, slider, until } from "./look.mjs";

let browser;
let address;
let dir;

before(async () => {
  dir = mkdtempSync(`${tmpdir()}/volar-report-`);
  address = record(dir);
  browser = await launch();
});

after(() => browser?.close());

test("opens from disk with verdict, numbers, plots and a replay that moves", async () => {
  const { page, complaints } = await open(browser, address);
  await page.getByText("Held", { exact: true }).waitFor();
  const summary = await page.locator("#summary").innerText();
  assert.match(summary, /Mean normal force, finger_1\s+last second\s+\d/);
  assert.match(summary, /Drift\s+since 2 s\s+\d/, "figures name their windows");
  assert.match(await page.locator("#plot-drift").innerText(), /since 2 s \(shaded\)/, "and so do plots");
  assert.match(await page.locator("#origin").innerText(), /Volar \d[^\n]*commit [0-9a-f]{12}[^\n]*UTC[^\n]*cores/);
  assert.match(summary, /Contact law\s+foundation/);

  await page.keyboard.press("Home");
  const first = await canvasBytes(page);
  await page.waitForTimeout(1500);
  const later = await canvasBytes(page);
  assert.notDeepEqual(first, later, "the replay moves");
  assert.ok((await clock(page)) > 0.2);

  for (const id of ["normal-force", "friction-force", "overlap-volume", "overlap-depth", "drift", "energies", "kinetic-energy", "step"]) {
    const plot = page.locator(`#plot-${id}`);
    await plot.scrollIntoViewIfNeeded();
    await plot.locator("canvas").first().waitFor();
    await page.waitForTimeout(100);
    assert.ok((await inkOf(plot.locator("canvas").first())) > 60, `${id} has a line`);
  }
  assert.equal(await page.locator("#plot-normal-force canvas").count(), 2, "transient beside steady state");
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("the slider moves the cursor of the plots, and a click in a plot moves the slider", async () => {
  const { page, complaints } = await open(browser, address);
  await page.keyboard.press("Space");
  const plot = page.locator("#plot-drift");
  await plot.scrollIntoViewIfNeeded();
  const mark = plot.locator(".now");
  const place = async () => (await mark.boundingBox()).x;
  await slider(page, 0.25);
  await page.waitForTimeout(200);
  const before = await place();
  await slider(page, 0.75);
  await page.waitForTimeout(200);
  const after = await place();
  assert.ok(after > before + 100, `${before} to ${after}`);
  assert.ok(Math.abs((await clock(page)) - 3) < 0.05);

  // Plots above it may have been drawn since.
  await plot.locator(".u-over").scrollIntoViewIfNeeded();
  const box = await plot.locator(".u-over").boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 20);
  await until(async () => Math.abs((await clock(page)) - 2) < 0.05, "the click went to the middle");
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("a key goes from frame to frame", async () => {
  const server = await view(dir);
  const { page, complaints } = await open(browser, server.address);
  await page.keyboard.press("Space");
  await page.keyboard.press("Home");
  assert.equal(await clock(page), 0);
  // Frames are samples every 4 ms and ends of steps between them, closer than the clock shows.
  const time = async () => 4 * Number(await page.locator(".transport input[type=range]").inputValue());
  await page.keyboard.press(".");
  await until(async () => (await time()) > 0, "a frame further");
  const first = await time();
  assert.ok(first <= 0.004, `${first}`);
  await page.keyboard.press(".");
  await until(async () => (await time()) > first, "another");
  await page.keyboard.press(",");
  await until(async () => (await time()) === first, "and back");
  assert.deepEqual(complaints, []);
  await page.context().close();
  await server.stop();
});

test("the page of a recording has the peak of the summary", async () => {
  const server = await view(dir);
  const peak = JSON.parse(readFileSync(`${dir}/summary.json`, "utf8")).max_force_n;
  for (const where of [address, server.address]) {
    const { page } = await open(browser, where);
    await page.keyboard.press("Space");
    await page.keyboard.press("Home");
    const chip = page.locator("#plot-largest-force .legend .value");
    await chip.scrollIntoViewIfNeeded();
    let greatest = 0;
    for (let i = 0; i < 400 && greatest < 0.99 * peak; i++) {
      await page.keyboard.press(".");
      greatest = Math.max(greatest, Number.parseFloat(await chip.innerText()) || 0);
    }
    assert.ok(Math.abs(greatest - peak) < 0.01 * peak, `${greatest} N of ${peak} N at ${where}`);
    await page.context().close();
  }
  await server.stop();
});

test("zooming one panel leaves the other alone, and a contact can be visited", async () => {
  const { page, complaints } = await open(browser, address);
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  const panels = page.locator("#plot-normal-force .panel");
  await panels.first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  const picture = (i) => panels.nth(i).locator("canvas").evaluate((canvas) => canvas.toDataURL());
  const before = [await picture(0), await picture(1)];
  const box = await panels.nth(0).locator(".u-over").boundingBox();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(300);
  assert.notEqual(await picture(0), before[0], "the first is zoomed");
  assert.equal(await picture(1), before[1], "the second is not");

  const scene = await canvasBytes(page);
  await page.locator("#contacts .go").first().click();
  await page.waitForTimeout(300);
  assert.notDeepEqual(scene, await canvasBytes(page), "the camera went there");
  for (const layer of ["Overlap", "Pressure", "See through"]) {
    const pressed = await page.getByRole("button", { name: layer, exact: true }).getAttribute("aria-pressed");
    assert.equal(pressed, "true", `${layer} is on`);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("prints every plot and a picture of the scene", async () => {
  const { page, complaints } = await open(browser, address, { colorScheme: "dark" });
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  await page.waitForTimeout(300);
  const plots = await page.locator(".plot").count();
  const pdf = await page.pdf({ path: `${dir}/report.pdf`, format: "A4" });
  const text = pdf.toString("latin1");
  const count = (pattern) => [...text.matchAll(pattern)].length;
  const pages = count(/\/Type\s*\/Page\b/g);
  // The scene is a picture; panels are printed as drawings, and looked at below.
  const pictures = count(/\/Subtype\s*\/Image\b/g);
  console.log(`${plots} plots and the scene: ${pages} pages, ${pictures} pictures, ${Math.round(pdf.length / 1000)} kB`);
  assert.ok(pages >= Math.ceil(plots / 4) && pages <= plots, `${pages} pages for ${plots} plots`);
  assert.ok(pictures >= 1, "no picture of the scene");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "back to what it was");

  // What was printed: all plots drawn, the scene not blank.
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForTimeout(200);
  for (const canvas of await page.locator(".plot canvas").all()) {
    assert.ok((await inkOf(canvas)) > 20, "a plot has a line");
  }
  const shades = await page.locator(".printed-scene").evaluate(async (image) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [200, 124];
    const paint = canvas.getContext("2d");
    paint.drawImage(image, 0, 0, 200, 124);
    const pixels = new Uint32Array(paint.getImageData(0, 0, 200, 124).data.buffer);
    return new Set(pixels).size;
  });
  assert.ok(shades > 100, `the scene has ${shades} colours`);
  assert.equal(await page.locator("header").evaluate((header) => getComputedStyle(header).position), "static");
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("works by keyboard alone", async () => {
  const { page, complaints } = await open(browser, address);
  await page.keyboard.press("Space");
  await page.keyboard.press("Home");
  assert.equal(await clock(page), 0);
  // A report has frames at the ends of steps too, so their times are not round.
  for (let i = 0; i < 40; i++) await page.keyboard.press(".");
  const there = await clock(page);
  assert.ok(there > 0);
  await page.keyboard.press(".");
  await page.keyboard.press(",");
  assert.equal(await clock(page), there);
  await page.keyboard.press("End");
  assert.equal(await clock(page), 4);
  const plain = await canvasBytes(page);
  for (const key of ["e", "f", "p", "o", "x"]) {
    const before = await canvasBytes(page);
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
    assert.notDeepEqual(before, await canvasBytes(page), `key ${key} shows`);
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
  }
  assert.deepEqual(plain, await canvasBytes(page), "and takes it back");
  await page.keyboard.press("1");
  await page.waitForTimeout(150);
  assert.notDeepEqual(plain, await canvasBytes(page));
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  // Everything that acts can be reached with Tab, and shows where it is.
  const reached = new Set();
  await page.evaluate(() => document.body.focus());
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent));
  }
  for (const name of ["Forces", "Play (Space)", "Time", "Speed", "Help", "Copy"]) {
    assert.ok(reached.has(name), `Tab reaches ${name}: ${[...reached].join(", ")}`);
  }
  const canvas = page.locator("canvas[role=application]");
  await canvas.focus();
  const before = await canvasBytes(page);
  await page.keyboard.press("ArrowLeft");
  await page.waitForTimeout(150);
  assert.notDeepEqual(before, await canvasBytes(page), "arrow keys turn the scene");
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("is readable dark and light, and 375 px wide", async () => {
  for (const colorScheme of ["dark", "light"]) {
    const { page, complaints } = await open(browser, address, { colorScheme, viewport: { width: 375, height: 812 } });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 375, `nothing sticks out: ${wide}`);
    const contrast = await page.evaluate(() => {
      const light = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).map((c) => {
          const part = Number(c) / 255;
          return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const card = light(getComputedStyle(document.querySelector(".card")).backgroundColor);
      const text = light(getComputedStyle(document.querySelector(".summary dt")).color);
      return (Math.max(card, text) + 0.05) / (Math.min(card, text) + 0.05);
    });
    assert.ok(contrast >= 4.5, `muted text has a contrast of ${contrast}`);
    await page.keyboard.press("t");
    assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
});

test("damaged data are told", async () => {
  const html = readFileSync(`${dir}/report.html`, "utf8");
  const damages = {
    "frames cut off": html.replace(/(id="volar-frames">.{2000})[^<]*/, "$1"),
    "another format": html.replace(/"format":\d+/, '"format":99'),
    "no frames at all": html.replace(/(id="volar-frames">)[^<]*/, "$1"),
  };
  for (const [damage, text] of Object.entries(damages)) {
    assert.notEqual(text, html);
    writeFileSync(`${dir}/damaged.html`, text);
    const { page } = await open(browser, `file://${dir}/damaged.html`);
    await page.getByText("Nothing to show").waitFor();
    assert.ok((await page.getByRole("alert").innerText()).length > 40, damage);
    await page.context().close();
  }
});

test("without WebGL all but the scene is there", async () => {
  const blind = await launch(["--disable-3d-apis"]);
  const { page } = await open(blind, address);
  await page.getByText("No view in 3-D").waitFor();
  await page.keyboard.press("End");
  assert.equal(await clock(page), 4);
  const plot = page.locator("#plot-normal-force canvas").first();
  await plot.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  assert.ok((await inkOf(plot)) > 60);
  await blind.close();
});
