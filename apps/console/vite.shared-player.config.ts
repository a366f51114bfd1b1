import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { dropJsonSchemas, dropOldReact, dropPolyfills, dropSummaries, precompress } from './build-plugins.ts'

/** The script stands in the page of a file, which these would end, or turn into a comment. */
const IN_PAGES = /<(?=!--|\/script)/gi

/** In texts and patterns, where alone they stand, `<` may be written so. The server refuses a player that has them. */
function fitForPages(): Plugin {
  return {
    name: 'firsthand:fit-for-pages',
    apply: 'build',
    generateBundle: {
      // Behind what makes it smaller, which would write the texts anew.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = file.code.replaceAll(IN_PAGES, String.raw`\x3c`)
        }
      },
    },
  }
}

const PLAIN_TOOLTIP = join(import.meta.dirname, 'src', 'ui', 'PlainTooltip.tsx')

/** What finds the place of a tooltip around its control is a tenth of the player: here the browser shows them. */
function plainTooltips(): Plugin {
  return {
    name: 'firsthand:plain-tooltips',
    enforce: 'pre',
    resolveId: (id) => (id === './Tooltip.tsx' ? PLAIN_TOOLTIP : null),
  }
}

/** Of the player, and of what it needs besides for the videos of phones. */
const PARTS = {
  player: { input: 'src/shared-player.tsx', folder: 'shared-player', file: 'player' },
  film: { input: 'src/shared-film.ts', folder: 'shared-film', file: 'film' },
}

const partOf = (mode: string) => PARTS[mode === 'film' ? 'film' : 'player']

/**
 * The player of shared replays: one script and one style sheet, which stand in files as well. Built after the console; in
 * the mode `film` the script that plays videos.
 */
export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    plainTooltips(),
    fitForPages(),
    precompress(),
    dropSummaries(),
    dropJsonSchemas(),
    dropPolyfills(),
    dropOldReact(),
  ],
  publicDir: false,
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    outDir: `dist/${partOf(mode).folder}`,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    target: 'es2023',
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: partOf(mode).input,
      // What loads parts later has nothing to load here, and asks no address.
      checks: { emptyImportMeta: false },
      treeshake: { manualPureFunctions: ['z', 'endpoint'] },
      output: {
        format: 'iife',
        codeSplitting: false,
        entryFileNames: `${partOf(mode).file}.js`,
        assetFileNames: 'player.[ext]',
      },
    },
  },
}))
