import { memoise } from '../v1/memoise.ts'

/** Class and method as they are written in the source. */
export interface DotnetPlace {
  readonly module: string
  readonly called: string
}

/** After `>d` in the class that the compiler makes of an async method or an iterator: `Shop.Basket+<AddAsync>d__5`. */
const AFTER_METHOD = /^(?:__\d{1,6})?(?:`\d{1,2})?(?:\[[^\]]*\])?$/
/** Classes that hold what a lambda captures: `<>c__DisplayClass5_0`, `<>c`. */
const CLOSURE = /[.+]<>c(?:__DisplayClass\d{1,6}_\d{1,6})?(?:`\d{1,2})?(?=$|[.+])/g
/** `<Main>b__0_1`, also in the name of the state machine of an async lambda. */
const LAMBDA = /^<(?<method>[^<>]+)>b__\d{1,6}(?:_\d{1,6})?$/
/** `<Main>g__Local|0_1` */
const LOCAL_FUNCTION = /^<[^<>]+>g__(?<method>[^|]+)\|\d{1,6}(?:_\d{1,6})?$/
const MOVE_NEXT = /^(?:(?<owner>.+)\.)?MoveNext(?:\(\))?$/s

/**
 * Undoes what the C# compiler makes of async methods, iterators, lambdas and local functions: its numbers change with
 * every edit of the file. New SDKs undo some of it themselves; both forms give the same names. Null when nothing is
 * generated.
 */
export const dotnetPlace = (module: string, name: string): DotnetPlace | null =>
  module.includes('<') || name.includes('<') ? remembered(`${module}\n${name}`) : null

const remembered = memoise((key): DotnetPlace | null => {
  const end = key.indexOf('\n')
  const sentModule = key.slice(0, end)
  const name = key.slice(end + 1)
  const moveNext = MOVE_NEXT.exec(name)
  // The whole name may stand in the function: `Shop.Basket.<AddAsync>d__5.MoveNext()`.
  const isInModule = moveNext !== null && moveNext.groups?.['owner'] === undefined
  const machine = readStateMachine(isInModule ? sentModule : (moveNext?.groups?.['owner'] ?? name))
  const owner = machine === null ? sentModule : machine.owner || (isInModule ? '' : sentModule)
  const module = owner.replace(CLOSURE, '')
  const called = sourceName(machine?.method ?? name)
  return module === sentModule && called === name ? null : { module, called }
})

const readStateMachine = (text: string): { readonly owner: string; readonly method: string } | null => {
  const begin = Math.max(text.lastIndexOf('+<'), text.lastIndexOf('.<')) + 1
  const end = text.lastIndexOf('>d')
  if (text[begin] !== '<' || end <= begin || !AFTER_METHOD.test(text.slice(end + 2))) return null
  return { owner: text.slice(0, Math.max(0, begin - 1)), method: text.slice(begin + 1, end) }
}

const sourceName = (name: string): string => {
  const lambda = LAMBDA.exec(name)?.groups?.['method']
  if (lambda !== undefined) return `${lambda} { <lambda> }`
  return LOCAL_FUNCTION.exec(name)?.groups?.['method'] ?? name
}
