import { describe, expect, it } from "vitest";
import { parseLink, socketUrl } from "../src/link";

describe("parseLink", () => {
  it("reads the world from the query and the token from the fragment", () => {
    expect(parseLink("?world=lab-1", "#token=abc")).toEqual({ world: "lab-1", token: "abc" });
    expect(parseLink("", "")).toEqual({ world: "main", token: null });
  });
  it("never takes a token from the query, and leaves an impossible name to the server", () => {
    expect(parseLink("?token=abc&world=", "")).toEqual({ world: "main", token: null });
    expect(parseLink("?world=../x", "").world).toBe("../x");
  });
});

describe("socketUrl", () => {
  it("stays beside the page and drops query and fragment", () => {
    expect(socketUrl("http://localhost:8080/?world=a#token=t")).toBe("ws://localhost:8080/ws");
    expect(socketUrl("https://example.org/cloth/index.html")).toBe("wss://example.org/cloth/ws");
  });
});
