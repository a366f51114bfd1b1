/** Size budgets of what a browser loads, in bytes of gzip. Fails when a budget is exceeded or its files are missing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { root } from './prepare.mjs'

const KB = 1000
const dist = join(root, 'apps', 'console', 'dist')

/** The entry: what index.html names, and what those modules import at once. */
const entryFiles = () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1])
}

const measure = (files) => {
  let gzip = 0
  let brotli = 0
  for (const file of files) {
    const bytes = readFileSync(join(dist, file))
    gzip += gzipSync(bytes, { level: 9 }).length
    brotli += brotliCompressSync(bytes).length
  }
  return { gzip, brotli, files: files.length }
}

const entry = entryFiles()
const all = readdirSync(join(dist, 'assets')).map((name) => join('assets', name))
const rows = [
  { name: 'console: first load, scripts', budget: 180 * KB, ...measure(entry.filter((file) => file.endsWith('.js'))) },
  { name: 'console: first load, styles', budget: 20 * KB, ...measure(entry.filter((file) => file.endsWith('.css'))) },
  {
    name: 'console: largest script',
    budget: 250 * KB,
    ...all
      .filter((file) => file.endsWith('.js'))
      .map((file) => measure([file]))
      .reduce((a, b) => (a.gzip >= b.gzip ? a : b)),
  },
  // rrweb, and what takes everything from recorded pages that could fetch or run; loaded with the first replay.
  {
    name: 'console: player of replays',
    budget: 72 * KB,
    ...measure(all.filter((file) => /\/picture-[^/]*\.js$/.test(file))),
  },
  // The page of a shared replay, and of each file that one is saved as: a screen of its own, with what draws.
  {
    name: 'shared replay: its player',
    budget: 230 * KB,
    ...measure(['shared-player/player.js', 'shared-player/player.css']),
  },
  // Loaded, and written into a file, where a phone filmed its screen.
  { name: 'shared replay: its videos', budget: 4 * KB, ...measure(['shared-film/film.js']) },
]

let failed = false
for (const row of rows) {
  const over = row.gzip > row.budget || row.files === 0
  failed ||= over
  const kb = (bytes) => `${(bytes / KB).toFixed(1)} kB`.padStart(9)
  process.stdout.write(
    `${over ? '✗' : '✓'} ${row.name.padEnd(32)} gzip ${kb(row.gzip)}  brotli ${kb(row.brotli)}  budget ${kb(row.budget)}\n`,
  )
}
process.exit(failed ? 1 : 0)
