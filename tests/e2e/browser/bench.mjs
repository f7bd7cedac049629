// What every test in the browser needs: a page that is watched, waiting, counting.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Client } from "../../../clients/js/index.js";
import { ROOT } from "./server_process.mjs";

const require = createRequire(path.join(ROOT, "clients/web/package.json"));
const { chromium } = require("playwright-core");
const WebSocket = require("ws");

const FLAGS =
  "--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");
export const GRAPHICS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const VIEW = { width: 1000, height: 620 };
/** Part of the picture that no control lies on. */
const SKY = { x: 40, y: 90, width: 560, height: 440 };
export const ARTIFACTS = path.join(ROOT, "tests/artifacts");
mkdirSync(ARTIFACTS, { recursive: true });

export const count = { passed: 0, failed: 0 };
/** Pages that are open, and what their scripts complained about. */
export const pages = [];
export const problems = [];

export async function test(name, body) {
  const start = performance.now();
  try {
    await body();
    count.passed++;
    console.log(`ok   ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    count.failed++;
    console.log(`FAIL ${name}: ${error?.stack ?? error}`);
    for (const [i, page] of pages.entries()) await page.screenshot({ path: path.join(ARTIFACTS, `failed_${count.failed}_${i}.png`), timeout: 5000 }).catch(() => {});
  }
}

/** The last line, and the status that the process ends with. */
export function finish() {
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exit(count.failed === 0 ? 0 : 1);
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until probe gives something true, and gives it back. How long says nothing about the viewer: a
 * first picture without a graphics card, on two cores that others use too, has taken more than 10 s. */
export async function until(what, probe, timeoutMs = 60000) {
  const end = performance.now() + timeoutMs;
  do {
    const value = await probe();
    if (value) return value;
    await sleep(40);
  } while (performance.now() < end);
  throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
}

/** A client of the server at url (http), that does not decode. */
export const connect = async (url) => {
  const client = new Client(`${url.replace(/^http/, "ws").replace(/\/$/, "")}/ws`, { WebSocket, decode: false });
  await client.connect();
  return client;
};

export const launch = (extra) => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...extra] });

export async function openPage(browser, url, viewport = VIEW) {
  const page = await browser.newPage({ viewport });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && /Content.Security|Refused to/i.test(message.text()) && problems.push(message.text()));
  page.setDefaultTimeout(60000);
  pages.push(page);
  // A fixed quality: pictures that are compared must have one resolution.
  const link = new URL(url);
  link.searchParams.set("quality", "low");
  await page.goto(link.href);
  return page;
}

export const state = (page) => page.evaluate(() => window.clothd.state());
export const ready = (page) => until("the page shows a cloth", async () => (await state(page)).cloths[0]?.first.length === 9);

/** The picture alone: a toast about skipped frames comes and goes when a busy machine wants it. */
export async function pixels(page, clip = SKY) {
  const show = (how) => page.evaluate((value) => ["toasts", "banner"].forEach((id) => (document.getElementById(id).style.visibility = value)), how);
  await show("hidden");
  const picture = await page.screenshot({ clip });
  await show("");
  return picture;
}

/** Brings the page's world to rest and waits until page and picture follow. */
export async function pause(client, page) {
  await client.request("world.pause");
  await settled(client, page);
}

export async function settled(client, ...all) {
  const { tick } = await client.request("world.describe");
  for (const page of all) {
    await until("the page reaches the paused tick", async () => (await state(page)).tick === tick);
    await until("the picture rests", async () => {
      const before = await state(page);
      await sleep(120);
      const after = await state(page);
      return before.resting && after.resting && after.drawn === before.drawn;
    });
  }
}
