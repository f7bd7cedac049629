// The viewer in a real Chromium against a real server: what a person sees and does.
//
//   node tests/e2e/browser/test_viewer.mjs
//
// CLOTHD_BIN names the server (build/release/clothd), CHROMIUM the browser
// (/usr/bin/chromium). CLOTHD_URL uses a server that already runs instead; the tests
// that stop a server or need another one are then left out. Pictures: tests/artifacts/.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ARTIFACTS, connect, finish, GRAPHICS, launch, openPage, pages, pause, pixels, problems, ready, settled, sleep, state, test, until } from "./bench.mjs";
import { ServerProcess } from "./server_process.mjs";

const mean = (values, axis) => values.reduce((sum, v, i) => (i % 3 === axis ? sum + v : sum), 0) / (values.length / 3);

const server = process.env.CLOTHD_URL ? null : new ServerProcess(["--scene", "drape"]);
if (server) await server.start();
const url = server?.url ?? process.env.CLOTHD_URL;
const client = await connect(url);
const events = [];
client.on("event", (event) => events.push(event));
await client.request("world.load", { scene: "drape" });
await client.subscribe({ world: "main" });
const browser = await launch(GRAPHICS);
let page;

await test("the cloth moves while the world runs: decoded vertices and pixels", async () => {
  page = await openPage(browser, url);
  await ready(page);
  await client.request("world.reset");
  await client.request("world.resume");
  await until("the page sees the new run", async () => (await state(page)).running);
  const before = { state: await state(page), pixels: await pixels(page) };
  await until("vertices change", async () => (await state(page)).cloths[0].hash !== before.state.cloths[0].hash);
  await until("pixels change", async () => !(await pixels(page)).equals(before.pixels));
  assert.ok((await state(page)).tick > 0);
});

await test("nothing moves while it is paused by the button", async () => {
  await page.click("#play");
  await until("the page says paused", async () => !(await state(page)).running);
  await settled(client, page);
  const before = { state: await state(page), pixels: await pixels(page) };
  await sleep(500);
  const after = { state: await state(page), pixels: await pixels(page) };
  assert.equal(after.state.cloths[0].hash, before.state.cloths[0].hash);
  assert.equal(after.state.tick, before.state.tick);
  assert.ok(after.pixels.equals(before.pixels), "pixels changed in a paused world");
});

await test("step advances one tick and reset returns to the start", async () => {
  const before = await state(page);
  await page.click("#step");
  await until("one tick more", async () => (await state(page)).tick === before.tick + 1);
  assert.notEqual((await state(page)).cloths[0].hash, before.cloths[0].hash);
  await page.click("#reset");
  await until("tick 0", async () => (await state(page)).tick === 0);
});

await test("Space plays and pauses whatever was clicked last, Enter presses the focused button, R resets", async () => {
  const running = (value) => until(`running is ${value}`, async () => (await state(page)).running === value);
  await page.click("#reset");
  await page.keyboard.press("Space");
  await running(true);
  await until("the cloth falls", async () => (await state(page)).tick > 5);
  for (const [clicked, value] of [["#wireframe", false], ["#method-xpbd", true], ["#section-world > summary", false]]) {
    await page.click(clicked);
    await page.keyboard.press("Space");
    await running(value);
  }
  // Each was clicked once; once more brings it back.
  await page.click("#wireframe");
  await page.click("#section-world > summary");
  const { tick } = await state(page);
  assert.ok(tick > 5, "Space pressed Reset again");
  // Reached with the keyboard: Space is still the clock's, Enter is the button's.
  await page.locator("#reset").focus();
  await page.keyboard.press("Space");
  await running(true);
  await page.keyboard.press("Space");
  await running(false);
  await page.keyboard.press("Enter");
  await until("Enter pressed Reset", async () => (await state(page)).tick === 0);
  // Where it writes, Space is a letter.
  await page.locator("#world-set-damping-value").focus();
  await page.keyboard.press("Space");
  await page.locator("#step").focus();
  await page.keyboard.press("Enter");
  await until("one tick", async () => (await state(page)).tick === 1);
  await page.keyboard.press("r");
  await until("R pressed Reset", async () => (await state(page)).tick === 0);
});

await test("the mouse drags the sphere into the cloth on the server", async () => {
  await client.request("world.step", { ticks: 150 });
  await client.request("world.resume");
  await until("the page runs", async () => (await state(page)).running);
  const before = (await client.request("world.describe")).colliders.find((c) => c.collider === "ball").position;
  const cloth = (await client.request("cloth.positions", { cloth: (await state(page)).cloths[0].name })).values;
  const ball = (await state(page)).colliders.find((c) => c.name === "ball").screen;
  await page.mouse.move(ball.x, ball.y);
  await page.mouse.down();
  await page.mouse.move(ball.x + 110, ball.y - 60, { steps: 12 });
  await page.screenshot({ path: path.join(ARTIFACTS, "viewer_drag.png") });
  await page.mouse.up();
  const after = await until("the server's ball moved", async () => {
    const position = (await client.request("world.describe")).colliders.find((c) => c.collider === "ball").position;
    return Math.hypot(...position.map((x, i) => x - before[i])) > 0.15 && position;
  });
  // The sheet hangs over the ball: it is carried up with it.
  assert.ok(after[1] > before[1] + 0.05, `ball rose from ${before[1]} to ${after[1]}`);
  const name = (await state(page)).cloths[0].name;
  await until("the cloth went up with it", async () => mean((await client.request("cloth.positions", { cloth: name })).values, 1) > mean(cloth, 1) + 0.02);
  await until("the page's ball is where the server's is", async () => {
    const shown = (await state(page)).colliders.find((c) => c.name === "ball").position;
    return Math.hypot(...shown.map((x, i) => x - after[i])) < 1e-3;
  });
});

await test("a slider moved by mouse and by keyboard changes the world for everyone", async () => {
  const slider = page.locator("#world-set-gravity");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width * 0.43, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  // The slider spans −25 to 10: at 60 % it stands near −4.
  const gravity = await until("gravity changed on the server", async () => {
    const [, y] = (await client.request("world.describe")).settings.gravity;
    return Math.abs(y - -4) < 1 && y;
  });
  await until("the second client was told", () => events.some((e) => e.method === "world.set" && Math.abs(e.params.gravity?.[1] - gravity) < 1e-3));
  await page.locator("#world-set-solver-substeps").focus();
  const { substeps } = (await client.request("world.describe")).solver;
  await page.keyboard.press("ArrowRight");
  await until("substeps + 1 on the server", async () => (await client.request("world.describe")).solver.substeps === substeps + 1);
});

await test("every slider says its unit or what it counts, nothing sticks out, the mouse is explained", async () => {
  for (const method of ["pbd", "jacobi", "xpbd"]) {
    await page.click(`#method-${method}`);
    await until(`the panel of ${method}`, async () => (await state(page)).solver.method === method);
    // One pass suits XPBD; jacobi needs many, and leaves no trace when it is left.
    const passes = (await client.request("world.describe")).solver.iterations;
    assert.equal(passes, method === "jacobi" ? 32 : 1, `iterations with ${method}`);
    const sliders = await page.evaluate(() =>
      [...document.querySelectorAll(".slider")].filter((e) => e.offsetParent).map((e) => ({ label: e.querySelector("label").textContent, unit: e.querySelector(".unit").textContent })),
    );
    assert.ok(sliders.length >= 5, `only ${sliders.length} sliders with ${method}`);
    for (const { label, unit } of sliders) assert.notEqual(unit, "", `${label} has no unit`);
  }
  const wide = await page.evaluate(() => [...document.querySelectorAll("#panel, #panel .section, #panel .row")].filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth).map((e) => e.id || e.className));
  assert.deepEqual(wide, []);
  assert.match(await page.locator("#hint:visible").innerText(), /orbit.*collider/);
});

await test("sliders follow what another client sets", async () => {
  await client.request("world.set", { damping: 0.25, gravity: [0, -9.8, 0], solver: { substeps: 10 } });
  await until("the field shows it", async () => (await page.inputValue("#world-set-damping-value")) === "0.25");
  await client.request("world.set", { solver: { method: "pbd" } });
  await until("pbd's sliders appear", () => page.isVisible("#cloth-set-stretch_stiffness"));
  assert.equal(await page.isVisible("#cloth-set-stretch_compliance"), false);
  await client.request("world.set", { damping: 0.02, solver: { method: "xpbd" } });
  await client.request("world.set", { damping: 0.0312345 });
  await until("three digits are enough to read", async () => (await page.inputValue("#world-set-damping-value")) === "0.0312");
  await page.locator("#world-set-damping-value").focus();
  assert.equal(await page.inputValue("#world-set-damping-value"), "0.0312345");
  await client.request("world.set", { damping: 0.02 });
  await until("a field that is not typed in follows too", async () => (await page.inputValue("#world-set-damping-value")) === "0.02");
  await page.locator("#world-set-damping-value").blur();
});

await test("a refused command shows the server's sentence", async () => {
  const cloth = (await state(page)).cloths[0].name;
  const sentence = await client.request("cloth.pin", { cloth, vertices: [999999] }).then(
    () => assert.fail("the server accepted vertex 999999"),
    (error) => error.message,
  );
  await page.fill("#pin-vertex", "999999");
  await page.click("#pin-set");
  await until("the toast says it", async () => (await page.locator(".toast p").allInnerTexts()).includes(sentence));
  await page.fill("#world-set-solver-iterations-value", "100000");
  await page.keyboard.press("Enter");
  const typed = page.locator(".toast.bad", { hasText: "Iterations must be between 1 and 200, not 100000." });
  await until("the typed value is refused likewise", async () => (await typed.count()) === 1);
  assert.equal(await page.inputValue("#world-set-solver-iterations-value"), "1");
  await until("the toasts have come in", () => page.evaluate(() => [...document.querySelectorAll(".toast")].every((toast) => toast.getAnimations().length === 0)));
  await page.screenshot({ path: path.join(ARTIFACTS, "viewer_refused.png") });
});

await test("two pages see the same cloth, and a pin of a second client within two ticks", async () => {
  const other = await openPage(browser, url);
  await ready(other);
  await pause(client, page);
  await settled(client, other);
  const [a, b] = [await state(page), await state(other)];
  assert.equal(a.tick, b.tick);
  assert.equal(a.cloths[0].hash, b.cloths[0].hash);
  // The highest vertex can be seen from above: the marker must appear in its place.
  const positions = await page.evaluate(() => window.clothd.positions(window.clothd.state().cloths[0].name));
  const heights = positions.filter((_, i) => i % 3 === 1);
  const vertex = heights.indexOf(Math.max(...heights));
  const at = await page.evaluate((v) => window.clothd.vertexOnScreen(window.clothd.state().cloths[0].name, v), vertex);
  const clip = { x: Math.round(at.x) - 12, y: Math.round(at.y) - 12, width: 24, height: 24 };
  const bare = await pixels(page, clip);
  await client.request("world.resume");
  const { tick } = await client.request("cloth.pin", { cloth: a.cloths[0].name, vertices: [vertex] });
  for (const shown of [page, other]) {
    const pins = await until("the pin shows", async () => {
      const [cloth] = (await state(shown)).cloths;
      return cloth.pins.includes(vertex) && cloth;
    });
    assert.ok(pins.pinsTick <= tick + 2, `pin of tick ${tick} showed at ${pins.pinsTick}`);
  }
  await pause(client, page);
  assert.ok(!(await pixels(page, clip)).equals(bare), "no marker at the pinned vertex");
  await other.close();
  pages.splice(pages.indexOf(other), 1);
});

await test("Shift-click frees the pin again", async () => {
  const { name, pins } = (await state(page)).cloths[0];
  const at = await page.evaluate(([cloth, v]) => window.clothd.vertexOnScreen(cloth, v), [name, pins[0]]);
  await page.keyboard.down("Shift");
  await page.mouse.move(at.x, at.y);
  await page.mouse.click(at.x, at.y);
  await page.keyboard.up("Shift");
  await until("the pins changed", async () => JSON.stringify((await state(page)).cloths[0].pins) !== JSON.stringify(pins));
});

await test("the mouse drags a pinned vertex", async () => {
  // What is being typed belongs to the old scene.
  await page.fill("#world-set-drag-value", "3.75");
  await client.request("world.load", { scene: "curtain" });
  await until("the curtain is shown", async () => (await state(page)).scene === "curtain" && (await state(page)).cloths[0].pins.length > 0);
  await ready(page);
  const { drag } = (await client.request("world.describe")).settings;
  await until("the fields are the new scene's", async () => (await page.inputValue("#world-set-drag-value")) === String(drag) && (await page.inputValue("#pin-vertex")) === "0");
  await until("the scene is described", async () => /\w/.test(await page.innerText("#scene-about")));
  await client.request("world.step", { ticks: 30 });
  await settled(client, page);
  const { name, pins } = (await state(page)).cloths[0];
  const vertex = pins[0];
  const read = async () => (await client.request("cloth.positions", { cloth: name, vertices: [vertex] })).values;
  const before = await read();
  const at = await page.evaluate(([cloth, v]) => window.clothd.vertexOnScreen(cloth, v), [name, vertex]);
  await client.request("world.resume");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y + 60, { steps: 8 });
  await page.mouse.up();
  await until("the pin moved on the server", async () => {
    const now = await read();
    return Math.hypot(...now.map((x, i) => x - before[i])) > 0.05;
  });
});

await test("a scene chosen in the list is loaded, wireframe and camera reset work", async () => {
  await page.selectOption("#scene", "sheet128");
  await until("128 × 128 vertices", async () => (await state(page)).cloths[0]?.vertexCount === 16384 && (await state(page)).cloths[0].first.length === 9);
  await pause(client, page);
  const solid = await pixels(page);
  await page.click("#wireframe");
  await until("lines instead of a surface", async () => !(await pixels(page)).equals(solid));
  await page.click("#wireframe");
  await until("the surface again", async () => (await pixels(page)).equals(solid));
  const home = (await state(page)).camera;
  await page.mouse.move(300, 500);
  await page.mouse.down();
  await page.mouse.move(380, 520, { steps: 4 });
  await page.mouse.up();
  const distance = async () => {
    const { camera } = await state(page);
    return Math.hypot(...camera.eye.map((x, i) => x - home.eye[i])) + Math.hypot(...camera.target.map((x, i) => x - home.target[i]));
  };
  await until("dragging the background orbits", async () => (await distance()) > 0.05);
  assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById("view")).boxShadow), "none", "a frame around the picture after a press");
  await page.click("#camera-reset");
  await until("the first view again", async () => (await distance()) < 1e-4);
});

await test("?world= shows and commands another world, and an unknown one gives the server's sentence", async () => {
  await client.request("world.create", { world: "lab", scene: "games103", paused: true });
  const lab = await openPage(browser, `${url}?world=lab`);
  await ready(lab);
  assert.equal((await state(lab)).cloths[0].vertexCount, 441);
  await lab.click("#step");
  await until("lab went one tick on", async () => (await client.request("world.describe", { world: "lab" })).tick === 1);
  const banner = () => lab.locator("#banner:visible").innerText({ timeout: 500 }).catch(() => "");
  await client.request("world.destroy", { world: "lab" });
  await until("the page says that its world is gone", async () => /“lab” was removed/.test(await banner()));
  assert.equal((await state(lab)).cloths.length, 0);
  await client.request("world.create", { world: "lab", scene: "games103", paused: true });
  await until("the page has its world again", async () => (await state(lab)).cloths[0]?.first.length === 9);
  await lab.goto(`${url}?world=nowhere`);
  await until("the sentence names the world", async () => /nowhere/.test(await banner()));
  const open = await lab.evaluate(() => ({
    enabled: [...document.querySelectorAll("#scene, #play, #step, #reset, #settings input, #settings select, #objects input, #objects button")].filter((e) => !e.disabled && e.offsetParent).map((e) => e.id),
    values: [...new Set([...document.querySelectorAll("#settings input.value")].map((e) => e.value))],
    chosen: document.querySelectorAll("#settings input:checked").length,
  }));
  assert.deepEqual(open, { enabled: [], values: ["–"], chosen: 0 }, "nothing can be set in a world that is not there");
  await lab.screenshot({ path: path.join(ARTIFACTS, "viewer_nowhere.png") });
  await lab.goto(`${url}?world=no%20name`);
  await until("the sentence says what a name is", async () => /"no name"; allowed are/.test(await banner()));
  await lab.close();
  pages.splice(pages.indexOf(lab), 1);
  await client.request("world.destroy", { world: "lab" });
});

if (server) {
  await test("the page says that the server is gone and comes back by itself", async () => {
    await server.kill();
    await until("the banner", async () => /lost/.test(await page.locator("#banner:visible").innerText({ timeout: 500 }).catch(() => "")));
    await page.screenshot({ path: path.join(ARTIFACTS, "viewer_lost.png") });
    assert.ok(await page.isDisabled("#play"));
    await server.start();
    await until("the connection is back", async () => (await state(page)).connection === "open");
    await until("it says so", async () => /again/.test(await page.locator("#banner").innerText()));
    await ready(page);
    const { tick } = await state(page);
    await until("the cloth moves again", async () => (await state(page)).tick > tick);
    await page.click("#play");
    await until("it rests", async () => !(await state(page)).running);
    assert.equal((await state(page)).scene, "drape");
  });

  await test("a link for watching shows the cloth, disables the controls and says why", async () => {
    const tokens = path.join(os.tmpdir(), `clothd-tokens-${process.pid}`);
    writeFileSync(tokens, "view just-looking\n", { mode: 0o600 });
    const guarded = new ServerProcess(["--scene", "curtain", "--token-file", tokens]);
    await guarded.start();
    try {
      const watcher = await openPage(browser, `${guarded.url}#token=just-looking`);
      await ready(watcher);
      assert.equal((await state(watcher)).role, "view");
      assert.ok(await watcher.isDisabled("#play"));
      assert.ok(await watcher.isDisabled("#world-set-damping"));
      assert.match(await watcher.locator("#read-only").innerText(), /watching only/);
      await watcher.close();
      const stranger = await openPage(browser, guarded.url);
      await until("the page asks for the token", async () => /token/.test(await stranger.locator("#banner:visible").innerText({ timeout: 500 }).catch(() => "")));
      await stranger.close();
      pages.splice(1);
    } finally {
      await guarded.kill();
      rmSync(tokens);
    }
  });
}

await test("the page is usable on a phone's screen", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  await until("the picture fits", () => page.evaluate(() => document.getElementById("view").clientWidth === 390));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), "the page is wider than the screen");
  assert.ok(await page.isVisible("#play"));
  // As a phone would open it: the camera stands where all can be seen.
  await page.reload();
  await ready(page);
  await client.request("world.pause");
  await settled(client, page);
  assert.equal(await page.isVisible("#panel"), false);
  await page.screenshot({ path: path.join(ARTIFACTS, "viewer_phone.png") });
});

await test("no script error and nothing against the content security policy", async () => {
  assert.deepEqual(problems, []);
});
await browser.close();

await test("without WebGL the page says so in a sentence", async () => {
  const plain = await launch(["--disable-gpu", "--disable-webgl", "--disable-webgl2", "--disable-3d-apis"]);
  try {
    const blind = await openPage(plain, url);
    await until("the sentence", async () => /WebGL is missing/.test(await blind.locator("#no-webgl").innerText({ timeout: 500 }).catch(() => "")));
    await blind.screenshot({ path: path.join(ARTIFACTS, "viewer_no_webgl.png") });
  } finally {
    await plain.close();
  }
});

client.close();
await server?.kill();
finish();
