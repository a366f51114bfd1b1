import { hash } from 'node:crypto'
import type { ProjectSettings } from '../../../accounts/settings.ts'
import type { Work } from '../../../lib/work.ts'
import type { NormalisedEvent, Thread } from '../../../event/event.ts'
import type { GroupedEvent, GroupingComponent, GroupingDecision, GroupingVariant } from '../../grouped.ts'
import { createEventTitle } from '../../../event/index.ts'
import { compileRules } from './compiled-rules.ts'
import { hashChain, selectExceptions, type ExceptionSelection } from './exceptions.ts'
import { resolveFingerprint, type ResolvedFingerprint } from './fingerprint.ts'
import { judgeEvent, withInApp, type JudgedEvent, type JudgedStack } from './in-app.ts'
import { hashMessage, isMessageEvent } from './message.ts'
import { createTreeRecorder, silent, type Recorder } from './recorder.ts'
import { hashSecurityReport, isSecurityReport } from './security-report.ts'
import { hashStack, type Variant } from './stacktrace.ts'

/** A shipped version never changes; the next one stands beside it. */
export const VERSION = 'firsthand:2026-11-20'

/**
 * Decides which issue an event belongs to (protocol.md 5.1):
 * stack trace rules set `in_app` → a fingerprint is looked for (project's rules, the SDK's, built-in) → the first
 * strategy that finds something to hash wins (security report, message, exceptions, threads, stack trace).
 *
 * Pure: the same event and settings give the same hashes, for ever. Rules of the project are applied as far as `work`
 * suffices.
 */
export const group = (event: NormalisedEvent, settings: ProjectSettings, work: Work): GroupedEvent => {
  const { judged, selection, fingerprint, chosen } = decide(event, settings, work)
  const marked = withInApp(event, judged)
  const mainIndex = selection?.main === undefined ? -1 : mainExceptionIndex(event, selection)
  const main = marked.exception?.values[mainIndex]
  const isMainLast = mainIndex === -1 || mainIndex === (event.exception?.values.length ?? 0) - 1
  return {
    event: marked,
    grouping: { version: VERSION, hashes: [chosen.hash] },
    decision: {
      variant: chosen.variant,
      description: chosen.description,
      ...(fingerprint.source === 'rule' && fingerprint.rule !== undefined ? { rule: fingerprint.rule.text } : {}),
      ...(isMainLast ? {} : { mainException: mainIndex }),
    },
    title: createEventTitle(marked, { main, title: fingerprint.title }),
    unhandled: event.exception?.values.some((exception) => exception.mechanism?.handled === false) ?? false,
  }
}

/** Only the hashes that `group` gives, for the step to the next version. */
export const hashes = (event: NormalisedEvent, settings: ProjectSettings, work: Work): readonly string[] => [
  decide(event, settings, work).chosen.hash,
]

/** The same decision with its reasons. */
export const explain = (event: NormalisedEvent, settings: ProjectSettings, work: Work): GroupingVariant[] => {
  const variants: GroupingVariant[] = []
  decide(event, settings, work, variants)
  return variants
}

interface Decision {
  readonly judged: JudgedEvent
  readonly selection: ExceptionSelection | undefined
  readonly fingerprint: ResolvedFingerprint
  readonly chosen: Chosen
}

/** The variant that decides, and the hash that it gives. */
interface Chosen extends Pick<GroupingDecision, 'variant' | 'description'> {
  readonly hash: string
}

const decide = (
  event: NormalisedEvent,
  settings: ProjectSettings,
  work: Work,
  variants?: GroupingVariant[],
): Decision => {
  const { stackRules, fingerprintRules } = compileRules(settings)
  const judged = judgeEvent(event, stackRules.rules, work)
  const fingerprint = resolveFingerprint(event, judged, fingerprintRules.rules, work)
  const selection = event.exception === undefined ? undefined : selectExceptions(event, judged)
  const decision = { judged, selection, fingerprint }

  if (fingerprint.source !== 'rule' && event.checksum !== undefined && event.checksum !== '') {
    const checksum = event.checksum.toLowerCase()
    const value = /^[0-9a-f]{32}$/.test(checksum) ? checksum : md5([event.checksum])
    const chosen = { variant: 'checksum', hash: value, description: 'checksum sent with the event' }
    variants?.push(plainVariant(chosen, [event.checksum]))
    return { ...decision, chosen }
  }

  const salt = fingerprint.values.filter((value) => value !== null)
  const custom = !fingerprint.values.includes(null)
  if (custom) {
    const value = md5(['fingerprint', ...salt])
    const chosen = { variant: 'custom-fingerprint', hash: value, description: describeFingerprint(fingerprint) }
    variants?.push(plainVariant(chosen, salt))
    if (variants === undefined) return { ...decision, chosen }
    hashByDefault(event, decision, settings, [], variants, 'a fingerprint takes its place')
    return { ...decision, chosen }
  }
  return { ...decision, chosen: hashByDefault(event, decision, settings, salt, variants) }
}

/** @param overruled why the variants do not count, when something else decided */
const hashByDefault = (
  event: NormalisedEvent,
  { judged, selection, fingerprint }: Omit<Decision, 'chosen'>,
  settings: ProjectSettings,
  salt: readonly string[],
  variants: GroupingVariant[] | undefined,
  overruled?: string,
): Chosen => {
  let chosen: Chosen | undefined
  const attempt = (key: string, description: string, run: (parts: string[], recorder: Recorder) => boolean): void => {
    if (chosen !== undefined && variants === undefined) return
    const parts: string[] = []
    const recorder = variants === undefined ? silent : createTreeRecorder()
    recorder.open(key, description)
    const found = run(parts, recorder)
    const counts = found && chosen === undefined && overruled === undefined
    const hint = overruled ?? (found && chosen !== undefined ? 'a variant before it takes precedence' : undefined)
    recorder.close(counts, hint)
    const value = found ? md5(salt.length > 0 ? [...salt, '', ...parts] : parts) : null
    const decides = chosen === undefined && value !== null
    if (variants === undefined && !decides) return
    const text = salt.length > 0 ? `${description}, with ${describeFingerprint(fingerprint)}` : description
    if (variants !== undefined && 'take' in recorder) {
      const component = (recorder as { take(): GroupingComponent }).take()
      variants.push({ key, hash: counts ? value : null, description: text, component })
    }
    if (decides) chosen = { variant: key, hash: value, description: text }
  }

  if (isSecurityReport(event)) attempt(event.type, 'browser report', (p, r) => hashSecurityReport(event, p, r))
  const crashed = event.threads?.values.some((thread) => thread.crashed === true) ?? false
  const message = isMessageEvent(event) && !crashed
  if (message) attempt('message', 'message', (p, r) => hashMessage(event, p, r))

  if (selection !== undefined && selection.exceptions.length > 0) {
    const { includeMessage } = settings.grouping
    for (const variant of VARIANTS) {
      attempt(variant, DESCRIPTIONS[variant], (p, r) =>
        hashChain(selection, event.platform, variant, includeMessage, p, r),
      )
    }
  }
  const thread = selectThread(event, judged)
  if (thread !== undefined) attemptStack('thread', thread, event, attempt)
  if (judged.stacktrace !== undefined) attemptStack('stacktrace', judged.stacktrace, event, attempt)
  if (!message) attempt('message', 'message', (p, r) => hashMessage(event, p, r))

  if (chosen !== undefined) return chosen
  const fallback = {
    variant: 'fallback',
    hash: md5([...salt, 'fallback', event.type]),
    description: 'nothing in the event could be hashed',
  }
  if (overruled === undefined) variants?.push(plainVariant(fallback, []))
  return fallback
}

const VARIANTS: readonly Variant[] = ['app', 'system']
const DESCRIPTIONS: Readonly<Record<Variant, string>> = {
  app: 'in-app exception stack trace',
  system: 'exception stack trace with all frames',
}

const attemptStack = (
  name: string,
  stack: JudgedStack,
  event: NormalisedEvent,
  attempt: (key: string, description: string, run: (parts: string[], recorder: Recorder) => boolean) => void,
): void => {
  for (const variant of VARIANTS) {
    const description = variant === 'app' ? `in-app frames of the ${name}` : `all frames of the ${name}`
    attempt(variant, description, (p, r) => hashStack(stack, event.platform, variant, p, r) !== 'nothing')
  }
}

/** The only crashed thread, else the only current one, else the only one (protocol.md 5.1). */
const selectThread = (event: NormalisedEvent, judged: JudgedEvent): JudgedStack | undefined => {
  const threads = event.threads?.values ?? []
  const only = (test: (thread: Thread) => boolean): JudgedStack | undefined | null => {
    const found = threads.flatMap((thread, index) => (test(thread) ? [index] : []))
    const [first] = found
    if (first === undefined) return null
    return found.length === 1 ? judged.threads[first] : undefined
  }
  for (const test of [(t: Thread) => t.crashed === true, (t: Thread) => t.current === true, () => true]) {
    const answer = only(test)
    if (answer !== null) return answer
  }
  return undefined
}

const mainExceptionIndex = (event: NormalisedEvent, selection: ExceptionSelection): number =>
  event.exception?.values.findLastIndex((exception) => exception === selection.main?.exception) ?? -1

const md5 = (parts: readonly string[]): string => hash('md5', parts.join('\0'))

const describeFingerprint = (fingerprint: ResolvedFingerprint): string => {
  switch (fingerprint.source) {
    case 'rule':
      return `fingerprint by the project's rule: ${fingerprint.rule?.text ?? ''}`
    case 'built-in':
      return `fingerprint ${fingerprint.rule?.text ?? ''}`
    case 'sdk':
      return 'fingerprint sent with the event'
    case 'default':
      return 'default fingerprint'
  }
}

const plainVariant = ({ variant, hash: value, description }: Chosen, values: readonly string[]): GroupingVariant => ({
  key: variant,
  hash: value,
  description,
  component: { id: variant, name: description, contributes: true, values },
})
