// The page's life with its server: subscribes after each connect, fills the store from
// replies and notifications, hands frames to the decode worker, and says what happened.
import { Client, RpcError, type Mesh, type StateEvent } from "../../js/index.js";
import type { FromWorker, ToWorker } from "./decode_messages";
import { describeHappening } from "./happening";
import type { Link } from "./link";
import type { Notices } from "./notice";
import type { EventMessage, HelloMessage, MeshMessage, Params, SceneInfo } from "./protocol_types";
import type { Store } from "./store";

const PING_MS = 2000;
/** How often a world that is not there is asked for again. */
const WORLD_RETRY_MS = 2000;

type Frame = Extract<FromWorker, { kind: "frame" }>;
type Topology = Extract<FromWorker, { kind: "topology" }>;

export class Session {
  latencyMs: number | null = null;
  /** Frames that the server left out for us, as its stats say; segments lost here. */
  skipped = 0;
  lost = 0;
  onFrame: (frame: Frame) => void = () => {};
  onTopology: (topology: Topology) => void = () => {};
  /** The edges of a cloth that has no triangles, as pairs of vertices, and their lengths at rest. */
  onEdges: (object: number, edges: number[], rest: number[]) => void = () => {};
  /** How the server sends to this page now, as a sentence; lasting: until the next one. */
  onRate: (text: string, lasting: boolean) => void = () => {};
  /** A scene was loaded: what comes next is another picture. */
  onLoad: () => void = () => {};
  /** A new connection: everything is announced again. */
  onConnect: () => void = () => {};
  private readonly client: Client;
  private readonly worker: Worker;
  private readonly edgesAsked = new Map<number, number>();
  private everOpen = false;
  private retryAt = 0;
  private attempt = 0;
  private refusal: string | null = null;
  private countdown: ReturnType<typeof setInterval> | undefined;
  /** The world of the link is not there; the banner says so. */
  private missing = false;
  private worldRetry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    url: string,
    private readonly link: Link,
    private readonly store: Store,
    private readonly notices: Notices,
  ) {
    this.worker = new Worker(new URL("./decode_worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.fromWorker(event.data);
    this.client = new Client(url, { token: link.token, decode: false });
    this.client.on("state", (state) => this.follow(state));
    this.client.on("binary", (data) => this.tell({ kind: "binary", data }, [data]));
    this.client.on("mesh", (mesh) => this.mesh(mesh));
    this.client.on("event", (event: EventMessage) => this.event(event));
    this.client.on("hello", (hello: HelloMessage) => this.hello(hello));
    this.client.on("status", (status: Params) => this.status(status));
    this.client.on("stats", (stats: Params) => this.stats(stats));
    this.client.on("error", (error) => this.notices.toast(error.message));
    setInterval(() => this.ping(), PING_MS);
  }

  connect(): void {
    this.client.connect().catch(() => {
      // The state event tells it in the banner.
    });
  }

  /** Sends a command for this world and gives its answer. */
  readonly request = (method: string, params: Params): Promise<Params> => this.client.request(method, { world: this.link.world, ...params });

  /** Shows why a command was refused, in the server's own sentence. */
  readonly complain = (error: unknown): void => this.notices.toast(error instanceof RpcError ? error.message : "The command was not sent: there is no connection to the server.");

  /** The same for commands whose answer nobody waits for; a refusal becomes a toast. */
  readonly send = (method: string, params: Params): void => {
    this.request(method, params).catch((error: unknown) => {
      this.complain(error);
      // What the panel shows is not what the world has: ask.
      if (error instanceof RpcError && method.endsWith(".set")) this.describe();
    });
  };

  private tell(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private hello(hello: HelloMessage): void {
    if (hello.error === undefined) return;
    const text = typeof hello.error === "string" ? hello.error : hello.error.message;
    this.refusal = text ?? "The server speaks another version of the protocol.";
  }

  private follow(state: StateEvent): void {
    clearInterval(this.countdown);
    clearTimeout(this.worldRetry);
    switch (state.state) {
      case "connecting":
        this.store.setConnection(this.everOpen ? "lost" : "connecting");
        if (this.everOpen || (state.attempt ?? 0) > 0) this.notices.setBanner(this.everOpen ? "The connection to the server was lost. Trying again …" : "No answer from the server. Trying again …");
        break;
      case "open":
        void this.opened();
        break;
      case "waiting":
        this.store.setConnection("lost");
        this.latencyMs = null;
        this.attempt = state.attempt ?? 1;
        this.retryAt = performance.now() + (state.retryMs ?? 0);
        this.refusal = null;
        this.showWait();
        this.countdown = setInterval(() => this.showWait(), 500);
        void this.probe();
        break;
      case "closed":
        this.store.setConnection("refused");
        this.notices.setBanner(this.refusal ?? (state.reason ? `The server ended the connection: ${state.reason}` : "The server ended the connection."), "bad");
        break;
    }
  }

  private showWait(): void {
    const seconds = Math.max(0, (this.retryAt - performance.now()) / 1000);
    const when = seconds < 0.6 ? "Trying again …" : `Trying again in ${Math.ceil(seconds)} s.`;
    const what = this.refusal ?? (this.everOpen ? "The connection to the server was lost." : "No answer from the server.");
    this.notices.setBanner(`${what} ${when}${this.attempt > 1 ? ` (attempt ${this.attempt})` : ""}`, this.refusal ? "bad" : "wait");
  }

  /** Browsers hide why a WebSocket was refused; a plain request tells it. */
  private async probe(): Promise<void> {
    const attempt = this.attempt;
    try {
      const reply = await fetch("version", { headers: this.link.token ? { Authorization: `Bearer ${this.link.token}` } : {}, cache: "no-store" });
      if (this.store.connection !== "lost" || this.attempt !== attempt) return;
      if (reply.status === 401) this.refusal = this.link.token ? "The server does not accept this link's token." : "This server needs a token: open the link that it printed when it started (…/#token=…).";
      else if (reply.status === 503) this.refusal = "The server is full or about to stop.";
      else if (reply.status === 403) this.refusal = (await reply.text()).trim().slice(0, 300) || "The server refuses pages from this address.";
      if (this.refusal) this.showWait();
    } catch {
      // Not reachable at all: the banner already says so.
    }
  }

  private async opened(): Promise<void> {
    this.refusal = null;
    const again = this.everOpen;
    const hello = this.client.hello as HelloMessage;
    this.store.serverVersion = hello.version ?? "";
    this.store.setRole(hello.role ?? "control");
    this.store.setConnection("open");
    this.notices.setBanner(again ? "Connected again." : null, "good");
    this.everOpen = true;
    this.ping();
    await this.join();
  }

  /** Asks for the world: meshes, frames and its description. Tried again while it is not there. */
  private async join(): Promise<void> {
    this.tell({ kind: "forget" });
    this.edgesAsked.clear();
    this.store.clearWorld();
    this.skipped = 0;
    this.onConnect();
    try {
      // Replies come in order: when the description comes, the meshes are known.
      const subscribed = this.client.request("stream.subscribe", { world: this.link.world, codec: "cb32" });
      const info = this.client.request("server.info");
      const described = this.client.request("world.describe", { world: this.link.world });
      described.catch(() => {});
      info.then((result: Params) => this.store.setScenes(readScenes(result["scenes"])), () => {});
      await subscribed;
      this.store.applyDescribe((await described) as Params);
      if (this.missing) this.notices.setBanner(`The world “${this.link.world}” is here.`, "good");
      this.missing = false;
    } catch (error) {
      if (error instanceof RpcError && error.reason === "not_found") this.waitForWorld(error.message);
      else if (error instanceof RpcError) this.notices.setBanner(error.message, "bad");
    }
  }

  private waitForWorld(sentence: string): void {
    this.missing = true;
    this.notices.setBanner(sentence, "bad");
    clearTimeout(this.worldRetry);
    this.worldRetry = setTimeout(() => void this.join(), WORLD_RETRY_MS);
  }

  private mesh(mesh: Mesh): void {
    this.tell({ kind: "mesh", mesh });
    this.store.applyMesh(mesh as MeshMessage);
    if (mesh.kind === "cloth" && !mesh.removed && mesh.triangle_count === 0) this.askEdges(mesh as MeshMessage);
  }

  private askEdges(mesh: MeshMessage): void {
    // A change of pins announces it again; its edges are known.
    if (this.edgesAsked.get(mesh.object) === mesh.epoch) return;
    this.edgesAsked.set(mesh.object, mesh.epoch);
    this.request("cloth.edges", { cloth: mesh.name }).then(
      (result) => {
        // It may be another cloth's place by now.
        const cloth = this.store.cloths.get(mesh.object);
        if (cloth?.epoch === mesh.epoch && cloth.name === mesh.name) this.onEdges(mesh.object, result["edges"] as number[], result["rest"] as number[]);
      },
      () => {},
    );
  }

  private event(event: EventMessage): void {
    if (event.world !== undefined && event.world !== this.link.world) return;
    if (event.method === "world.destroy") {
      this.store.clearWorld();
      this.waitForWorld(`The world “${this.link.world}” was removed from the server. This page waits for it.`);
      return;
    }
    const need = this.store.applyEvent(event);
    if (event.method === "world.load") this.onLoad();
    if (need.describeWorld) this.describe();
    if (need.describeCloth) this.describeCloth(need.describeCloth);
    const happening = event.event ? describeHappening(event) : null;
    if (happening) this.notices.toast(happening, "info");
  }

  private describe(): void {
    this.client.request("world.describe", { world: this.link.world }).then(
      (result: Params) => this.store.applyDescribe(result),
      () => {},
    );
  }

  private describeCloth(cloth: string): void {
    this.client.request("cloth.describe", { world: this.link.world, cloth }).then(
      (result: Params) => this.store.applyClothDescribe(result),
      () => {},
    );
  }

  private status(status: Params): void {
    const text = status["text"];
    if (typeof text !== "string") return;
    if (status["code"] === "rate_divisor") this.onRate(text, status["level"] === "warning");
    else this.notices.toast(text, "info");
  }

  private stats(stats: Params): void {
    if (typeof stats["frames_skipped"] === "number") this.skipped = stats["frames_skipped"];
  }

  private ping(): void {
    if (this.store.connection !== "open") return;
    const sent = performance.now();
    this.client.request("server.ping", {}, { timeoutMs: 10000 }).then(
      () => (this.latencyMs = performance.now() - sent),
      () => (this.latencyMs = null),
    );
  }

  private fromWorker(message: FromWorker): void {
    switch (message.kind) {
      case "topology":
        this.onTopology(message);
        break;
      case "frame":
        this.lost += message.lost;
        for (const world of message.needKey) this.client.requestKey(world);
        this.onFrame(message);
        break;
      case "broken":
        this.notices.toast(`A message of the server could not be read: ${message.reason}.`);
        this.client.requestKey(this.link.world);
        break;
    }
  }
}

/** Scenes as names or as {scene|name, title, description}. */
export function readScenes(value: unknown): SceneInfo[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown): SceneInfo[] => {
    if (typeof entry === "string") return [{ scene: entry }];
    if (!entry || typeof entry !== "object") return [];
    const members = entry as Record<string, unknown>;
    const scene = members["scene"] ?? members["name"];
    if (typeof scene !== "string") return [];
    return [{ scene, ...(typeof members["title"] === "string" ? { title: members["title"] } : {}), ...(typeof members["description"] === "string" ? { description: members["description"] } : {}) }];
  });
}
