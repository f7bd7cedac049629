// What the page's address says: ?world=NAME picks a world, #token=… is the bearer
// token. The token lives in the fragment because fragments are never sent or logged.

export interface Link {
  world: string;
  token: string | null;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function parseLink(search: string, hash: string): Link {
  const world = new URLSearchParams(search).get("world") ?? "main";
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return { world: NAME.test(world) ? world : "main", token: token || null };
}

/** The WebSocket beside the page: the same host, also below a proxy's path. */
export function socketUrl(pageUrl: string): string {
  const url = new URL("ws", pageUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = "";
  url.hash = "";
  return url.href;
}
