import { isRecurring, oncePerRecurring } from '../../../lib/recurring.ts'
import type { Frame } from '../../../event/event.ts'
import type { JudgedStack } from '../v1/in-app.ts'
import { familyOf } from '../v1/platform.ts'
import { silent, type Recorder } from '../v1/recorder.ts'
import { contextLinePart, functionPart, isUrl, placeParts } from './frame-parts.ts'
import type { FindPlace } from './images.ts'
import { isAsyncCaller, isLowQuality } from './low-quality.ts'

/** `app` hashes the project's own frames, `system` all of them. */
export type Variant = 'app' | 'system'

/** What frames mean depends on the event around them. */
export interface Surroundings {
  /** Of the event. */
  readonly platform: string
  readonly find: FindPlace
}

/**
 * How much a stack says. `weak`: its frame nearest to the crash is a script without a function or a source line, as in
 * minified code without source maps, or a library without an offset.
 */
export type StackStrength = 'nothing' | 'weak' | 'strong'

/**
 * Adds what the stack contributes to `parts`, outermost call first. Never line or column numbers, absolute paths or
 * variables (protocol.md 5.3).
 */
export const hashStack = (
  stack: JudgedStack,
  places: Surroundings,
  variant: Variant,
  parts: string[],
  recorder: Recorder,
): StackStrength => {
  if (recorder !== silent || !isRecurring(stack) || hasAddressOnly(stack)) {
    return hashFrames(stack, places, variant, parts, recorder)
  }
  const known = stackHashed(stack)
  known[variant] ??= hashAlone(stack, places, variant)
  const { text, strength } = known[variant]
  if (strength !== 'nothing') parts.push(text)
  return strength
}

/** The same address is another place when a library was loaded elsewhere: the images of each event are asked. */
const hasAddressOnly = oncePerRecurring((stack: JudgedStack): boolean =>
  stack.frames.some((frame) => frame.instruction_addr !== undefined),
)

interface HashedStack {
  /** The parts as they are joined before they are hashed. */
  readonly text: string
  readonly strength: StackStrength
}

/** What recurring stacks contribute. A judgement is about one platform, so the platform need not be part of the key. */
const stackHashed = oncePerRecurring((_stack: JudgedStack): { [Key in Variant]?: HashedStack } => ({}))

const hashAlone = (stack: JudgedStack, places: Surroundings, variant: Variant): HashedStack => {
  const parts: string[] = []
  const strength = hashFrames(stack, places, variant, parts, silent)
  return { text: parts.join('\0'), strength }
}

const hashFrames = (
  stack: JudgedStack,
  places: Surroundings,
  variant: Variant,
  parts: string[],
  recorder: Recorder,
): StackStrength => {
  recorder.open('stacktrace', 'stack trace')
  const { bounds } = stack
  const lowQuality = stack.frames.map((frame) => isLowQuality(frame, frame.platform ?? places.platform))
  const start = parts.length
  /** Where each contributing frame's parts begin. */
  const begins: number[] = []
  const reasonOf = createReasons(stack, lowQuality, places.platform, variant)
  let nearest: FrameStrength = 'nothing'
  let previous = ''
  for (const [index, frame] of stack.frames.entries()) {
    recorder.open('frame', 'frame')
    const before = parts.length
    const strength = hashFrame(frame, places, parts, recorder)
    const isScript = familyOf(frame.platform ?? places.platform) === 'javascript'
    const said = isScript && strength === 'named' ? parts.slice(before).join('\0') : ''
    const reason = reasonOf(frame, index) ?? (said !== '' && said === previous ? REPEATED : undefined)
    if (lowQuality[index] !== true) previous = said
    const counts = strength !== 'nothing' && reason === undefined
    if (counts) {
      begins.push(before)
      nearest = strength
    } else parts.length = before
    recorder.close(counts, reason)
  }
  let hint: string | undefined
  if (begins.length > bounds.maxFrames) {
    const keep = begins[begins.length - bounds.maxFrames] ?? parts.length
    parts.splice(start, keep - start)
    hint = `only the ${bounds.maxFrames} frames nearest to the crash are used, by the project's rule`
  }
  if (begins.length < bounds.minFrames) {
    parts.length = start
    hint = `fewer than ${bounds.minFrames} frames, by the project's rule`
  }
  if (hasBareFrameOnly(stack, lowQuality, places.platform)) {
    parts.length = start
    hint = 'ignored because its only frame is a URL without a function'
  }
  if (begins.length === 0 && hint === undefined) hint = variant === 'app' ? 'no in-app frame' : 'no frame with a name'
  const contributes = parts.length > start
  recorder.close(contributes, hint)
  if (!contributes) return 'nothing'
  return nearest === 'file' ? 'weak' : 'strong'
}

/** Engines place the last call of an endless recursion differently: at the beginning of the function, or where it calls. */
const REPEATED = 'ignored because it repeats the frame before (recursion)'

/** Why a frame does not count, whatever it holds. Undefined when it does. Asked in the order of the stack. */
const createReasons = (
  { frames, flags }: JudgedStack,
  lowQuality: readonly boolean[],
  platform: string,
  variant: Variant,
): ((frame: Frame, index: number) => string | undefined) => {
  const isWaiting = (frame: Frame): boolean => isAsyncCaller(frame, frame.platform ?? platform)
  const hasCallee = frames.some((frame, index) => {
    const flag = flags[index]
    const counts = flag?.contributes === true && (variant === 'system' || flag.inApp) && lowQuality[index] !== true
    return counts && !isWaiting(frame)
  })
  let previous: Frame | undefined
  return (frame, index) => {
    const flag = flags[index]
    const isOfEngine = lowQuality[index] === true
    const repeated = previous !== undefined && isRecursion(previous, frame)
    if (!isOfEngine) previous = frame
    if (flag?.contributes !== true) return flag?.hint ?? 'ignored by a rule'
    if (variant === 'app' && !flag.inApp) return flag.hint === undefined ? 'not in-app' : `not in-app: ${flag.hint}`
    if (isOfEngine) return 'ignored because not every browser has this frame'
    if (repeated) return REPEATED
    return hasCallee && isWaiting(frame)
      ? 'ignored because not every browser names those who wait for a function'
      : undefined
  }
}

/** `file`: a script's or library's name and nothing else. */
type FrameStrength = 'nothing' | 'file' | 'named'

const isRecursion = (a: Frame, b: Frame): boolean =>
  a.function === b.function &&
  a.lineno === b.lineno &&
  a.colno === b.colno &&
  a.filename === b.filename &&
  a.abs_path === b.abs_path &&
  a.module === b.module &&
  a.package === b.package &&
  a.instruction_addr === b.instruction_addr

/** Frames that not every browser has do not make a stack longer. */
const hasBareFrameOnly = ({ frames }: JudgedStack, lowQuality: readonly boolean[], platform: string): boolean => {
  const first = lowQuality.indexOf(false)
  const only = frames[first]
  if (only === undefined || lowQuality.includes(false, first + 1)) return false
  const own = only.platform ?? platform
  return (
    familyOf(own) === 'javascript' &&
    isUrl(only.abs_path ?? only.filename ?? '') &&
    functionPart(only, own).value === '' &&
    contextLinePart(only, own).value === ''
  )
}

const hashFrame = (frame: Frame, places: Surroundings, parts: string[], recorder: Recorder): FrameStrength => {
  const begin = parts.length
  const platform = frame.platform ?? places.platform
  const { module, filename, called, library } = placeParts(frame, platform, places.find)
  const line = contextLinePart(frame, platform)

  recorder.leaf('module', 'module', module.value, module.value !== '', module.hint)
  const useFilename = module.value === '' && filename.value !== ''
  recorder.leaf(
    'filename',
    'file name',
    filename.value,
    useFilename,
    module.value === '' ? filename.hint : 'the module takes its place',
  )
  const javascript = familyOf(platform) === 'javascript'
  const useFunction = called.value !== '' && !(javascript && line.value !== '')
  const replaced = called.value !== '' && !useFunction ? 'the source line takes its place' : called.hint
  recorder.leaf('function', 'function', called.value, useFunction, replaced)
  recorder.leaf('context-line', 'source line', line.value, line.value !== '', line.hint)
  if (library !== null) {
    const { library: name, offset } = library
    const value = offset === undefined ? name : `${name}+${offset}`
    recorder.leaf('package', 'library and offset', value, true, offset === undefined ? 'offset unknown' : undefined)
    parts.push(value)
    return offset === undefined ? 'file' : 'named'
  }

  // An address or a page alone says nothing about the code.
  if (
    !useFunction &&
    line.value === '' &&
    (javascript ? filename.value === '<chunk>' : familyOf(platform) === 'native')
  ) {
    return 'nothing'
  }
  if (module.value !== '') parts.push(module.value)
  else if (useFilename) parts.push(filename.value)
  if (useFunction) parts.push(called.value)
  if (line.value !== '') parts.push(line.value)
  if (parts.length === begin) return 'nothing'
  return javascript && useFilename && !useFunction && line.value === '' ? 'file' : 'named'
}
