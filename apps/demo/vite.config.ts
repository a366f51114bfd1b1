import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Two pages' scripts; the server writes the HTML, because it knows the DSN. */
export default defineConfig({
  root: at('.'),
  plugins: [react()],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    sourcemap: true,
    target: 'es2023',
    // Who looks at an issue of the demo should see names of functions.
    minify: false,
    rolldownOptions: { input: { shop: at('src/shop/main.tsx'), stage: at('src/stage/main.ts') } },
  },
})
