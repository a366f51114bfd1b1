import { hash } from 'node:crypto'
import type { Exception, NormalisedEvent } from '../../../event/event.ts'
import type { JudgedEvent, JudgedStack } from '../v1/in-app.ts'
import { parameterise } from '../v1/parameterise.ts'
import { familyOf } from '../v1/platform.ts'
import { silent, type Recorder } from '../v1/recorder.ts'
import { engineError } from './engine-messages.ts'
import type { FindPlace } from './images.ts'
import { hashStack, type StackStrength, type Surroundings, type Variant } from './stacktrace.ts'

/** One exception with its judged stack. */
export interface JudgedException {
  readonly exception: Exception
  readonly stack: JudgedStack | undefined
}

/**
 * The exceptions that count, oldest cause first (protocol.md 5.3, "Exception group").
 *
 * An exception group whose leaves are all alike counts as if the group was not there; otherwise its distinct top-level
 * children and the group itself count.
 */
export interface ExceptionSelection {
  readonly exceptions: readonly JudgedException[]
  /** The one that names the issue. */
  readonly main: JudgedException | undefined
  /** Each is the cause of the next, and the last one was caught: not the members of a group. */
  readonly isChain: boolean
  readonly hint: string | undefined
}

export const selectExceptions = (event: NormalisedEvent, judged: JudgedEvent, find: FindPlace): ExceptionSelection => {
  const all = (event.exception?.values ?? []).map((exception, index) => ({
    exception,
    stack: judged.exceptions[index],
  }))
  const plain = { exceptions: all, main: all.at(-1), isChain: all.length > 1, hint: undefined }
  if (all.length < 2 || !all.some(({ exception }) => exception.mechanism?.is_exception_group === true)) return plain
  const tree = readTree(all)
  if (tree === null) return plain
  const distinct = new Map<string, JudgedException>()
  for (const top of topLevel(tree, tree.root, new Set())) {
    const signature = exceptionSignature(top, { platform: event.platform, find })
    if (!distinct.has(signature)) distinct.set(signature, top)
  }
  const [first] = distinct.values()
  if (first === undefined) return plain
  if (distinct.size === 1) {
    return {
      exceptions: firstPath(tree, first).reverse(),
      main: first,
      isChain: false,
      hint: 'all members of the exception group are alike, so the group itself does not count',
    }
  }
  return {
    exceptions: [...[...distinct.values()].reverse(), tree.root],
    main: tree.root,
    isChain: false,
    hint: 'members of the exception group that are alike count once',
  }
}

interface ExceptionTree {
  readonly root: JudgedException
  readonly children: ReadonlyMap<number, readonly JudgedException[]>
}

const idOf = ({ exception }: JudgedException): number | undefined => exception.mechanism?.exception_id

/** Null when the ids do not make a tree. */
const readTree = (all: readonly JudgedException[]): ExceptionTree | null => {
  const children = new Map<number, JudgedException[]>()
  const ids = new Set<number>()
  let root: JudgedException | undefined
  for (const node of all) {
    const id = idOf(node)
    if (id === undefined || ids.has(id)) return null
    ids.add(id)
    const parent = node.exception.mechanism?.parent_id
    if (parent === undefined) {
      if (root !== undefined) return null
      root = node
    } else {
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [node])
      else siblings.push(node)
    }
  }
  return root === undefined ? null : { root, children }
}

const childrenOf = (tree: ExceptionTree, node: JudgedException): readonly JudgedException[] =>
  tree.children.get(idOf(node) ?? -1) ?? []

/** The first exceptions below a group that are not groups themselves. `seen` guards against cyclic parents. */
function* topLevel(tree: ExceptionTree, node: JudgedException, seen: Set<JudgedException>): Generator<JudgedException> {
  if (seen.has(node)) return
  seen.add(node)
  const children = childrenOf(tree, node)
  if (node.exception.mechanism?.is_exception_group !== true || children.length === 0) {
    yield node
    return
  }
  for (const child of children) yield* topLevel(tree, child, seen)
}

const firstPath = (tree: ExceptionTree, from: JudgedException): JudgedException[] => {
  const path: JudgedException[] = []
  let node: JudgedException | undefined = from
  while (node !== undefined && !path.includes(node)) {
    path.push(node)
    node = childrenOf(tree, node)[0]
  }
  return path
}

const exceptionSignature = (node: JudgedException, places: Surroundings): string => {
  const parts: string[] = []
  const variant: Variant = hasInAppFrame(node) ? 'app' : 'system'
  hashException(node, places, variant, false, parts, silent)
  return hash('md5', parts.join('\0'))
}

const hasInAppFrame = ({ stack }: JudgedException): boolean =>
  stack !== undefined && stack.flags.some((flag) => flag.inApp && flag.contributes)

/**
 * Whether the exception that was caught says where it was thrown, in the project's own code. Then the cause below it does
 * not count: the same "could not save" has a different cause each time that the network, the disk or a peer fails.
 */
const tellsEnough = (
  { exceptions, isChain }: ExceptionSelection,
  places: Surroundings,
  variant: Variant,
  includeMessage: boolean,
): boolean => {
  const outer = exceptions.at(-1)
  if (!isChain || variant !== 'app' || outer === undefined) return false
  return hashException(outer, places, variant, includeMessage, [], silent) === 'strong'
}

/**
 * Adds what the chain contributes to `parts`.
 *
 * @returns whether the variant contributes: `app` only when an in-app frame did
 */
export const hashChain = (
  selection: ExceptionSelection,
  places: Surroundings,
  variant: Variant,
  includeMessage: boolean,
  parts: string[],
  recorder: Recorder,
): boolean => {
  const chained = selection.exceptions.length > 1
  if (chained) recorder.open('chained-exception', 'chained exceptions')
  const outerAlone = tellsEnough(selection, places, variant, includeMessage)
  let stacked = false
  let any = false
  let previous = ''
  for (const node of selection.exceptions) {
    const isCause = outerAlone && node !== selection.exceptions.at(-1)
    if (isCause && recorder === silent) continue
    const own: string[] = []
    const hint = isCause ? 'ignored because the error it caused says where it was thrown' : undefined
    const outcome = hashException(node, places, variant, includeMessage, own, recorder, hint)
    if (isCause) continue
    stacked ||= outcome === 'strong' || outcome === 'weak'
    // A rethrown copy of the same exception says nothing new.
    const signature = own.join('\0')
    if (own.length > 0 && signature !== previous) for (const part of own) parts.push(part)
    any ||= own.length > 0
    previous = signature
  }
  const contributes = variant === 'app' ? stacked : any
  if (chained) recorder.close(contributes, selection.hint)
  return contributes
}

/** @param overruled why the exception does not count, when it does not */
const hashException = (
  { exception, stack }: JudgedException,
  places: Surroundings,
  variant: Variant,
  includeMessage: boolean,
  parts: string[],
  recorder: Recorder,
  overruled?: string,
): 'strong' | 'weak' | 'value' | 'nothing' => {
  recorder.open('exception', 'exception')
  const begin = parts.length
  const value = exception.value ?? ''
  const isScript = familyOf(places.platform) === 'javascript'
  const thrownByEngine = isScript ? engineError(exception.type ?? '', value) : null
  const type = thrownByEngine?.type ?? exception.type ?? ''
  const synthetic = exception.mechanism?.synthetic === true
  recorder.leaf(
    'type',
    'type',
    type,
    type !== '' && !synthetic,
    synthetic ? 'ignored because the SDK made it up' : undefined,
  )
  if (type !== '' && !synthetic) parts.push(type)

  const nsError = readNsError(exception)
  if (nsError !== '') {
    recorder.leaf('ns-error', 'NSError', nsError, true)
    parts.push(nsError)
  }

  const strength = stack === undefined ? 'nothing' : hashStack(stack, places, variant, parts, recorder)
  const stacked = strength !== 'nothing'
  const useValue =
    value !== '' &&
    nsError === '' &&
    (stack === undefined ||
      includeMessage ||
      (strength === 'weak' && thrownByEngine !== null) ||
      (!stacked && variant === 'system'))
  const text = useValue || recorder !== silent ? (thrownByEngine?.value ?? parameterise(value)) : ''
  if (value !== '') {
    const hint = useValue ? usedHint(strength, thrownByEngine !== null, text !== value) : unusedHint(strength, nsError)
    recorder.leaf('value', 'value', text, useValue, hint)
  }
  if (useValue) parts.push(text)
  recorder.close(overruled === undefined && parts.length > begin, overruled)
  if (strength !== 'nothing') return strength
  return parts.length > begin ? 'value' : 'nothing'
}

const usedHint = (strength: StackStrength, byEngine: boolean, changed: boolean): string | undefined => {
  if (strength === 'weak' && byEngine) return 'used because the frame that threw has no name; the same in every browser'
  if (!changed) return undefined
  return byEngine ? 'the same in every browser' : 'varying parts replaced'
}

const unusedHint = (strength: StackStrength, nsError: string): string => {
  if (nsError !== '') return 'the domain and code of the NSError take its place'
  if (strength === 'weak') return 'ignored because the program wrote it, and it may hold what users entered'
  return strength === 'strong'
    ? 'ignored because the stack trace takes its place'
    : 'ignored because the exception has a stack trace'
}

const readNsError = (exception: Exception): string => {
  const error = exception.mechanism?.meta?.['ns_error']
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return ''
  const { domain, code } = error as { domain?: unknown; code?: unknown }
  if (typeof domain !== 'string') return ''
  return typeof code === 'number' || typeof code === 'string' ? `${domain} ${code}` : domain
}
