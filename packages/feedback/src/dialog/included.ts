import { element, fill } from '../editor/dom.ts'
import type { ClientLike } from '../client.ts'
import type { Line } from '../logs/logs.ts'
import type { Included } from '../send/report-event.ts'
import type { Texts } from '../text/en.ts'

const LABELS = {
  page: 'includePage',
  browser: 'includeBrowser',
  actions: 'includeActions',
  replay: 'includeReplay',
  logs: 'includeLogs',
} as const

type Part = keyof typeof LABELS

/** The lines of the console and the network, as they were when the form was opened. */
export interface Logs {
  take(): readonly Line[]
  show(lines: readonly Line[]): HTMLElement
}

/**
 * Shows what goes along with the text, and lets the visitor take each part out.
 *
 * @param logs null where they are not wanted
 */
export const createIncluded = (
  client: ClientLike | undefined,
  texts: Texts,
  logs: Logs | null,
): { element: HTMLElement; read(): Included; renew(): void } => {
  const has = (name: string): boolean => Boolean(client?.getIntegrationByName?.(name))
  const parts: Part[] = ['page', 'browser']
  const isNoted = has('Breadcrumbs')
  if (isNoted) parts.push('actions')
  if (logs) parts.push('logs')
  if (has('Replay')) parts.push('replay')
  const boxes = parts.map((part) => {
    const input = element('input', { type: 'checkbox', checked: true })
    return { part, input, label: element('label', { class: 'check' }, input, texts[LABELS[part]]) }
  })
  const summary = element('summary', {})
  const shown = element('div')
  const details = element('details', { class: 'included' }, summary, ...boxes.map(({ label }) => label), shown)
  const say = (): void => {
    const list = boxes.filter(({ input }) => input.checked).map(({ part }) => texts[LABELS[part]])
    summary.textContent =
      list.length === 0 ? texts.includesNothingText : fill(texts.includesText, { list: list.join(texts.listSeparator) })
  }
  details.addEventListener('change', say)
  say()
  const isIn = (part: Part): boolean => boxes.find((box) => box.part === part)?.input.checked ?? true
  let lines: readonly Line[] = []
  return {
    element: details,
    renew: () => {
      if (!logs) return
      lines = logs.take()
      shown.replaceChildren(...(lines.length > 0 ? [logs.show(lines)] : []))
    },
    read: () => ({
      page: isIn('page'),
      browser: isIn('browser'),
      actions: isIn('actions'),
      replay: isIn('replay'),
      lines: isIn('logs') ? lines : [],
      areLinesTheirs: isNoted && logs !== null,
    }),
  }
}
