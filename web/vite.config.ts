import { defineConfig } from "vite";

// One script and one style sheet: the Rust side puts them into a page.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "dist",
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: "src/main.ts",
      output: {
        entryFileNames: "viewer.js",
        assetFileNames: "viewer[extname]",
        codeSplitting: false,
      },
    },
  },
});
