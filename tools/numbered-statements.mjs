/**
 * Numbered statements of `docs/reference`, and the tests whose titles begin with their numbers. `--write` puts the files of
 * those tests into the tables; without it, what the tables say is checked.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './prepare.mjs'

const TOPS = ['apps', 'packages', 'e2e', 'tools']
/** By the letter before their numbers, of which there are `last`; `checks` are statements that are checked otherwise than by a test with a title. */
export const PAGES = [
  { letter: 'T', last: 120, file: 'tracing.md', checks: [[93, 'tools/size-browser.mjs']] },
  { letter: 'R', last: 120, file: 'replay.md', checks: [] },
  { letter: 'A', last: 110, file: 'alerts.md', checks: [] },
  { letter: 'L', last: 110, file: 'releases.md', checks: [] },
].map((page) => ({ ...page, path: join(root, 'docs', 'reference', page.file) }))
const NONE = '–'

/**
 * @param {string} letter
 * @param {string} text of a file with tests
 * @returns {number[]} numbers at the beginning of titles, `T54, T99: …` or `T54 T99 …`, and alone where a table of cases has
 *   them
 */
export const numbersIn = (letter, text) =>
  [...text.matchAll(new RegExp(`['"\`]((?:${letter}\\d+,? )*${letter}\\d+)(?:[ ,:]|['"\`],)`, 'g'))].flatMap(
    ([, list = '']) => list.split(/,? /).map((one) => Number(one.slice(1))),
  )

/** @returns {Generator<{ path: string, text: string }>} files with tests */
const testFiles = function* () {
  for (const top of TOPS) {
    for (const entry of readdirSync(join(root, top), { withFileTypes: true, recursive: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      // Its own test speaks of numbers only.
      if (path === 'tools/numbered-statements.test.ts') continue
      if (!entry.isFile() || !/\.test\.tsx?$/.test(path) || /(^|\/)(node_modules|dist)\//.test(path)) continue
      yield { path, text: readFileSync(join(root, path), 'utf8') }
    }
  }
}

/** @returns {Map<string, Map<number, string[]>>} letter → number → files whose tests name it */
export const found = () => {
  const files = new Map(
    PAGES.map(({ letter, checks }) => [letter, new Map(checks.map(([number, file]) => [number, [file]]))]),
  )
  for (const { path, text } of testFiles()) {
    for (const [letter, named] of files) {
      for (const number of new Set(numbersIn(letter, text))) named.set(number, [...(named.get(number) ?? []), path])
    }
  }
  return files
}

/** Rows of the table: number, statement, what holds it. */
const rowsOf = (letter) => new RegExp(`^\\| ${letter}(\\d+) \\| (.+?) \\| (.*?) \\|$`, 'gm')

/**
 * What is wrong with the page, one sentence each.
 *
 * @param {string} letter
 * @param {string} page
 * @param {ReadonlyMap<number, readonly string[]>} tests
 */
export const complaintsOf = (letter, page, tests) => {
  const rows = [...page.matchAll(rowsOf(letter))].map(([, number, , held = '']) => ({ number: Number(number), held }))
  const known = new Set(rows.map(({ number }) => number))
  return [
    ...rows.flatMap(({ number, held }) => {
      const named = [...held.matchAll(/`([^`]+\.\w+)`/g)].map(([, file]) => file)
      if (named.length === 0 && held.replace(NONE, '').trim() === '')
        return [`${letter}${number} has neither a test nor a reason.`]
      return named
        .filter((file) => !tests.get(number)?.includes(file))
        .map((file) => `${letter}${number}: ${file} has no test that begins with its number.`)
    }),
    ...[...tests.keys()]
      .filter((number) => !known.has(number))
      .map((number) => `A test names ${letter}${number}, which is not there.`),
  ]
}

/**
 * The page with the files of the tests; a reason stays where there is no test.
 *
 * @param {string} letter
 * @param {string} page
 * @param {ReadonlyMap<number, readonly string[]>} tests
 */
export const written = (letter, page, tests) =>
  page.replaceAll(rowsOf(letter), (_, number, statement, held) => {
    const files = tests.get(Number(number))
    // A sentence beside the files says what is left to do; a reason for having none is none any more.
    const said = held.replace(/^(?:`[^`]+\.\w+`(?:, )?)+(?:; )?/, '')
    const more = files !== undefined && /^(none|–)/.test(said) ? '' : said
    const names =
      files
        ?.toSorted((one, other) => (one < other ? -1 : 1))
        .map((file) => `\`${file}\``)
        .join(', ') ?? ''
    return `| ${letter}${number} | ${statement} | ${[names, more].filter(Boolean).join('; ')} |`
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tests = found()
  const complaints = PAGES.flatMap(({ letter, path }) => {
    const named = tests.get(letter) ?? new Map()
    if (process.argv.includes('--write')) writeFileSync(path, written(letter, readFileSync(path, 'utf8'), named))
    return complaintsOf(letter, readFileSync(path, 'utf8'), named)
  })
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  process.exit(complaints.length === 0 ? 0 : 1)
}
