import { isRecurring, markRecurring, oncePerRecurring } from '../../../lib/recurring.ts'
import type { Work } from '../../../lib/work.ts'
import type { Exception, Frame, NormalisedEvent, Stacktrace } from '../../../event/event.ts'
import { builtInRule } from './built-in-rules.ts'
import { applyStackRules, type FrameFlags, type StackBounds, type StackRule } from './stack-rules.ts'

/** A stack trace with every rule's verdict on its frames: what the strategies read. */
export interface JudgedStack {
  readonly frames: readonly Frame[]
  readonly flags: readonly FrameFlags[]
  readonly bounds: StackBounds
}

const UNBOUNDED = Number.MAX_SAFE_INTEGER

/**
 * Decides for every frame whether it is the project's own code: the SDK's opinion, then the built-in rules, then the
 * project's (protocol.md 5.2).
 *
 * When the SDK has no opinion about any frame, frames are in-app unless a rule says otherwise; when it says yes to
 * some, silence means no.
 */
export const judgeStack = (
  { frames }: Stacktrace,
  platform: string,
  rules: readonly StackRule[],
  exception: Exception | undefined,
  work: Work,
): JudgedStack => {
  const judge = (): JudgedStack => judgeFrames(frames, platform, rules, exception, work)
  if (!isRecurring(frames) || rules.some((rule) => rule.exceptionMatchers.length > 0)) return judge()
  const known = judgedBefore.get(frames)
  // What was remembered costs an event the same, so that its end does not depend on what came before it.
  if (known?.platform === platform && known.rules === rules && known.steps <= work.left) {
    work.spend(known.steps)
    return known.judged
  }
  const { left } = work
  const judged = markRecurring(judge())
  if (!work.isSpent) judgedBefore.set(frames, { platform, rules, judged, steps: left - work.left })
  return judged
}

/** The last judgement about recurring frames: mostly one project has them, and one platform. */
const judgedBefore = new WeakMap<
  readonly Frame[],
  {
    readonly platform: string
    readonly rules: readonly StackRule[]
    readonly judged: JudgedStack
    readonly steps: number
  }
>()

const judgeFrames = (
  frames: readonly Frame[],
  platform: string,
  rules: readonly StackRule[],
  exception: Exception | undefined,
  work: Work,
): JudgedStack => {
  const silent = frames.every((frame) => frame.in_app !== true)
  const flags: FrameFlags[] = []
  for (const frame of frames) {
    const sdk = clientInApp(frame)
    const named = frame.filename !== undefined || frame.module !== undefined || frame.function !== undefined
    const builtIn = builtInRule(frame, frame.platform ?? platform)
    flags.push(
      builtIn === undefined
        ? { inApp: sdk ?? (silent && named), contributes: true, hint: undefined }
        : { inApp: false, contributes: builtIn.kind !== 'noise', hint: builtIn.hint },
    )
  }
  const bounds = { maxFrames: UNBOUNDED, minFrames: 0 }
  if (rules.length > 0) applyStackRules(rules, frames, platform, exception, flags, bounds, work)
  return { frames, flags, bounds }
}

/** What the SDK said, also when an earlier judgement was written onto the frame. */
const clientInApp = (frame: Frame): boolean | undefined => {
  const kept = frame.data?.['client_in_app']
  return typeof kept === 'boolean' ? kept : frame.in_app
}

/** All stacks of an event, judged once and used by strategies, fingerprints and the title alike. */
export interface JudgedEvent {
  /** By index in `exception.values`. */
  readonly exceptions: readonly (JudgedStack | undefined)[]
  /** By index in `threads.values`. */
  readonly threads: readonly (JudgedStack | undefined)[]
  readonly stacktrace: JudgedStack | undefined
}

export const judgeEvent = (event: NormalisedEvent, rules: readonly StackRule[], work: Work): JudgedEvent => {
  const judge = (stack: Stacktrace | undefined, exception?: Exception): JudgedStack | undefined =>
    stack === undefined || stack.frames.length === 0
      ? undefined
      : judgeStack(stack, event.platform, rules, exception, work)
  return {
    exceptions: (event.exception?.values ?? []).map((exception) => judge(exception.stacktrace, exception)),
    threads: (event.threads?.values ?? []).map((thread) => judge(thread.stacktrace)),
    stacktrace: judge(event.stacktrace),
  }
}

/** The event with `in_app` on every frame; what the SDK said stays in `data.client_in_app` where it differs. */
export const withInApp = (event: NormalisedEvent, judged: JudgedEvent): NormalisedEvent => {
  const result = { ...event }
  if (event.exception !== undefined) {
    result.exception = {
      values: event.exception.values.map((exception, index) => withJudgedStack(exception, judged.exceptions[index])),
    }
  }
  if (event.threads !== undefined) {
    result.threads = {
      values: event.threads.values.map((thread, index) => withJudgedStack(thread, judged.threads[index])),
    }
  }
  if (event.stacktrace !== undefined) {
    const stacktrace = withJudgedStack({ stacktrace: event.stacktrace }, judged.stacktrace).stacktrace
    result.stacktrace = stacktrace
  }
  return result
}

const withJudgedStack = <Owner extends { stacktrace?: Stacktrace }>(
  owner: Owner,
  judged: JudgedStack | undefined,
): Owner => {
  if (judged === undefined || owner.stacktrace === undefined) return owner
  return { ...owner, stacktrace: { ...owner.stacktrace, frames: framesWithInApp(judged) } }
}

const framesWithInApp = oncePerRecurring((judged: JudgedStack): readonly Frame[] => {
  const frames = judged.frames.map((frame, index) => {
    const inApp = judged.flags[index]?.inApp ?? false
    if (frame.in_app === inApp) return frame
    if (frame.in_app === undefined || frame.data?.['client_in_app'] !== undefined) return { ...frame, in_app: inApp }
    return { ...frame, in_app: inApp, data: { ...frame.data, client_in_app: frame.in_app } }
  })
  return isRecurring(judged) ? markRecurring(frames) : frames
})
