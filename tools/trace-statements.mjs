/**
 * The numbered statements of `docs/reference/tracing.md`, and the tests whose titles begin with their numbers.
 * `--write` puts the files of those tests into the table; without it, what the table says is checked.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './prepare.mjs'

const TOPS = ['apps', 'packages', 'e2e', 'tools']
const PAGE = join(root, 'docs', 'reference', 'tracing.md')
/** Statements that are checked otherwise than by a test with a title. */
const CHECKS = [[93, 'tools/size-browser.mjs']]
const NONE = '–'

/**
 * @param {string} text of a file with tests
 * @returns {number[]} numbers at the beginning of titles, `T54, T99: …`, and alone where a table of cases has them
 */
export const numbersIn = (text) =>
  [...text.matchAll(/['"`]((?:T\d+, )*T\d+)(?:[ ,:]|['"`],)/g)].flatMap(([, list = '']) =>
    list.split(', ').map((one) => Number(one.slice(1))),
  )

/** @returns {Map<number, string[]>} number → files whose tests name it */
export const found = () => {
  const files = new Map(CHECKS.map(([number, file]) => [number, [file]]))
  for (const top of TOPS) {
    for (const entry of readdirSync(join(root, top), { withFileTypes: true, recursive: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      // Its own test speaks of numbers only.
      if (path === 'tools/trace-statements.test.ts') continue
      if (!entry.isFile() || !/\.test\.tsx?$/.test(path) || /(^|\/)(node_modules|dist)\//.test(path)) continue
      for (const number of new Set(numbersIn(readFileSync(join(root, path), 'utf8'))))
        files.set(number, [...(files.get(number) ?? []), path])
    }
  }
  return files
}

/** Rows of the table: number, statement, what holds it. */
const ROW = /^\| T(\d+) \| (.+?) \| (.*?) \|$/gm

/**
 * What is wrong with the page, one sentence each.
 *
 * @param {string} page
 * @param {ReadonlyMap<number, readonly string[]>} tests
 */
export const complaintsOf = (page, tests) => {
  const rows = [...page.matchAll(ROW)].map(([, number, , held = '']) => ({ number: Number(number), held }))
  const known = new Set(rows.map(({ number }) => number))
  return [
    ...rows.flatMap(({ number, held }) => {
      const named = [...held.matchAll(/`([^`]+\.\w+)`/g)].map(([, file]) => file)
      if (named.length === 0 && held.replace(NONE, '').trim() === '')
        return [`T${number} has neither a test nor a reason.`]
      return named
        .filter((file) => !tests.get(number)?.includes(file))
        .map((file) => `T${number}: ${file} has no test that begins with its number.`)
    }),
    ...[...tests.keys()]
      .filter((number) => !known.has(number))
      .map((number) => `A test names T${number}, which is not there.`),
  ]
}

/**
 * The page with the files of the tests; a reason stays where there is no test.
 *
 * @param {string} page
 * @param {ReadonlyMap<number, readonly string[]>} tests
 */
export const written = (page, tests) =>
  page.replaceAll(ROW, (_, number, statement, held) => {
    const files = tests.get(Number(number))
    // A sentence beside the files says what is left to do; a reason for having none is none any more.
    const said = held.replace(/^(?:`[^`]+\.\w+`(?:, )?)+(?:; )?/, '')
    const more = files !== undefined && /^(none|–)/.test(said) ? '' : said
    const names =
      files
        ?.toSorted((one, other) => (one < other ? -1 : 1))
        .map((file) => `\`${file}\``)
        .join(', ') ?? ''
    return `| T${number} | ${statement} | ${[names, more].filter(Boolean).join('; ')} |`
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tests = found()
  if (process.argv.includes('--write')) writeFileSync(PAGE, written(readFileSync(PAGE, 'utf8'), tests))
  const complaints = complaintsOf(readFileSync(PAGE, 'utf8'), tests)
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  process.exit(complaints.length === 0 ? 0 : 1)
}
