// The server under test as a child process: started on a port of its own choice,
// killed and started again on the same one.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");

export function findServer() {
  const binary = process.env.CLOTHD_BIN ?? path.join(ROOT, "build/release/clothd");
  if (!existsSync(binary)) throw new Error(`no server at ${binary}: build it first, or name one in CLOTHD_BIN`);
  return binary;
}

export class ServerProcess {
  port = 0;
  url = "";
  #child = null;

  constructor(options = []) {
    this.options = options;
  }

  /** Starts it; resolves once it has printed its link. */
  async start() {
    const args = ["--port", String(this.port), "--scene-dir", path.join(ROOT, "server/scenes"), "--web-dir", path.join(ROOT, "clients/web/dist"), ...this.options];
    const child = spawn(findServer(), args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let output = "";
    let log = "";
    child.stderr.on("data", (text) => (log += text));
    await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the server printed no link within 60 s: ${output}${log}`)), 60000);
      child.on("exit", (code) => reject(new Error(`the server ended with status ${code}: ${output}${log}`)));
      child.stdout.on("data", (text) => {
        output += text;
        const link = /http:\/\/([^\s/]+):(\d+)/.exec(output);
        if (!link || !output.endsWith("\n")) return;
        clearTimeout(late);
        this.port = Number(link[2]);
        this.url = `http://127.0.0.1:${this.port}/`;
        resolve();
      });
    });
  }

  /** Ends it at once, as a crash would. */
  async kill() {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    child.removeAllListeners("exit");
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }
}
