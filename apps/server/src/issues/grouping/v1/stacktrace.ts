import { isRecurring, oncePerRecurring } from '../../../lib/recurring.ts'
import type { Frame } from '../../../event/event.ts'
import { contextLinePart, filenamePart, functionPart, isUrl, modulePart } from './frame-parts.ts'
import type { JudgedStack } from './in-app.ts'
import { familyOf } from './platform.ts'
import { silent, type Recorder } from './recorder.ts'

/** `app` hashes the project's own frames, `system` all of them. */
export type Variant = 'app' | 'system'

/**
 * How much a stack says. `weak`: its frame nearest to the crash is a script without a function or a source line, as in
 * minified code without source maps; unrelated errors of one bundle look like that, so their messages count as well.
 */
export type StackStrength = 'nothing' | 'weak' | 'strong'

/**
 * Adds what the stack contributes to `parts`, outermost call first. Never line or column numbers, absolute paths or
 * variables (protocol.md 5.3).
 */
export const hashStack = (
  stack: JudgedStack,
  platform: string,
  variant: Variant,
  parts: string[],
  recorder: Recorder,
): StackStrength => {
  if (recorder !== silent || !isRecurring(stack)) return hashFrames(stack, platform, variant, parts, recorder)
  const known = stackHashed(stack)
  known[variant] ??= hashAlone(stack, platform, variant)
  for (const part of known[variant].parts) parts.push(part)
  return known[variant].strength
}

interface HashedStack {
  readonly parts: readonly string[]
  readonly strength: StackStrength
}

/** What recurring stacks contribute. A judgement is about one platform, so the platform need not be part of the key. */
const stackHashed = oncePerRecurring((_stack: JudgedStack): { [Key in Variant]?: HashedStack } => ({}))

const hashAlone = (stack: JudgedStack, platform: string, variant: Variant): HashedStack => {
  const parts: string[] = []
  const strength = hashFrames(stack, platform, variant, parts, silent)
  return { parts, strength }
}

const hashFrames = (
  stack: JudgedStack,
  platform: string,
  variant: Variant,
  parts: string[],
  recorder: Recorder,
): StackStrength => {
  recorder.open('stacktrace', 'stack trace')
  const { frames, flags, bounds } = stack
  const start = parts.length
  /** Where each contributing frame's parts begin. */
  const begins: number[] = []
  let previous: Frame | undefined
  let nearest: FrameStrength = 'nothing'
  for (const [index, frame] of frames.entries()) {
    const flag = flags[index]
    if (flag === undefined) continue
    const framePlatform = frame.platform ?? platform
    recorder.open('frame', 'frame')
    const repeated = previous !== undefined && isRecursion(previous, frame)
    previous = frame
    const before = parts.length
    const strength = hashFrame(frame, framePlatform, parts, recorder)
    const reason = !flag.contributes
      ? (flag.hint ?? 'ignored by a rule')
      : variant === 'app' && !flag.inApp
        ? flag.hint === undefined
          ? 'not in-app'
          : `not in-app: ${flag.hint}`
        : repeated
          ? 'ignored because it repeats the frame before (recursion)'
          : undefined
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
  const only = frames.length === 1 ? frames[0] : undefined
  if (only !== undefined && isBarePageFrame(only, only.platform ?? platform)) {
    parts.length = start
    hint = 'ignored because its only frame is a URL without a function'
  }
  if (begins.length === 0 && hint === undefined) hint = variant === 'app' ? 'no in-app frame' : 'no frame with a name'
  const contributes = parts.length > start
  recorder.close(contributes, hint)
  if (!contributes) return 'nothing'
  return nearest === 'file' ? 'weak' : 'strong'
}

/** `file`: a script's name and nothing else. */
type FrameStrength = 'nothing' | 'file' | 'named'

const isRecursion = (a: Frame, b: Frame): boolean =>
  a.function === b.function &&
  a.lineno === b.lineno &&
  a.colno === b.colno &&
  a.filename === b.filename &&
  a.abs_path === b.abs_path &&
  a.module === b.module &&
  a.package === b.package

const isBarePageFrame = (frame: Frame, platform: string): boolean =>
  familyOf(platform) === 'javascript' &&
  isUrl(frame.abs_path ?? frame.filename ?? '') &&
  functionPart(frame, platform).value === '' &&
  contextLinePart(frame, platform).value === ''

const hashFrame = (frame: Frame, platform: string, parts: string[], recorder: Recorder): FrameStrength => {
  const begin = parts.length
  const module = modulePart(frame, platform)
  const filename = filenamePart(frame, platform)
  const called = functionPart(frame, platform)
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
  const sourceMapped = frame.data?.['sourcemap'] !== undefined || frame.data?.['symbolicated'] === true
  const useFunction = called.value !== '' && !(javascript && line.value !== '')
  recorder.leaf(
    'function',
    'function',
    called.value,
    useFunction,
    called.value !== '' && !useFunction
      ? sourceMapped
        ? 'the source line takes its place in source-mapped code'
        : 'the source line takes its place'
      : called.hint,
  )
  recorder.leaf('context-line', 'source line', line.value, line.value !== '', line.hint)

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
