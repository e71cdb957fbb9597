// The viewer: a live run and a recording, from a server on this machine.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { record, SQUEEZE, view } from "./volar.mjs";
import { canvasBytes, clock, until } from "./look.mjs";

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

/** The force that the legend of the plot shows for a finger, N. */
async function force(page, finger) {
  const chip = page.locator("#plot-normal-force .legend li", { hasText: finger });
  return Number.parseFloat(await chip.locator(".value").innerText());
}

test("a live run connects, pauses, steps, and forces follow a parameter", async () => {
  const server = await view(...SQUEEZE);
  const { page, complaints } = await open(browser, server.address);
  await until(async () => (await clock(page)) > 0.2, "time goes on");
  await page.locator("#plot-normal-force").scrollIntoViewIfNeeded();
  await until(async () => Math.abs((await force(page, "finger_1")) - 10) < 0.1, "10 N at first");

  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  await page.waitForTimeout(300);
  const paused = await clock(page);
  await page.waitForTimeout(300);
  assert.equal(await clock(page), paused, "time stands still");
  await page.keyboard.press(".");
  await until(async () => (await clock(page)) > paused, "a step moves it");
  assert.ok((await clock(page)) < paused + 0.05, "but only one");

  for (const joint of ["slide_1", "slide_2"]) {
    const field = page.getByRole("textbox", { name: `Effort of ${joint}, N` });
    await field.fill("20");
    await field.press("Enter");
    await field.blur();
  }
  await page.keyboard.press("Space");
  await until(async () => Math.abs((await force(page, "finger_1")) - 20) < 0.2, "the force follows to 20 N");

  // With a tenth of the friction the cube falls out.
  const friction = page.getByRole("slider", { name: "Friction of all materials" });
  await friction.focus();
  await page.keyboard.press("Home");
  await until(async () => (await force(page, "finger_1")) < 1, "the cube is lost");
  await friction.press("End");
  await friction.blur();
  await page.keyboard.press("r");
  await until(async () => Math.abs((await force(page, "finger_1")) - 20) < 0.2, "held again after a restart");
  assert.deepEqual(complaints, []);
  await page.context().close();
  assert.equal(await server.stop(), 0, "the server ends cleanly");
});

test("a body is pulled with the mouse, and mass and materials change the verdict", async () => {
  const server = await view(...SQUEEZE);
  const { page, complaints } = await open(browser, server.address);
  await page.getByText("Held so far").waitFor();
  assert.match(await page.locator("#summary").innerText(), /Mean normal force|Largest normal force/);
  const canvas = page.locator("canvas[role=application]");
  const box = await canvas.boundingBox();
  // From the side, so that the cube is in the middle and not a pad.
  await page.keyboard.press("2");
  await page.waitForTimeout(200);
  await page.keyboard.down("Control");
  await page.mouse.move(box.x + box.width / 2, box.y + 0.6 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 40, box.y + 0.6 * box.height - 60, { steps: 5 });
  const tag = page.locator(".force-label");
  await tag.waitFor();
  await until(async () => Number.parseFloat(await tag.innerText()) > 0.2, "the spring shows its force");
  await page.mouse.up();
  await page.keyboard.up("Control");
  await until(async () => !(await tag.isVisible()), "and is gone when let go");

  const mass = page.getByRole("textbox", { name: "Mass of cube, kg" });
  const time = await clock(page);
  await mass.fill("0.3");
  await mass.press("Enter");
  await mass.blur();
  await until(async () => (await clock(page)) > time + 0.1, "the run goes on with another mass");
  assert.equal(await mass.inputValue(), "0.3");
  await page.getByRole("button", { name: "Reset" }).click();
  await until(async () => (await mass.inputValue()) === "0.5", "as the scene has it again");

  for (const friction of await page.getByRole("textbox", { name: /^Friction of (?!all)/ }).all()) {
    await friction.fill("0.1");
    await friction.press("Enter");
    await friction.blur();
  }
  await page.getByText("Not held so far").waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
  await server.stop();
});

test("a reload keeps the history, peaks included", async () => {
  const server = await view(...SQUEEZE);
  const { page, complaints } = await open(browser, server.address);
  await until(async () => (await clock(page)) > 0.5, "some history");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  await page.reload();
  await page.locator("main").waitFor();
  await page.waitForTimeout(500);
  assert.ok((await clock(page)) > 0.5, "it is where it was");
  await page.keyboard.press("Home");
  await page.waitForTimeout(200);
  assert.equal(await clock(page), 0, "and its start is there");
  assert.deepEqual(complaints, []);
  await page.context().close();
  await server.stop();
});

test("two viewers see the same, and one that is cut off comes back", async () => {
  const server = await view(...SQUEEZE);
  const one = await open(browser, server.address);
  const two = await open(browser, server.address);
  await two.page.keyboard.press("Space");
  for (const { page } of [one, two]) await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  const gravity = (page) => page.getByRole("textbox", { name: "Gravity, m/s²" });
  await gravity(one.page).fill("5");
  await gravity(one.page).press("Enter");
  await until(async () => (await gravity(two.page).inputValue()) === "5", "the other sees the change");
  await gravity(one.page).fill("ten");
  await gravity(one.page).press("Enter");
  await gravity(one.page).blur();
  await one.page.waitForTimeout(200);
  assert.equal(await gravity(two.page).inputValue(), "5", "nonsense is not sent");

  // A message that is too long ends a connection; the page makes a new one.
  const before = await clock(one.page);
  await one.page.evaluate(() => {
    const real = WebSocket.prototype.send;
    WebSocket.prototype.send = function () {
      WebSocket.prototype.send = real;
      real.call(this, "x".repeat(100_000));
    };
    // Any message will do.
    document.querySelector("select").dispatchEvent(new Event("change"));
  });
  await one.page.locator("body[data-connection=lost]").waitFor();
  await one.page.locator("body[data-connection=open]").waitFor();
  await one.page.keyboard.press("Space");
  await until(async () => (await clock(one.page)) > before + 0.1, "time goes on after the gap");
  await until(async () => (await clock(two.page)) > before + 0.1, "for the other too");
  assert.deepEqual(two.complaints, []);
  assert.deepEqual(one.complaints, []);
  for (const { page } of [one, two]) await page.context().close();
  await server.stop();
});

test("the past of a live run can be looked at", async () => {
  const server = await view(...SQUEEZE);
  const { page } = await open(browser, server.address);
  await until(async () => (await clock(page)) > 0.3, "some past");
  await page.keyboard.press("Home");
  await page.waitForTimeout(200);
  assert.ok((await clock(page)) < 0.1, "at the start");
  await page.keyboard.press("End");
  await page.waitForTimeout(200);
  assert.ok((await clock(page)) > 0.3, "at the front again");
  await page.context().close();
  await server.stop();
});

test("pages from elsewhere get nothing", async () => {
  const server = await view(...SQUEEZE);
  const page = await (await browser.newContext()).newPage();
  await page.goto("about:blank");
  const refused = await page.evaluate(async (address) => {
    const socket = new WebSocket(`${address.replace("http", "ws")}socket`);
    const opened = await new Promise((resolve) => {
      socket.onopen = () => resolve(true);
      socket.onerror = () => resolve(false);
    });
    const read = await fetch(`${address}meta`).then(
      (response) => response.ok,
      () => false,
    );
    return { opened, read };
  }, server.address);
  assert.deepEqual(refused, { opened: false, read: false });
  const plain = await fetch(new URL("/", server.address));
  assert.equal(plain.status, 403);
  assert.match(await plain.text(), /has no valid token/);
  await page.context().close();
  await server.stop();
});

test("a recording is replayed, with patches from the server", async () => {
  const dir = mkdtempSync(`${tmpdir()}/volar-recording-`);
  record(dir);
  const server = await view(dir);
  const { page, complaints } = await open(browser, server.address);
  await page.getByText("Held", { exact: true }).waitFor();
  await page.keyboard.press("End");
  await page.locator(".pressure-scale").waitFor();
  assert.match(await page.locator(".pressure-scale").innerText(), /kPa/);
  const before = await canvasBytes(page);
  await page.keyboard.press("o");
  await page.waitForTimeout(500);
  assert.notDeepEqual(before, await canvasBytes(page), "the overlap shows");
  assert.deepEqual(complaints, []);
  await page.context().close();
  await server.stop();
});

test("a taken port is told", async () => {
  const server = await view(...SQUEEZE);
  const { port } = new URL(server.address);
  await assert.rejects(view(...SQUEEZE, "--port", port), /ended with 2/);
  await server.stop();
});

test("a hand of 24 joints and the bunny are drawn without effort", async () => {
  const server = await view("shadow-bunny");
  const { page, complaints } = await open(browser, server.address);
  await until(async () => (await clock(page)) > 1, "it runs");
  // What the page's own program takes for a picture; the rest is the graphics card's, and there
  // is none here. The least: every picture is as much work, and what some take longer is the
  // simulation's and the drawing's in software, which have both cores of a small machine (medians
  // of one run after the other there: 6.6, 12 and 15 ms; the least: 1.6 to 2.7 ms).
  const { rate, least, median } = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas[role=application]");
    const real = window.requestAnimationFrame;
    const taken = [];
    window.requestAnimationFrame = (act) =>
      real((now) => {
        const drawn = canvas.dataset.drawn;
        const start = performance.now();
        act(now);
        if (canvas.dataset.drawn !== drawn) taken.push(performance.now() - start);
      });
    const start = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5000));
    window.requestAnimationFrame = real;
    taken.sort((a, b) => a - b);
    const seconds = (performance.now() - start) / 1000;
    const rate = taken.length / seconds;
    return { rate, least: taken[0], median: taken[taken.length >> 1] };
  });
  const took = `${least.toFixed(2)} ms of script for each (median ${median.toFixed(2)})`;
  console.log(`${rate.toFixed(0)} pictures per second in software, ${took}`);
  assert.ok(least < 6, `${least} ms of script per picture leave too little of the 16.7 ms`);
  assert.deepEqual(complaints, []);
  await page.context().close();
  await server.stop();
});
