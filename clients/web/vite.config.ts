// The viewer is served by clothd itself under a strict content security policy:
// relative paths, no inlined assets, workers as files of their own.
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  publicDir: "public",
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: {
    fs: { allow: ["../.."] },
    // `npm run dev` talks to a server on its default port.
    proxy: { "/ws": { target: "http://127.0.0.1:8080", ws: true } },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
  },
});
