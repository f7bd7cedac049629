// The page: makes the parts and joins them. What each part does stands in its file.
import commands from "../../../protocol/commands.json";
import type { CommandTable } from "./controls_spec";
import { DragControl } from "./drag";
import { h } from "./dom";
import { Hint } from "./hint";
import { installHooks } from "./hooks";
import { parseLink, socketUrl } from "./link";
import { Motion } from "./motion";
import { Notices } from "./notice";
import { ObjectsPanel } from "./objects_panel";
import { Panel } from "./panel";
import { RateMeter, TickMeter } from "./rate_meter";
import { NoWebGL, SceneView } from "./scene_view";
import { addScrollCue } from "./scroll_cue";
import { Session } from "./session";
import { Stage } from "./stage";
import { StatusLine } from "./status";
import { Store } from "./store";
import { Transport } from "./transport";

const NO_WEBGL = "This browser cannot show the cloth: WebGL is missing or switched off. Turn on hardware acceleration (or WebGL) in its settings, or open this page in another browser.";

function start(app: HTMLElement): void {
  const link = parseLink(location.search, location.hash);
  const store = new Store(link.world);
  const notices = new Notices();
  const motion = new Motion();
  const host = h("div", { id: "stage" });
  app.append(host);

  const session = new Session(socketUrl(location.href), link, store, notices);
  const tell = (sentence: string): void => notices.toast(sentence, "info");
  const refuse = (sentence: string): void => notices.toast(sentence, "bad");
  const drag = new DragControl(store, { send: session.send, request: session.request, refused: session.complain }, tell);
  const view = new SceneView(host, (canvas) => drag.listen(canvas));
  const stage = new Stage(view, store, motion);
  drag.attach(view, stage);

  const wide = matchMedia("(min-width: 721px)");
  const panelOpen = wide.matches;
  const panel = h("aside", { id: "panel", "aria-label": "Settings", hidden: !panelOpen });
  panel.append(new Panel(store, commands as unknown as CommandTable, session.send, { tell, refuse }).element, new ObjectsPanel(store, session.send).element);
  addScrollCue(panel);
  const setPanel = (open: boolean): void => {
    panel.hidden = !open;
    // Beside the picture on a wide screen, over its lower half on a narrow one.
    view.setInset(open && wide.matches ? panel.offsetWidth + 10 : 0);
  };
  const status = new StatusLine();
  const bar = new Transport(
    store,
    session.send,
    {
      resetCamera: () => view.resetCamera(),
      setWireframe: (on) => stage.setWireframe(on),
      setPinMode: (on) => (drag.pinMode = on),
      setPanel,
    },
    panelOpen,
  );
  app.append(new Hint(store).element, bar.element, panel, status.element, notices.banner, notices.toasts);
  setPanel(panelOpen);
  // A narrow screen starts with the whole picture, a wide one with the panel beside it.
  wide.addEventListener("change", () => {
    setPanel(wide.matches);
    bar.showPanelOpen(wide.matches);
  });

  const counts = { frames: 0, drawn: 0 };
  const draws = new RateMeter();
  const bytes = new RateMeter();
  const ticks = new TickMeter();
  session.onTopology = ({ object, vertexCount, triangles, rest }) => stage.setTopology(object, vertexCount, triangles, rest);
  session.onEdges = (object, edges, rest) => stage.setEdges(object, edges, rest);
  session.onConnect = () => {
    motion.clear();
    ticks.clear();
    status.sayRate(null, false);
    stage.refit();
  };
  session.onRate = (text, lasting) => status.sayRate(text, lasting);
  session.onLoad = () => stage.refit();
  session.onFrame = (frame) => {
    const now = performance.now();
    counts.frames++;
    bytes.add(now, frame.bytes);
    if (frame.tick < 0) return;
    store.tick = frame.tick;
    ticks.add(now, frame.tick);
    motion.push(frame.tick, frame.states, frame.poses, now);
    for (const pose of frame.poses) store.setPose(pose.object, pose.position, pose.rotation);
    if (frame.poses.length > 0) store.emit("poses");
    view.invalidate();
  };
  view.onFrame = () => stage.update(performance.now());
  view.onDrawn = (now) => {
    counts.drawn++;
    draws.add(now);
  };

  const showFigures = (): void => {
    const now = performance.now();
    let vertices = 0;
    for (const cloth of store.cloths.values()) vertices += cloth.vertexCount;
    status.show({
      tick: store.tick,
      tickRate: ticks.rate(now),
      fps: draws.rate(now) || null,
      latencyMs: session.latencyMs,
      kibPerSecond: bytes.rate(now) / 1024,
      skipped: session.skipped,
      vertices,
    });
    const { asleep, all } = store.sleepers();
    const live = all > 0 && asleep === all ? "at rest" : "live";
    const text = { connecting: "connecting", open: !store.known ? "no world" : store.running ? live : "paused", lost: "no connection", refused: "refused" }[store.connection];
    status.setLink(text, store.connection === "open" ? (store.running ? "good" : "wait") : store.connection === "connecting" ? "wait" : "bad");
  };
  setInterval(showFigures, 250);
  for (const topic of ["connection", "known", "run", "sleep"] as const) store.on(topic, showFigures);
  store.on("world", () => (document.title = store.title ? `${store.title} · clothd` : "clothd"));

  installHooks({ store, stage, view, motion, session, counts });
  session.connect();
}

const app = document.getElementById("app")!;
try {
  start(app);
} catch (error) {
  if (!(error instanceof NoWebGL)) throw error;
  app.replaceChildren(h("p", { id: "no-webgl", class: "sentence", role: "alert" }, NO_WEBGL));
}
