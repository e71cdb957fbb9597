// A real browser for the tests and the screenshots.

import { chromium } from "playwright-core";

/** Debian's Chromium, or what CHROMIUM names. WebGL is done in software. */
export function launch(more = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

/** Opens a page and collects everything it complains about. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  // Software rendering on a machine with other work can take a minute for the first picture.
  page.setDefaultTimeout(120_000);
  const complaints = [];
  page.on("console", (message) => {
    // Software rendering is slow, and Chromium says so.
    const slow = /GPU stall due to ReadPixels/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !slow) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.locator("main").waitFor();
  return { page, complaints };
}
