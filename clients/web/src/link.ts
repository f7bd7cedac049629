// What the page's address says: ?world=NAME picks a world, #token=… is the bearer
// token. The token lives in the fragment because fragments are never sent or logged.

export interface Link {
  world: string;
  token: string | null;
}

export function parseLink(search: string, hash: string): Link {
  // An impossible name is left to the server, whose sentence says what names may be.
  const world = new URLSearchParams(search).get("world") || "main";
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return { world, token: token || null };
}

/** The WebSocket beside the page: the same host, also below a proxy's path. */
export function socketUrl(pageUrl: string): string {
  const url = new URL("ws", pageUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = "";
  url.hash = "";
  return url.href;
}
