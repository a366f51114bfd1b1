/**
 * Every citation of a page of `docs/reference` points to something that is there: `protocol.md 2.5` to a heading,
 * `check 41` to a numbered statement, `widget.md E 98` and a test titled `widget 98: …` to a statement of the widget.
 * No comment cites a page that is not in the repository. Fails with file and line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const TOPS = ['packages', 'apps', 'e2e', 'bench', 'fixtures', 'tools']
const CODE = new Set(['.ts', '.tsx', '.mts', '.mjs', '.js', '.css'])
const NUMBER = String.raw`\d+(?:\.\d+)*`
const LIST = String.raw`(${NUMBER}(?:(?:, | and |, and |–)${NUMBER})*)`

const reference = (name) => readFileSync(join(root, 'docs', 'reference', name), 'utf8')
const sectionsOf = (page) =>
  new Set([...page.matchAll(new RegExp(`^#{2,4} (${NUMBER})[. ]`, 'gm'))].map(([, at]) => at))
const statementsOf = (page) => new Set([...page.matchAll(/^(\d+)\. /gm)].map(([, number]) => number))

const protocol = reference('protocol.md')
const known = {
  section: sectionsOf(protocol),
  check: statementsOf(protocol.slice(protocol.indexOf('\n## 7. '))),
  widget: statementsOf(reference('widget.md')),
  specification: sectionsOf(reference('specification.md')),
}

/** How each is cited: in which words, and where the number stands. */
const CITATIONS = [
  { kind: 'section', page: 'protocol.md', pattern: new RegExp(String.raw`protocol\.md (?:section )?${LIST}`, 'g') },
  { kind: 'check', page: 'protocol.md, section 7', pattern: new RegExp(String.raw`\bchecks? ${LIST}`, 'g') },
  { kind: 'widget', page: 'widget.md', pattern: new RegExp(String.raw`widget\.md E ${LIST}`, 'g') },
  { kind: 'widget', page: 'widget.md', pattern: new RegExp(String.raw`['"\`]widget ${LIST}(?=[: ])`, 'g') },
  {
    kind: 'specification',
    page: 'specification.md',
    pattern: new RegExp(String.raw`specification\.md (?:section )?${LIST}`, 'g'),
  },
]

/** `20–22` is three numbers. */
const numbersOf = (list) =>
  list.split(/, and |, | and /).flatMap((part) => {
    const [from, to] = part.split('–')
    if (to === undefined) return [from]
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => String(Number(from) + index))
  })

const filesToRead = () => {
  const files = []
  for (const top of TOPS) {
    for (const entry of readdirSync(join(root, top), { withFileTypes: true, recursive: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (entry.isFile() && CODE.has(extname(path)) && !/(^|\/)(node_modules|dist|build)\//.test(path)) files.push(path)
    }
  }
  return files.toSorted((one, other) => (one < other ? -1 : 1))
}

const problems = []
const own = relative(root, fileURLToPath(import.meta.url))
  .split(sep)
  .join('/')
let citations = 0

for (const file of filesToRead()) {
  if (file === own) continue
  const text = readFileSync(join(root, file), 'utf8')
  const at = (index) => `${file}:${text.slice(0, index).split('\n').length}`
  for (const { kind, page, pattern } of CITATIONS) {
    for (const { 1: list, index } of text.matchAll(pattern)) {
      for (const number of numbersOf(list)) {
        citations += 1
        if (!known[kind].has(number)) problems.push(`${at(index)}: docs/reference/${page} has no ${number}`)
      }
    }
  }
  // A page that is named in a comment is a page of the repository: by its path, of docs, or beside the file.
  for (const { 0: name, index } of text.matchAll(/(?<=[\s(`/])[\w./-]*[\w-]+\.md\b/g)) {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index))
    if (!/^\s*(\/\/|\/?\*)/.test(line)) continue
    const places = [
      name,
      `docs/${name}`,
      `docs/reference/${name}`,
      `${file.split('/')[0]}/${name}`,
      join(dirname(file), name),
    ]
    if (!places.some((place) => existsSync(join(root, place)))) problems.push(`${at(index)}: there is no ${name}`)
  }
}
if (citations === 0) problems.push('check-references found no citation: it checked nothing')

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`references: ${citations} citations, ${problems.length} problems\n`)
process.exit(problems.length === 0 ? 0 : 1)
