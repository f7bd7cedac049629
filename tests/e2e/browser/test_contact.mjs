// The viewer where things touch: the cloth in the hand, bodies that move by themselves,
// mesh colliders, what sleeps. In a real Chromium against a real server.
//
//   node tests/e2e/browser/test_contact.mjs
//
// CLOTHD_BIN and CHROMIUM as for test_viewer.mjs. Pictures: tests/artifacts/.
import assert from "node:assert/strict";
import path from "node:path";
import { ARTIFACTS, connect, finish, GRAPHICS, launch, openPage, pixels, pause, problems, ready, settled, state, test, until } from "./bench.mjs";
import { ServerProcess } from "./server_process.mjs";

const server = new ServerProcess(["--scene", "drape", "--paused"]);
await server.start();
const client = await connect(server.url);
const events = [];
client.on("event", (event) => events.push(event));
await client.subscribe({ world: "main" });
const browser = await launch(GRAPHICS);
const page = await openPage(browser, server.url);
await ready(page);

/** Loads a scene given as its members, and waits until the page shows it paused. */
async function load(spec) {
  await client.request("world.pause");
  await client.request("world.load", { spec });
  const names = [...(spec.cloths ?? []).map((c) => c.cloth)].join();
  await until("the page shows the scene", async () => {
    const { cloths } = await state(page);
    return cloths.map((c) => c.name).join() === names && cloths.every((c) => c.first.length > 0);
  });
  await settled(client, page);
}
const describe = async (name) => (await client.request("world.describe")).colliders.find((c) => c.collider === name);
const onScreen = (cloth, vertex) => page.evaluate(([c, v]) => window.clothd.vertexOnScreen(c, v), [cloth, vertex]);
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

await test("a press on the cloth takes the vertex there, the mouse pulls it, the release lets it go", async () => {
  await load({
    view: { position: [0, 1, 3], target: [0, 1, 0] },
    cloths: [{ cloth: "flag", grid: { nx: 21, ny: 21, size: [1.2, 1.2] }, position: [0, 1, 0], rotation: [0.7071067812, 0, 0, 0.7071067812], pins: [{ from: 0, to: 20 }] }],
  });
  await client.request("world.resume");
  await until("the page runs", async () => (await state(page)).running);
  const vertex = 14 * 21 + 10;
  const read = async () => (await client.request("cloth.positions", { cloth: "flag", vertices: [vertex] })).values;
  const before = await read();
  const at = await onScreen("flag", vertex);
  const eye = (await state(page)).camera.eye;
  events.length = 0;
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  const grabbed = await until("the server knows the grab", () => events.find((e) => e.method === "cloth.grab"));
  assert.equal(grabbed.params.cloth, "flag");
  assert.equal(grabbed.params.vertex, vertex);
  await page.mouse.move(at.x + 90, at.y - 50, { steps: 10 });
  const held = await until("the vertex followed the mouse", async () => {
    const now = await read();
    return now[0] > before[0] + 0.1 && now[1] > before[1] + 0.05 && now;
  });
  await page.screenshot({ path: path.join(ARTIFACTS, "viewer_grab.png") });
  const shown = await onScreen("flag", vertex);
  assert.ok(Math.hypot(shown.x - at.x - 90, shown.y - at.y + 50) < 25, `the vertex is at ${shown.x - at.x}, ${shown.y - at.y} of 90, -50 pixels`);
  await page.mouse.up();
  await until("the server knows the release", () => events.some((e) => e.method === "cloth.release"));
  await until("the cloth swings back", async () => distance(await read(), held) > 0.08);
  assert.equal((await client.request("world.describe")).grabs?.length ?? 0, 0);
  assert.ok(distance((await state(page)).camera.eye, eye) < 1e-6, "the camera turned while the cloth was pulled");
  assert.deepEqual((await state(page)).cloths[0].pins.length, 21);
});

await test("who closes the page while he holds the cloth lets it go", async () => {
  const other = await openPage(browser, server.url);
  await ready(other);
  const at = await other.evaluate(() => window.clothd.vertexOnScreen("flag", 14 * 21 + 10));
  events.length = 0;
  await other.mouse.move(at.x, at.y);
  await other.mouse.down();
  await until("the grab", () => events.some((e) => e.method === "cloth.grab"));
  await other.close();
  await until("the release", () => events.some((e) => e.method === "cloth.release"));
});

await test("bodies fall, are drawn where the server has them and look different from what does not move", async () => {
  const ball = { shape: { type: "sphere", radius: 0.25 }, position: [0, 0.6, 0] };
  await load({
    view: { position: [0, 1, 4], target: [0, 0.8, 0] },
    cloths: [{ cloth: "rag", grid: { nx: 5, ny: 5, size: [0.4, 0.4] }, position: [0, 0.02, 0] }],
    colliders: [
      { collider: "body", ...ball, position: [0, 1.5, 0], motion: "dynamic", mass: 2 },
      { collider: "steel", ...ball, position: [-0.9, 0.6, 0] },
      { collider: "stone", ...ball, position: [0.9, 0.6, 0], motion: "static" },
      { collider: "floor", shape: { type: "plane" }, motion: "static" },
    ],
  });
  const motions = Object.fromEntries((await state(page)).colliders.map((c) => [c.name, c.motion]));
  assert.deepEqual(motions, { body: "dynamic", steel: "kinematic", stone: "static", floor: "static" });
  const middle = async (name) => {
    const { screen } = (await state(page)).colliders.find((c) => c.name === name);
    return pixels(page, { x: Math.round(screen.x) - 12, y: Math.round(screen.y) - 12, width: 24, height: 24 });
  };
  const looks = [await middle("body"), await middle("steel"), await middle("stone")];
  for (const [a, b] of [[0, 1], [0, 2], [1, 2]]) assert.ok(!looks[a].equals(looks[b]), `${a} and ${b} look alike`);
  const { position: start } = await describe("body");
  await client.request("world.step", { ticks: 15 });
  await settled(client, page);
  const { position } = await describe("body");
  assert.ok(position[1] < start[1] - 0.2, `the body fell from ${start[1]} to ${position[1]}`);
  const shown = (await state(page)).colliders.find((c) => c.name === "body").position;
  assert.ok(distance(shown, position) < 1e-3, `${shown} is shown, the server has ${position}`);
  await page.selectOption("#collider", "body");
  assert.match(await page.innerText("#objects"), /dynamic sphere, radius 0.25 m, 2 kg/);
  await page.screenshot({ path: path.join(ARTIFACTS, "viewer_bodies.png") });
});

await test("a body can be lifted, hangs where the mouse holds it and falls when it is let go", async () => {
  const { screen } = (await state(page)).colliders.find((c) => c.name === "body");
  const { position: before } = await describe("body");
  await page.mouse.move(screen.x, screen.y);
  await page.mouse.down();
  await client.request("world.resume");
  await page.mouse.move(screen.x + 20, screen.y - 60, { steps: 6 });
  const height = async () => (await describe("body")).position[1];
  await until("it is lifted", async () => (await height()) > before[1] + 0.2);
  const held = await height();
  const { tick } = await client.request("world.describe");
  await until("half a second", async () => (await state(page)).tick > tick + 30);
  assert.ok(Math.abs((await height()) - held) < 0.05, `it fell from ${held} to ${await height()} in the hand`);
  await page.mouse.up();
  await until("it falls", async () => (await height()) < before[1]);
});

await test("a mesh collider is drawn from its triangles, turns by itself and is drawn anew in another shape", async () => {
  const tetra = (size) => ({ type: "mesh", positions: [0, size, 0, size, 0, 0, -size, 0, size, -size, 0, -size], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] });
  await load({
    view: { position: [0, 1, 3], target: [0, 0.6, 0] },
    cloths: [{ cloth: "rag", grid: { nx: 5, ny: 5, size: [0.4, 0.4] }, position: [0, -1, 0], pins: [{ from: 0, to: 24 }] }],
    colliders: [{ collider: "rock", shape: tetra(0.5), position: [0, 0.5, 0], angular_velocity: [0, 2, 0] }],
  });
  const { screen } = (await state(page)).colliders[0];
  const clip = { x: Math.round(screen.x) - 80, y: Math.round(screen.y) - 80, width: 160, height: 160 };
  const there = await pixels(page, clip);
  await client.request("world.step", { ticks: 10 });
  await settled(client, page);
  const turned = await pixels(page, clip);
  assert.ok(!turned.equals(there), "the mesh does not turn");
  await page.screenshot({ path: path.join(ARTIFACTS, "viewer_mesh.png") });
  await client.request("collider.set", { collider: "rock", shape: tetra(0.15) });
  await until("the smaller shape", async () => !(await pixels(page, clip)).equals(turned));
  await client.request("collider.remove", { collider: "rock" });
  await until("it is gone", async () => (await state(page)).colliders.length === 0);
  await settled(client, page);
  assert.ok(!(await pixels(page, clip)).equals(there), "it is still drawn");
});

await test("the switches of contact set it for everyone and follow others", async () => {
  const material = async () => (await client.request("cloth.describe", { cloth: "rag" })).material;
  const toggle = page.locator("#cloth-set-self_collision");
  await toggle.scrollIntoViewIfNeeded();
  const before = (await material()).self_collision;
  await toggle.click();
  await until("self-collision on the server", async () => (await material()).self_collision === !before);
  await client.request("cloth.set", { cloth: "rag", self_collision: before, static_friction: 0.7 });
  await until("the page follows", async () => (await toggle.isChecked()) === before && (await page.inputValue("#cloth-set-static_friction-value")) === "0.7");
  await page.locator("#cloth-set-static_friction-on").click();
  await until("static friction as friction", async () => (await material()).static_friction === null && (await page.inputValue("#cloth-set-static_friction-value")) === "as friction");
  await client.request("cloth.set", { cloth: "rag", cloth_collision: false });
  await until("the other switch follows", async () => !(await page.locator("#cloth-set-cloth_collision").isChecked()));
});

await test("what came to rest is said to be asleep, and a pull wakes it", async () => {
  await load({
    view: { position: [0, 1.2, 2], target: [0, 0, 0] },
    cloths: [{ cloth: "rag", grid: { nx: 9, ny: 9, size: [0.8, 0.8] }, position: [0, 0.02, 0], friction: 0.5 }],
    colliders: [{ collider: "floor", shape: { type: "plane" }, motion: "static" }],
  });
  await client.request("world.step", { ticks: 300 });
  await client.request("world.resume");
  await until("the cloth sleeps", async () => (await state(page)).cloths[0].asleep);
  await until("the page says so", async () => /Asleep/.test(await page.innerText("#pin-count")) && (await page.innerText("#link")) === "at rest");
  const at = await onScreen("rag", 40);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 10, at.y - 60, { steps: 6 });
  await until("it woke", async () => !(await state(page)).cloths[0].asleep);
  await page.mouse.up();
});

await test("a net of ropes is drawn and can be pulled", async () => {
  await pause(client, page);
  await client.request("world.load", { scene: "net" });
  await until("the net", async () => (await state(page)).cloths[0]?.name === "net" && (await state(page)).cloths[0].first.length === 9);
  await settled(client, page);
  const vertex = 15 * 31 + 15;
  const at = await onScreen("net", vertex);
  const clip = { x: Math.round(at.x) - 60, y: Math.round(at.y) - 20, width: 120, height: 40 };
  const drawn = await pixels(page, clip);
  const colors = await page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let red = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 90 && data[i] > 2 * data[i + 2]) red++;
    return red;
  }, drawn.toString("base64"));
  assert.ok(colors > 50, `${colors} pixels of rope`);
  events.length = 0;
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until("a knot is taken", () => events.some((e) => e.method === "cloth.grab"));
  await page.mouse.up();
});

await test("no script error and nothing against the content security policy", async () => {
  assert.deepEqual(problems, []);
});

await browser.close();
client.close();
await server.kill();
finish();
