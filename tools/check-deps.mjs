/**
 * Checks every import of the sources against architecture.mjs. Fails when an import is not allowed, when a file belongs
 * to no area, and when it saw no file at all (a checker that looks at nothing must not say "fine").
 */
import { readdirSync, readFileSync, existsSync, statSync } from 'node:fs'
import { dirname, extname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { areas, debt, faces } from '../architecture.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const SOURCES = ['packages', 'apps']
const CODE = new Set(['.ts', '.tsx', '.mts', '.mjs', '.js'])
const isTest = (file) =>
  /\.(test|fixture)\.tsx?$/.test(file) ||
  /\/(test|testing|conformance)\//.test(file) ||
  /\/(test-[\w-]+|testing)\.ts$/.test(file)

const listFiles = () => {
  const files = []
  for (const top of SOURCES) {
    for (const entry of readdirSync(join(root, top), { withFileTypes: true, recursive: true })) {
      const path = relative(root, join(entry.parentPath ?? entry.path, entry.name))
      if (!entry.isFile() || /(^|\/)(node_modules|dist)\//.test(path) || !CODE.has(extname(path))) continue
      if (path.includes('/src/') || path.includes('/bin/') || path.includes('/test/')) files.push(path)
    }
  }
  return files.toSorted((one, other) => (one < other ? -1 : 1))
}

const areaNames = Object.keys(areas).sort((a, b) => b.length - a.length)
const areaOf = (path) => areaNames.find((name) => path === name || path.startsWith(`${name}/`)) ?? null

const workspaces = new Map()
for (const top of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, top))) {
    const manifest = join(root, top, name, 'package.json')
    if (existsSync(manifest)) workspaces.set(JSON.parse(readFileSync(manifest, 'utf8')).name, `${top}/${name}`)
  }
}

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Every imported specifier of a file: `{ specifier, typeOnly, line }`. */
const importsOf = (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const lineAt = (offset) => text.slice(0, offset).split('\n').length
  const found = []
  for (const statement of module.staticImports) {
    const typeOnly = statement.entries.length > 0 && statement.entries.every((entry) => entry.isType)
    found.push({ specifier: statement.moduleRequest.value, typeOnly, line: lineAt(statement.start) })
  }
  for (const statement of module.staticExports) {
    for (const entry of statement.entries) {
      if (entry.moduleRequest)
        found.push({ specifier: entry.moduleRequest.value, typeOnly: entry.isType, line: lineAt(statement.start) })
    }
  }
  for (const dynamic of module.dynamicImports) {
    const source = text.slice(dynamic.moduleRequest.start, dynamic.moduleRequest.end)
    if (/^['"]/.test(source))
      found.push({ specifier: source.slice(1, -1), typeOnly: false, line: lineAt(dynamic.start) })
  }
  return found
}

const problems = []
/** Grants that an import needed: `area may x`, `area types x`, `area packages x`. */
const used = new Set()
const use = (area, list, name) => used.add(`${area} ${list} ${name}`)
const files = listFiles()
let imports = 0

/** The slice with a face that a path belongs to. */
const sliceOf = (path) => {
  for (const face of Object.keys(faces)) {
    if (face.endsWith('/*')) {
      const parent = face.slice(0, -1)
      if (path.startsWith(parent)) return parent + path.slice(parent.length).split('/')[0]
    } else if (path.startsWith(`${face}/`)) return face
  }
  return null
}
const isFace = (slice, target) => {
  const patterns = faces[slice] ?? faces[`${dirname(slice)}/*`] ?? []
  return patterns.some((pattern) => pattern.test(target.slice(slice.length + 1)))
}
const composes = (file) => dirname(file) === 'apps/server/src' || dirname(file) === 'apps/server/src/commands'

for (const file of files) {
  if (isTest(file)) continue
  const own = areaOf(file)
  if (own === null) {
    problems.push(`${file}: belongs to no area of architecture.mjs. Add its folder there.`)
    continue
  }
  const rule = areas[own]
  for (const { specifier, typeOnly, line } of importsOf(file)) {
    imports += 1
    const where = `${file}:${line}`
    if (specifier.startsWith('.')) {
      const target = normalize(join(dirname(file), specifier.replace(/\?.*$/, '')))
      const area = areaOf(target)
      const slice = sliceOf(target)
      const throughFace =
        typeOnly ||
        slice === null ||
        slice === sliceOf(file) ||
        isFace(slice, target) ||
        areaOf(target) !== areaOf(`${slice}/index.ts`) ||
        composes(file)
      if (!throughFace)
        problems.push(`${where}: import values of ${slice} from its face (architecture.mjs), not from ${specifier}`)
      if (area === null || area === own) continue
      if (rule.may.includes(area)) {
        use(own, 'may', area)
        continue
      }
      const asTypes = typeOnly && rule.types?.find((name) => name === area || target.startsWith(`${name}/`))
      if (asTypes) {
        use(own, 'types', asTypes)
        continue
      }
      if (debt.some((entry) => entry.from === file && entry.to === area)) continue
      problems.push(
        `${where}: ${own} may not import ${area}${typeOnly ? ' (not even types)' : rule.types?.includes(area) ? ' (types only)' : ''}: ${specifier}`,
      )
    } else {
      const name = packageOf(specifier)
      const workspace = workspaces.get(name)
      if (workspace !== undefined) {
        const asTypes = typeOnly && rule.types?.includes(workspace) === true
        use(own, rule.may.includes(workspace) ? 'may' : 'types', workspace)
        if (workspace !== own && !rule.may.includes(workspace) && !asTypes && !own.startsWith(`${workspace}/`)) {
          problems.push(`${where}: ${own} may not import ${workspace}`)
        }
        continue
      }
      const grant = specifier.startsWith('node:') && rule.packages.includes('node:*') ? 'node:*' : name
      use(own, 'packages', grant)
      if (!rule.packages.includes(grant))
        problems.push(`${where}: ${own} may not import the package ${name}. If it should, list it in architecture.mjs.`)
    }
  }
}

for (const name of areaNames) {
  for (const list of ['may', 'types', 'packages']) {
    for (const grant of areas[name][list] ?? []) {
      if (!used.has(`${name} ${list} ${grant}`))
        problems.push(`architecture.mjs: ${name} does not use its grant "${grant}" (${list}). Take it out.`)
    }
  }
  if (!existsSync(join(root, name))) problems.push(`architecture.mjs: the area ${name} does not exist`)
  else if (statSync(join(root, name)).isDirectory() && !files.some((file) => file.startsWith(`${name}/`))) {
    problems.push(`architecture.mjs: the area ${name} has no source file`)
  }
}
if (files.length === 0 || imports === 0) problems.push('check-deps saw no file or no import: it checked nothing')

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`architecture: ${files.length} files, ${imports} imports, ${problems.length} problems\n`)
process.exit(problems.length === 0 ? 0 : 1)
