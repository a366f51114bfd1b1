import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { ROOT } from './spec-tables.ts'

/** Looks into sources for what no import can tell: the words at a call, the types of a table. */

export interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

export interface Source {
  /** From the root of the repository. */
  readonly path: string
  readonly program: Node
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export const child = (node: Node | null | undefined, field: string): Node | null => {
  const value = node?.[field]
  return isNode(value) ? value : null
}

export const children = (node: Node | null | undefined, field: string): readonly Node[] => {
  const value = node?.[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Name of an identifier, of a member's property, or of a key. */
export const nameOf = (node: Node | null): string | null => {
  if (node === null) return null
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'MemberExpression') return nameOf(child(node, 'property'))
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null
}

/** Visits a node and everything below it, with the nodes above (nearest last); the list is only good during the visit. */
export const walk = (node: Node, visit: (node: Node, above: readonly Node[]) => void, above: Node[] = []): void => {
  visit(node, above)
  above.push(node)
  for (const field in node) {
    const value = node[field]
    if (Array.isArray(value)) {
      for (const entry of value) if (isNode(entry)) walk(entry, visit, above)
    } else if (isNode(value)) walk(value, visit, above)
  }
  above.pop()
}

const sources = new Map<string, Source>()

export const readSource = (path: string): Source => {
  const known = sources.get(path) ?? parse(path)
  sources.set(path, known)
  return known
}

const parse = (path: string): Source => {
  const { program, errors } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'))
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const root: unknown = program
  if (!isNode(root)) throw new Error(`${path} has no program`)
  return { path, program: root }
}

/** Every source below a folder but tests and what only tests use. */
export const readSources = (folder: string): readonly Source[] => {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(?:test|fixture)\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !/\/(?:test|conformance)\/|\/test-[\w-]+\.ts$/.test(path))
    .toSorted()
  if (paths.length === 0) throw new Error(`${folder} has no source`)
  return paths.map(readSource)
}

/** Of all capabilities of the server. */
export const capabilityFolders = (): readonly string[] =>
  readSources('apps/server/src')
    .filter(({ path }) => basename(path) === 'capability.ts' && dirname(path) !== 'apps/server/src')
    .map(({ path }) => basename(dirname(path)))

/** Stands for what is only known when the program runs. */
export const VARIABLE = '…'

/**
 * The texts that an expression may be, `…` where something is put in; empty when nothing is known of it. Names of
 * constants of the same file are followed.
 */
export const textsOf = (node: Node | null, program?: Node): readonly string[] => {
  if (node === null) return []
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'TemplateLiteral') {
    const parts = children(node, 'quasis').map((quasi) => (quasi['value'] as { cooked: string }).cooked)
    return [parts.join(VARIABLE)]
  }
  if (node.type === 'ConditionalExpression') {
    return [...textsOf(child(node, 'consequent'), program), ...textsOf(child(node, 'alternate'), program)]
  }
  if (node.type === 'ParenthesizedExpression') return textsOf(child(node, 'expression'), program)
  if (node.type === 'BinaryExpression' && node['operator'] === '+') {
    const right = textsOf(child(node, 'right'), program)
    return textsOf(child(node, 'left'), program).flatMap((left) =>
      (right.length === 0 ? [VARIABLE] : right).map((text) => left + text),
    )
  }
  if (node.type === 'Identifier' && program !== undefined) {
    return textsOf(constant(program, String(node['name']), Number(node['start'])))
  }
  return []
}

/** What a `const` is set to, wherever it stands in its file; of several with that name, the last one before `before`. */
export const constant = (program: Node, name: string, before = Number.POSITIVE_INFINITY): Node | null => {
  let found: Node | null = null
  walk(program, (node) => {
    const declared = node.type === 'VariableDeclarator' && nameOf(child(node, 'id')) === name
    if (declared && (found === null || Number(node['start']) < before)) found = child(node, 'init')
  })
  return found
}

/** The function around a node: its name, when it is a `const name = (…) => …`, and its parameters. */
export const functionAround = (
  above: readonly Node[],
): { readonly name: string; readonly parameters: readonly string[] } | null => {
  for (let index = above.length - 1; index > 0; index -= 1) {
    const node = above[index]
    const holder = above[index - 1]
    if (node?.type !== 'ArrowFunctionExpression') continue
    const name = holder?.type === 'VariableDeclarator' ? nameOf(child(holder, 'id')) : null
    if (name === null) return null
    return { name, parameters: children(node, 'params').map((parameter) => nameOf(parameter) ?? '') }
  }
  return null
}

/** Every call `name(…)` or `thing.name(…)` and `new name(…)`. */
export const callsOf = (
  { program }: Source,
  names: ReadonlySet<string>,
): readonly { readonly name: string; readonly args: readonly Node[]; readonly above: readonly Node[] }[] => {
  const calls: { name: string; args: readonly Node[]; above: readonly Node[] }[] = []
  walk(program, (node, above) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return
    const name = nameOf(child(node, 'callee'))
    if (name !== null && names.has(name)) calls.push({ name, args: children(node, 'arguments'), above: [...above] })
  })
  return calls
}
