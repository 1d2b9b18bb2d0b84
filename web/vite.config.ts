import { defineConfig } from "vite";

// Relative addresses, so that the same folder works at any path of any static host.
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  worker: { format: "es" },
  server: { proxy: { "/session": { target: "ws://127.0.0.1:7878", ws: true }, "/api": "http://127.0.0.1:7878" } },
});
