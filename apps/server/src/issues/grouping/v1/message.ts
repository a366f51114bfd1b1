import type { NormalisedEvent } from '../../../event/event.ts'
import { PARAMETERISE_CHARACTERS, parameterise } from './parameterise.ts'
import type { Recorder } from './recorder.ts'

/**
 * Whether the event is a message to which the SDK attached the place it was sent from: since SDK 11 a synthetic
 * exception without a type beside `message` (protocol.md 3.1.1, check 55). Such events group by their message, with the
 * messages that have no stack, so that an SDK upgrade or a logging helper does not regroup them.
 */
export const isMessageEvent = (event: NormalisedEvent): boolean => {
  const exceptions = event.exception?.values ?? []
  if (exceptions.length > 1) return false
  const [exception] = exceptions
  if (exception === undefined) return messageText(event) !== ''
  return (exception.type ?? '') === '' && exception.mechanism?.synthetic === true && messageText(event) !== ''
}

/** The template when there is one, else the text. */
export const messageText = (event: NormalisedEvent): string => {
  const { logentry } = event
  return logentry?.message || logentry?.formatted || event.exception?.values.at(-1)?.value || ''
}

export const hashMessage = (event: NormalisedEvent, parts: string[], recorder: Recorder): boolean => {
  const text = messageText(event)
  if (text === '') return false
  const lines = firstLines(text)
  const result = lines.length > PARAMETERISE_CHARACTERS ? lines : parameterise(lines)
  recorder.leaf('message', 'message', result, true, result === text ? undefined : 'varying parts replaced')
  parts.push(result)
  return true
}

/** The first two lines that are not empty. */
const firstLines = (text: string): string => {
  const kept: string[] = []
  for (const line of text.slice(0, 4 * PARAMETERISE_CHARACTERS).split('\n', 200)) {
    const trimmed = line.trim()
    if (trimmed !== '') kept.push(trimmed)
    if (kept.length === 2) break
  }
  return kept.join('\n')
}
