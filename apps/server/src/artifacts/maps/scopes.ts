import { Parser, type AnyNode, type Expression, type Function, type Pattern, type PrivateIdentifier } from 'acorn'

/**
 * The functions of generated code, and what they are called there. Names follow what Sentry's `js-source-scopes` gives, so
 * that one error has one title in both.
 */
export interface Scope {
  /** Offsets in the code, the end excluded. Scopes hold one another or stand apart. */
  readonly start: number
  readonly end: number
  /** Null of a function that has no name: a callback, or one that is called where it stands. */
  readonly name: readonly NamePart[] | null
}

/** Text as it stands, or an identifier whose original is looked up at its offset. */
export type NamePart = string | { readonly identifier: string; readonly start: number }

/** @returns null when the code cannot be parsed: its map is used all the same */
export const scopesOf = (code: string): readonly Scope[] | null => {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      const scopes: Scope[] = []
      const program = parserInto(scopes).parse(code, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: sourceType === 'module',
      })
      collect(program, scopes)
      return scopes.toSorted((a, b) => a.start - b.start || b.end - a.end)
    } catch {
      // The other kind of code may have another syntax; deep nesting throws a RangeError.
    }
  }
  return null
}

type ParseBody = (this: Parser, node: Function, ...more: readonly boolean[]) => void

const { parseFunctionBody } = Parser.prototype as Parser & { readonly parseFunctionBody: ParseBody }

/**
 * A parser that looks for functions in the body of each one as soon as it has read it, and lets go of that body: the whole
 * tree of a program takes sixty times the bytes of its code. What a function is called stands around it.
 */
const parserInto = (scopes: Scope[]): typeof Parser =>
  class extends Parser {
    parseFunctionBody(node: Function, ...more: readonly boolean[]): void {
      parseFunctionBody.call(this, node, ...more)
      const { body } = node
      collect(body, scopes)
      node.body = { type: 'BlockStatement', start: body.start, end: body.end, body: [] }
    }
  }

/** Adds the functions in a part of the program, in no order. */
const collect = (part: AnyNode, scopes: Scope[]): void => {
  // A stack of its own: code may be nested deeper than calls.
  const waiting: Named[] = [{ node: part, name: null, owner: null }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const scope = scopeOf(next)
    if (scope !== null) scopes.push(scope)
    waiting.push(...partsOf(next))
  }
}

/** A node, and what it would be called where it stands. */
interface Named {
  readonly node: AnyNode
  readonly name: readonly NamePart[] | null
  /** Name of the class or of the object around it; null where there is none. */
  readonly owner: readonly NamePart[] | null
}

const scopeOf = ({ node, name }: Named): Scope | null => {
  const { type, start, end } = node
  if (type === 'FunctionDeclaration' || type === 'FunctionExpression') {
    return { start, end, name: node.id ? [partOf(node.id)] : name }
  }
  if (type === 'ArrowFunctionExpression') return { start, end, name }
  if (type !== 'ClassDeclaration' && type !== 'ClassExpression') return null
  const called = classNameOf(node, name)
  return { start, end, name: called === null ? null : ['new ', ...called] }
}

const partOf = ({ name, start }: { readonly name: string; readonly start: number }): NamePart => ({
  identifier: name,
  start,
})

const classNameOf = (
  node: Extract<AnyNode, { type: 'ClassDeclaration' | 'ClassExpression' }>,
  name: readonly NamePart[] | null,
): readonly NamePart[] | null => (node.id ? [partOf(node.id)] : name)

/** What stands in a node, with the names that it gives. */
const partsOf = ({ node, name, owner }: Named): Named[] => {
  const { type } = node
  if (type === 'VariableDeclarator') return [unnamed(node.id), ...some(node.init, pathOf(node.id))]
  if (type === 'AssignmentExpression' || type === 'AssignmentPattern') {
    return [unnamed(node.left), ...some(node.right, pathOf(node.left))]
  }
  if (type === 'ObjectExpression')
    return node.properties.map((property) => ({ node: property, name: null, owner: name }))
  if (type === 'ClassDeclaration' || type === 'ClassExpression') {
    const called = classNameOf(node, name)
    const members = node.body.body.map((member) => ({ node: member, name: null, owner: called }))
    return [...some(node.superClass, null), ...members]
  }
  if (type === 'Property' || type === 'MethodDefinition') {
    const called = node.kind === 'constructor' ? constructorOf(owner) : memberOf(owner, node, prefixOf(node.kind))
    return [...computedKey(node), ...some(node.value, called)]
  }
  if (type === 'PropertyDefinition') return [...computedKey(node), ...some(node.value, memberOf(owner, node, ''))]
  return childrenOf(node).map(unnamed)
}

const unnamed = (node: AnyNode): Named => ({ node, name: null, owner: null })

const some = (node: AnyNode | null | undefined, name: readonly NamePart[] | null): Named[] =>
  node ? [{ node, name, owner: null }] : []

const computedKey = (node: { readonly computed: boolean; readonly key: Expression | PrivateIdentifier }): Named[] =>
  node.computed ? [unnamed(node.key)] : []

const constructorOf = (owner: readonly NamePart[] | null): readonly NamePart[] | null =>
  owner === null ? null : ['new ', ...owner]

const prefixOf = (kind: string): string => (kind === 'get' || kind === 'set' ? `${kind} ` : '')

/** `Class.method`, `get Class.size`, `object.method`; without its owner where that has no name. */
const memberOf = (
  owner: readonly NamePart[] | null,
  member: { readonly computed: boolean; readonly key: Expression | PrivateIdentifier },
  prefix: string,
): readonly NamePart[] => [
  ...(prefix === '' ? [] : [prefix]),
  ...(owner === null ? [] : [...owner, '.']),
  keyOf(member),
]

const keyOf = ({ computed, key }: { computed: boolean; key: Expression | PrivateIdentifier }): NamePart => {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  if (key.type === 'Literal' && typeof key.value === 'string') return `<${JSON.stringify(key.value)}>`
  if (key.type === 'Literal' && typeof key.value === 'number') return `<${key.value}>`
  return key.type === 'Identifier' && !computed ? partOf(key) : '<computed>'
}

/** `a.b.c`, `a["b"]`, `a[<computed>]` of what is assigned to; null of a pattern. */
const pathOf = (target: Pattern | Expression): readonly NamePart[] | null => {
  const parts: NamePart[] = []
  let node: AnyNode = target
  while (node.type === 'MemberExpression') {
    const { property, computed } = node
    if (property.type === 'PrivateIdentifier') parts.unshift('.', `#${property.name}`)
    else if (!computed && property.type === 'Identifier') parts.unshift('.', partOf(property))
    else if (property.type === 'Literal' && typeof property.value === 'string') {
      parts.unshift(`[${JSON.stringify(property.value)}]`)
    } else parts.unshift('[<computed>]')
    node = node.object
  }
  if (node.type === 'Identifier') return [partOf(node), ...parts]
  if (node.type === 'ThisExpression') return ['this', ...parts]
  return null
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: AnyNode): AnyNode[] =>
  Object.values(node).flatMap((value: unknown) => {
    if (Array.isArray(value)) return value.filter(isNode)
    return isNode(value) ? [value] : []
  })
