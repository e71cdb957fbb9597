import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** What is packed along, and may be only with its licence. */
const PACKED = ["three", "uplot"];

/** Puts the licences on top of the script, where no minifier removes them. */
const licences: Plugin = {
  name: "licences",
  enforce: "post",
  generateBundle(_, bundle) {
    const texts = PACKED.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`);
    for (const part of Object.values(bundle)) {
      if (part.type === "chunk") part.code = `/*!\n${texts.join("\n\n")}\n*/\n${part.code}`;
    }
  },
};

// One script and one style sheet: the Rust side puts them into a page.
export default defineConfig({
  plugins: [licences],
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
