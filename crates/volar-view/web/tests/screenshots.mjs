// Makes the pictures in `docs`: npm run screenshots

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";
import { record, view } from "./volar.mjs";
import { slider } from "./look.mjs";

const docs = fileURLToPath(new URL("../../../../docs", import.meta.url));
const size = { viewport: { width: 1280, height: 800 } };
const browser = await launch();

const report = await open(browser, record(mkdtempSync(`${tmpdir()}/volar-report-`)), size);
await report.page.keyboard.press("Space");
await slider(report.page, 0.6);
await report.page.waitForTimeout(1000);
await report.page.screenshot({ path: `${docs}/report.png` });
await report.page.context().close();

const server = await view("g3r-bunny");
const viewer = await open(browser, server.address, { ...size, colorScheme: "dark" });
await viewer.page.waitForTimeout(6000);
await viewer.page.keyboard.press("x");
await viewer.page.waitForTimeout(1000);
await viewer.page.screenshot({ path: `${docs}/viewer.png` });
await viewer.page.context().close();
await server.stop();
await browser.close();
