/**
 * Files that a reader can hold in the head. Fails, with file and line, when
 * - a function is longer than 100 lines and no line directly above it says why (`// long: <reason>`);
 * - such a reason stands above a function that is not long (any more);
 * - a folder has more than a dozen source files, and neither its README.md nor the first comment of its index says what
 *   it is.
 * The callback of a `describe` is a list of tests and may be long; each test and helper inside is measured.
 * What was there before this check is listed in `functions-debt.mjs`. The list only ever gets shorter: an entry that is
 * no longer needed fails as well.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { foldersInDebt, functionsInDebt } from './functions-debt.mjs'

const MAX_LINES = 100
const MAX_FILES = 12
const MIN_EXPLANATION = 80
const TOPS = ['packages', 'apps', 'e2e', 'bench', 'fixtures', 'tools']
const CODE = new Set(['.ts', '.tsx', '.mts', '.mjs', '.js'])
const SOURCE = new Set([...CODE, '.css'])
const REASON = /^\s*\/\/ long: \S.{15,}/

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const sourceFiles = () => {
  const files = []
  for (const top of TOPS) {
    for (const entry of readdirSync(join(root, top), { withFileTypes: true, recursive: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (!entry.isFile() || !SOURCE.has(extname(path))) continue
      if (/(^|\/)(node_modules|dist|build|\.[^/]+)\//.test(path)) continue
      files.push(path)
    }
  }
  return files.toSorted((one, other) => (one < other ? -1 : 1))
}

/** `describe`, also as `describe.each(…)` or `describe.skipIf(…)`. */
const isDescribe = (callee) => {
  let node = callee
  for (;;) {
    if (node.type === 'Identifier') return node.name === 'describe'
    if (node.type === 'MemberExpression') node = node.object
    else if (node.type === 'CallExpression') node = node.callee
    else if (node.type === 'TaggedTemplateExpression') node = node.tag
    else return false
  }
}

/** Names of what functions are assigned or passed to: `createEditor`, `it('sends once')`, or `(no name)`. */
const namesOf = (program) => {
  const names = new Map()
  const suites = new Set()
  const isFunction = (node) => node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
  new Visitor({
    VariableDeclarator(node) {
      if (isFunction(node.init) && node.id.type === 'Identifier') names.set(node.init, node.id.name)
    },
    Property(node) {
      if (isFunction(node.value) && node.key.type === 'Identifier') names.set(node.value, node.key.name)
    },
    MethodDefinition(node) {
      if (node.key.type === 'Identifier') names.set(node.value, node.key.name)
    },
    CallExpression(node) {
      const called = node.callee.type === 'Identifier' ? node.callee.name : null
      const first = node.arguments[0]
      const title = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : ''
      for (const argument of node.arguments) {
        if (!isFunction(argument)) continue
        if (isDescribe(node.callee)) suites.add(argument)
        else if (called !== null) names.set(argument, `${called}('${title}')`)
      }
    },
  }).visit(program)
  return { names, suites }
}

const functionsOf = (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.split('\n')
  const { program, errors, comments } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lineAt = (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
  const { names, suites } = namesOf(program)
  const found = []
  const measure = (node) => {
    if (suites.has(node) || node.body === null) return
    const line = lineAt(node.start)
    found.push({
      file,
      line,
      name: node.id?.name ?? names.get(node) ?? '(no name)',
      length: lineAt(node.end) - line + 1,
      reason: REASON.test(lines[line - 2] ?? ''),
    })
  }
  new Visitor({ FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure }).visit(
    program,
  )
  const reasons = comments.filter((comment) => comment.type === 'Line' && comment.value.startsWith(' long:'))
  return { found, reasons: reasons.map((comment) => lineAt(comment.start)) }
}

const firstComment = (file) => {
  const text = readFileSync(file, 'utf8')
  return text.match(/^\s*\/\*\*?([\s\S]*?)\*\//)?.[1] ?? ''
}

const isExplained = (folder) => {
  const readme = join(root, folder, 'README.md')
  if (existsSync(readme) && readFileSync(readme, 'utf8').length >= MIN_EXPLANATION) return true
  return ['index.ts', 'index.tsx', 'index.mjs']
    .map((name) => join(root, folder, name))
    .some((index) => existsSync(index) && firstComment(index).length >= MIN_EXPLANATION)
}

const problems = []
const files = sourceFiles()
let measured = 0

const owed = new Map(functionsInDebt.map((name) => [name, 0]))
for (const file of files.filter((path) => CODE.has(extname(path)))) {
  const { found, reasons } = functionsOf(file)
  measured += found.length
  const long = found.filter(({ length }) => length > MAX_LINES)
  for (const line of reasons) {
    if (!long.some((one) => one.line === line + 1))
      problems.push(
        `${file}:${line}: a reason for a long function stands above one of at most ${MAX_LINES} lines. Remove it.`,
      )
  }
  for (const one of long) {
    if (one.reason) continue
    if (owed.has(one.name)) owed.set(one.name, owed.get(one.name) + 1)
    else
      problems.push(
        `${file}:${one.line}: ${one.name} has ${one.length} lines (at most ${MAX_LINES}). Cut it into named parts, or say in the line above why it is one: // long: <reason>`,
      )
  }
}
for (const [name, count] of owed) {
  if (count === 0) problems.push(`tools/functions-debt.mjs: ${name} is short or gone. Remove it from the list.`)
  if (count > 1) problems.push(`tools/functions-debt.mjs: ${name} excuses ${count} functions; it may excuse one.`)
}

const folders = new Map()
for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
const unexplained = new Set()
for (const [folder, count] of folders) {
  if (count > MAX_FILES && !isExplained(folder)) unexplained.add(folder)
}
for (const folder of unexplained) {
  if (!foldersInDebt.includes(folder))
    problems.push(
      `${folder}: ${folders.get(folder)} files and not a word on what it is. Say it in three lines, in ${basename(folder)}/README.md or in the first comment of its index.`,
    )
}
for (const folder of foldersInDebt) {
  if (!unexplained.has(folder))
    problems.push(`tools/functions-debt.mjs: ${folder} is explained, small or gone. Remove it from the list.`)
}
if (measured === 0) problems.push('check-functions measured no function: it checked nothing')

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(
  `functions: ${measured} in ${files.length} files, ${functionsInDebt.length} and ${foldersInDebt.length} folders in debt, ${problems.length} problems\n`,
)
process.exit(problems.length === 0 ? 0 : 1)
